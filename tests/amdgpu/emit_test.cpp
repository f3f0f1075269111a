#include "backend/amdgpu/emit.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "fusion/error.h"
#include "pipelines.h"

namespace emulsion {

namespace fs = std::filesystem;

TEST(Emit, WritesTheCodeObjectAndWhatItTakes) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    const HipModule hip = rewrite_for_hip(staged_convolution(), {"gfx906", "gfx1100"});
    const std::vector<fs::path> files =
        emit_kernels(hip, "layer", folder.path() / "kernels", {{"in", "data"}});
    ASSERT_EQ(4u, files.size());
    EXPECT_EQ("layer.gfx906.hsaco", files[0].filename());
    EXPECT_EQ(hip.chips[0].code, read_file(files[0]));
    const auto json = nlohmann::json::parse(read_file(files[1]));
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
    EXPECT_EQ(4u, emit_kernels(hip, "stages", folder.path()).size());
}

TEST(Emit, ShortensNamesThatNoFileMayHave) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-emit");
    HipModule hip = rewrite_for_hip(three_stages(), {"gfx906"});
    for (KernelCode &kernel : hip.chips[0].object.kernels) {
        kernel.name = std::string(300, 'k') + kernel.name;
    }
    const std::vector<fs::path> files = emit_kernels(hip, "stages", folder.path());
    ASSERT_EQ(4u, files.size());
    EXPECT_NE(files[1], files[2]);
    EXPECT_EQ(hip.chips[0].object.kernels[0].name,
              nlohmann::json::parse(read_file(files[1]))["kernel"].get<std::string>());
}

TEST(Emit, SaysWhatItCannotWrite) {
    EXPECT_THROW(emit_kernels(rewrite_for_hip(scaling(), {"gfx906"}), "x", "/proc/nowhere"), Error);
}

}  // namespace emulsion
