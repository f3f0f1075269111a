// The command as a user sees it.
#include <gtest/gtest.h>

#include "backend/process.h"
#include "bench/user_files.h"
#include "fusion/image/tuned_images.h"

namespace emulsion::classics {

namespace {

ToolResult run_tune(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {EMULSION_BINARY_DIR "/bin/classics", "tune"});
    return run_tool(arguments, "this build");
}

}  // namespace

TEST(SlowTune, WritesAFileThatKeepsWhatItHasOfOthers) {
    const auto scratch = make_scratch_folder();
    const std::string file = scratch->path().string() + "/tuned.json",
                      store = scratch->path().string() + "/tuning.db";
    const ToolResult found = run_tune({"box_blur", "--trials", "3", "--rounds", "1", "--threads",
                                       "2", "--store", store, "-o", file});
    ASSERT_EQ(0, found.status) << found.output;
    EXPECT_NE(std::string::npos, found.output.find("box_blur"));
    TunedImages tuned = tuned_images_from_json(read_user_file(file), file);
    EXPECT_EQ(2, tuned.threads);
    tuned.pipelines["i0"] = {"another", {"images", {}}, 0.5};
    write_whole_file(file, {to_json(tuned)});
    // What the store has is not measured again.
    const ToolResult again = run_tune({"box_blur", "matrix_product", "--trials", "1", "--rounds",
                                       "1", "--threads", "2", "--store", store, "-o", file});
    ASSERT_EQ(0, again.status) << again.output;
    EXPECT_NE(std::string::npos, again.output.find("is planned as a network"));
    EXPECT_EQ(1U, tuned_images_from_json(read_user_file(file), file).pipelines.count("i0"));
}

TEST(SlowTune, NeedsALimitAndAPipelineThatThereIs) {
    const ToolResult unlimited = run_tune({"box_blur", "-o", "/dev/null"});
    EXPECT_NE(0, unlimited.status);
    EXPECT_NE(std::string::npos, unlimited.output.find("give --trials N or --seconds S"));
    const ToolResult unknown = run_tune({"no_blur", "--trials", "1", "-o", "/dev/null"});
    EXPECT_NE(0, unknown.status);
    EXPECT_NE(std::string::npos, unknown.output.find("there is no pipeline 'no_blur'"));
}

}  // namespace emulsion::classics
