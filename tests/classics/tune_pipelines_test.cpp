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

TEST(SlowTune, SearchesSizesTogether) {
    const auto scratch = make_scratch_folder();
    const std::string file = scratch->path().string() + "/tuned.json";
    const ToolResult found =
        run_tune({"box_blur", "--size", "width=96,height=61", "--size", "width=640,height=480",
                  "--trials", "6", "--batch", "1", "--rounds", "1", "--strategy", "gptune",
                  "--allocator", "dynatune", "--threads", "2", "-o", file});
    ASSERT_EQ(0, found.status) << found.output;
    EXPECT_NE(std::string::npos, found.output.find("box_blur height=61,width=96"));
    EXPECT_NE(std::string::npos, found.output.find("box_blur height=480,width=640"));
    EXPECT_LE(tuned_images_from_json(read_user_file(file), file).pipelines.size(), 2U);
}

TEST(SlowTune, SaysWhatIsWrongWithSizes) {
    const auto fails = [](const std::vector<std::string> &sizes, const std::string &why) {
        std::vector<std::string> arguments{"box_blur", "--trials", "1", "-o", "/dev/null"};
        for (const std::string &size : sizes) {
            arguments.insert(arguments.end(), {"--size", size});
        }
        const ToolResult result = run_tune(arguments);
        EXPECT_NE(0, result.status);
        EXPECT_NE(std::string::npos, result.output.find(why)) << result.output;
    };
    fails({"640x480"}, "write width=640,height=480");
    fails({"width=8,height=9", "height=9,width=8"}, "leave one out");
    fails({"radius=3"}, "radius");
    fails({"width=-1"}, "has no elements with width=-1");
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
