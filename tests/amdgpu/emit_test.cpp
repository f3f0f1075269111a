#include "backend/amdgpu/emit.h"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "fusion/error.h"
#include "pipelines.h"
#include "tests/fusion/documented_json.h"

namespace emulsion {

namespace fs = std::filesystem;

TEST(Emit, WritesTheCodeObjectAndWhatItTakes) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    const HipModule hip = rewrite_for_hip(staged_convolution(), {"gfx906", "gfx1100"});
    const std::vector<fs::path> files =
        emit_kernels(hip, "layer", folder.path() / "kernels", {{"in", "data"}});
    ASSERT_EQ(5u, files.size());
    EXPECT_EQ("layer.gfx906.hsaco", files[0].filename());
    EXPECT_EQ(hip.chips[0].code, read_file(files[0]));
    const auto json = nlohmann::json::parse(read_file(files[1]));
    EXPECT_EQ("", undocumented(json));
    EXPECT_EQ(hip.launches[0].kernel, json["kernel"].get<std::string>());
    EXPECT_EQ("gfx906", json["chip"]);
    EXPECT_EQ("layer.gfx906.hsaco", json["code_object"]);
    const auto launch = json["launches"][0];
    EXPECT_EQ((std::vector<int>{2, 14, 1}), launch["grid"].get<std::vector<int>>());
    EXPECT_EQ((std::vector<int>{16, 4, 4}), launch["block"].get<std::vector<int>>());
    EXPECT_EQ(46080, json["launches"][0]["lds_bytes"]);
    EXPECT_EQ(24, json["kernarg_bytes"]);
    ASSERT_EQ(3u, json["arguments"].size());
    EXPECT_EQ("in", json["arguments"][0]["name"]);
    EXPECT_EQ("data", json["arguments"][0]["tensor"]);
    EXPECT_EQ("weights", json["arguments"][2]["tensor"]);
    EXPECT_EQ("float*", json["arguments"][2]["type"]);
    EXPECT_EQ(16, json["arguments"][2]["offset"]);
    EXPECT_GT(json["vector_registers"], 0);
    EXPECT_GT(json["waves_per_simd"], 0);
    EXPECT_TRUE(json["findings"].empty());
}

TEST(Emit, DescribesScalarsAndSizesThatAreKnownAtRunTime) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    const std::vector<fs::path> files =
        emit_kernels(rewrite_for_hip(moving_sum(), {"gfx906"}), "sum", folder.path());
    const auto json = nlohmann::json::parse(read_file(files[1]));
    EXPECT_TRUE(json["launches"][0]["lds_bytes"].is_string());
    EXPECT_EQ("scalar", json["arguments"].back()["kind"]);
    EXPECT_FALSE(json["arguments"].back().contains("tensor"));
}

TEST(Emit, WritesAFileForEachKernel) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    const HipModule hip = rewrite_for_hip(three_stages(), {"gfx906"});
    EXPECT_EQ(5u, emit_kernels(hip, "stages", folder.path()).size());
}

TEST(Emit, WritesTheOrderOfTheKernelsAndWhatLiesBetweenThem) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    const HipModule hip = rewrite_for_hip(three_stages(), {"gfx906"});
    emit_kernels(hip, "stages", folder.path());
    const auto json = nlohmann::json::parse(read_file(folder.path() / "stages.kernels.json"));
    EXPECT_EQ("", undocumented(json));
    ASSERT_EQ(hip.launches.size(), json["launches"].size());
    std::set<std::string> arguments;
    for (size_t i = 0; i < hip.launches.size(); i++) {
        const auto &launch = json["launches"][i];
        EXPECT_EQ(hip.launches[i].kernel, launch["kernel"].get<std::string>());
        EXPECT_TRUE(
            fs::exists(folder.path() / (launch["file"].get<std::string>() + ".gfx906.json")));
        EXPECT_EQ(hip.launches[i].arguments.size(), launch["arguments"].size());
        for (const std::string argument : launch["arguments"]) {
            arguments.insert(argument);
        }
    }
    ASSERT_EQ(hip.launches.size() - 1, json["buffers"].size());
    for (const auto &buffer : json["buffers"]) {
        EXPECT_EQ(1u, arguments.count(buffer["name"])) << buffer;
        EXPECT_EQ("float32", buffer["type"]);
        EXPECT_EQ(1, buffer["dimensions"][0]["stride"]);
        EXPECT_GT(buffer["dimensions"][0]["extent"], 0);
    }
}

TEST(Emit, ShortensNamesThatNoFileMayHave) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    HipModule hip = rewrite_for_hip(three_stages(), {"gfx906"});
    for (KernelCode &kernel : hip.chips[0].object.kernels) {
        kernel.name = std::string(300, 'k') + kernel.name;
    }
    const std::vector<fs::path> files = emit_kernels(hip, "stages", folder.path());
    ASSERT_EQ(5u, files.size());
    EXPECT_NE(files[1], files[2]);
    EXPECT_EQ(hip.chips[0].object.kernels[0].name,
              nlohmann::json::parse(read_file(files[1]))["kernel"].get<std::string>());
}

TEST(Emit, SaysWhatItCannotWrite) {
    EXPECT_THROW(emit_kernels(rewrite_for_hip(scaling(), {"gfx906"}), "x", "/proc/nowhere"), Error);
}

}  // namespace emulsion
