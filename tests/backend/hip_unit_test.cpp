#include "backend/hip_unit.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/compiler.h"
#include "backend/files.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

namespace fs = std::filesystem;

// The whole module in one workgroup, as its products are small: gfx90a has too few scalar registers for that at
// any size of its blocks.
TEST(HipUnit, KeepsThePlannedLoopNestWhereNoSmallerOneSpillsNothing) {
    const TemporaryFolder base(fs::temp_directory_path() / "hip-unit");
    const std::string model = (base.path() / "model.onnx").string();
    write_zoo_model("tiny_squeeze_excite", model);
    CompileOptions options;
    options.plan.target = "amdgpu-gfx90a";
    options.use_cache = false;
    options.jobs = 2;
    options.emit = {"kernels"};
    const std::string folder = (base.path() / "network").string();
    EXPECT_EQ(0, compile_model(model, folder, options).shrunk_units);
    int findings = 0;
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(folder) / "emit")) {
        if (entry.path().string().ends_with(".gfx90a.json")) {
            const auto kernel = nlohmann::json::parse(read_file(entry.path()));
            EXPECT_EQ(0, kernel.at("scratch_bytes")) << kernel;
            findings += static_cast<int>(kernel.at("findings").size());
        }
    }
    EXPECT_EQ(1, findings) << "another network is needed to show it";
}

}  // namespace emulsion
