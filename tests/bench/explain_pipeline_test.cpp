// The plan of a pipeline, as `emulsion explain` shows it.
#include <fstream>

#include "tests/bench/program.h"

namespace emulsion {
namespace {

constexpr const char *kPlan = R"({"schema": "emulsion-plan", "version": 1, "policy": "gao2025",
  "groups": [
    {"kind": "compute", "cycles": 100, "members": [
      {"op": "grey", "implementation": "func", "parts": [{"part": "", "placement": "root"}],
       "nest": {"template": "tiles", "parameters": {"block0": 256, "block1": 0}},
       "choices": [{"placement": "root", "cycles": 400}, {"placement": "inline", "cycles": 500}]}]},
    {"kind": "compute", "cycles": 300, "members": [
      {"op": "blur<x>", "implementation": "func", "parts": [{"part": "", "placement": "panel"}],
       "stage": 0, "reads": ["grey"], "choices": [{"placement": "panel", "cycles": 300},
       {"placement": "root", "cycles": 420}]},
      {"op": "out", "implementation": "func", "parts": [{"part": "", "placement": "root"}],
       "stage": 1, "reads": ["blur<x>"], "why": "it is an output",
       "nest": {"template": "tiles", "parameters": {"block0": 0, "slide_axis": -1}}}]}]})";

class ExplainPipeline : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        std::ofstream(file("plan.json")) << kPlan;
    }
};

TEST_F(ExplainPipeline, SaysWhereStagesAreComputedAndWhatElseItWouldCost) {
    const std::string text = run_well({"explain", file("plan.json"), "--json", file("out.json")});
    for (const char *part :
         {"policy gao2025, 3 stages in 2 groups", "stored, in tiles of 256 x all in parallel",
          "inlined 1.25x", "in the tiles of out", "stored 1.40x", "it is an output", "75.0 %"}) {
        EXPECT_NE(std::string::npos, text.find(part)) << part << " is not in\n" << text;
    }
    const auto stages = json("out.json").at("stages");
    ASSERT_EQ(3U, stages.size());
    EXPECT_EQ("tiles", stages[1].at("place"));
    EXPECT_EQ("stored", stages[1].at("otherwise")[0].at("place"));
    EXPECT_DOUBLE_EQ(1.4, stages[1].at("otherwise")[0].at("cost"));
    EXPECT_DOUBLE_EQ(0.25, stages[0].at("group_share"));
}

TEST_F(ExplainPipeline, WritesAPageThatNeedsNoOtherFile) {
    run_well({"explain", file("plan.json"), "--html", file("page.html")});
    const std::string page = read_user_file(file("page.html"));
    for (const char *part : {"<svg", "blur&lt;x&gt;", "data-group=\"1\"", "stored 1.40x",
                             "in the tiles of out", "default-src 'none'"}) {
        EXPECT_NE(std::string::npos, page.find(part)) << part;
    }
    EXPECT_EQ(std::string::npos, page.find("blur<x>"));
}

TEST_F(ExplainPipeline, RefusesWhatIsNoPlanAndWhatIsForNetworks) {
    std::ofstream(file("machine.json")) << R"({"schema": "emulsion-machine", "version": 1})";
    expect_error({"explain", file("machine.json")}, 2, "\"emulsion-plan\" is needed");
    std::ofstream(file("broken.json")) << "{\"policy\": ";
    expect_error({"explain", file("broken.json")}, 2, file("broken.json"));
    std::ofstream(file("empty.json")) << R"({"policy": "gao2025", "groups": []})";
    expect_error({"explain", file("empty.json")}, 2, "is a plan of no stages");
    expect_error({"explain", file("plan.json"), "--policy", "tvm"}, 2, "--policy is for networks");
}

}  // namespace
}  // namespace emulsion
