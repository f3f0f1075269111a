#include "tests/backend/amdgpu_network.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "backend/compiler.h"
#include "frontend/zoo/zoo.h"
#include "tests/fusion/documented_json.h"

namespace emulsion::test {

namespace fs = std::filesystem;

using nlohmann::json;

AmdgpuNetwork::AmdgpuNetwork(const std::string &name, const std::string &chips)
    : base_(fs::temp_directory_path() / "amdgpu-network"), folder_(base_.path() / name) {
    const std::string model = (base_.path() / (name + ".onnx")).string();
    write_zoo_model(name, model);
    CompileOptions options;
    options.plan.target = "amdgpu-" + chips;
    options.emit = {"kernels"};
    options.jobs = 2;
    options.cache_folder = (base_.path() / "cache").string();
    compile_model(model, folder_.string(), options);
}

std::vector<json> AmdgpuNetwork::kernels(const std::string &unit, const std::string &chip) const {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(emitted() / unit)) {
        if (entry.path().string().ends_with("." + chip + ".json")) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<json> kernels;
    for (const fs::path &file : files) {
        kernels.push_back(json::parse(read_file(file)));
        EXPECT_EQ("", undocumented(kernels.back())) << file;
    }
    return kernels;
}

std::string AmdgpuNetwork::code_object(const std::string &unit, const std::string &chip) const {
    return read_file(emitted() / unit / (unit + "." + chip + ".hsaco"));
}

json AmdgpuNetwork::launches() const { return json::parse(read_file(emitted() / "launches.json")); }

json AmdgpuNetwork::manifest_launches() const {
    return json::parse(read_file(folder_ / "manifest.json")).at("launches");
}

}  // namespace emulsion::test
