// From a model's file to a graph that can be planned, or to the list of all that keeps it from that.
#include "frontend/lower/load_network.h"

#include <gtest/gtest.h>

#include "frontend/lower/analyze_network.h"
#include "frontend/lower/network.h"
#include "tests/frontend/models.h"

namespace emulsion::test {
namespace {

std::string reasons(const SupportReport &report) {
    std::string text;
    for (const UnsupportedPart &part : report.refusals()) {
        text += part.place.node + ": " + part.reason + "\n";
    }
    return text;
}

class LoadNetwork : public testing::Test {
protected:
    std::string write(const std::string &graph) const {
        const std::string path = folder_.file("model.onnx");
        write_file(path, model(graph).SerializeAsString());
        return path;
    }
    const TemporaryFolder folder_;
};

// What loading refuses, what an operator's check refuses, and what its Funcs can't be made for; before, after
// and beside each other.
constexpr const char *kThreeStages =
    R"(agraph (float[2,4] x) => (v, w, y, z) <int64[1] k = {2}>
    { [by_check] v = Gelu<approximate = "fast">(x)
      [by_loading] b = Foo(x)
      [open] c = Relu(b)
      [by_funcs] y = Celu<alpha = 0.0>(x)
      [lacking] d, e = TopK(x, k)
      [fine] w = Relu(d)
      [joined] z = Add(c, x) })";

TEST_F(LoadNetwork, GivesTheGraphOfASupportedModelAfterThePasses) {
    const std::string path = write(R"(agraph (float[2] x) => (float[2] y)
        { t = Identity(x)
          y = Relu(t) })");
    std::vector<PassTime> times;
    EXPECT_EQ(operators(load_network(path, {}, &times)), "Relu");
    EXPECT_FALSE(times.empty());
    LoadOptions without;
    without.disabled_passes = {"drop-no-ops"};
    EXPECT_EQ(operators(load_network(path, without)), "Identity Relu");
}

TEST_F(LoadNetwork, RefusalsOfAllStagesAreOneList) {
    const ImportedModel examined = examine_model(write(kThreeStages), {});
    const std::string text = reasons(*examined.report);
    expect_contains(text, "by_check: attribute approximate is 'fast'");
    expect_contains(text, "by_loading: ONNX has no operator 'Foo'");
    expect_contains(text, "by_funcs: attribute alpha is 0");
    expect_contains(text, "lacking: operator 'TopK' is not supported");
    EXPECT_EQ(examined.report->nodes_that_are(Verdict::NotJudged), 2);
    try {
        load_network(write(kThreeStages), {});
        FAIL() << "it was loaded";
    } catch (const UnsupportedModel &error) {
        EXPECT_EQ(reasons(error.report()), text);
        EXPECT_EQ(error.place().file, folder_.file("model.onnx"));
        EXPECT_EQ(error.exit_code(), 2);
    }
}

TEST_F(LoadNetwork, ANodeThatOnlyARefusedOneReadsIsJudgedToo) {
    const ImportedModel examined = examine_model(write(R"(agraph (float[2,4] x) => (y)
        { [wrong] t = Celu<alpha = 0.0>(x)
          [bad] y = Foo(t) })"),
                                                 {});
    EXPECT_EQ(reasons(*examined.report),
              "bad: ONNX has no operator 'Foo' at opset 22\nwrong: attribute alpha is 0; X is "
              "divided by it\n");
    EXPECT_EQ(examined.report->nodes_that_are(Verdict::Refused), 2);
}

TEST_F(LoadNetwork, AnOperatorOfSeveralResultsIsOneRefusal) {
    const ImportedModel examined =
        examine_model(write(R"(agraph (float[2,4] x) => (y, z) <int64[1] k = {2}>
        { [top] y, z = TopK(x, k) })"),
                      {});
    EXPECT_EQ(examined.report->count(), 1) << reasons(*examined.report);
}

TEST_F(LoadNetwork, TooManyElementsForABufferAreRefused) {
    const ImportedModel examined = examine_model(
        write("agraph (float[65536,65536] x) => (float[65536,65536] y) { y = Relu(x) }"), {});
    expect_contains(reasons(*examined.report), "tensor 'x' has more elements than the 2147483647");
    expect_contains(reasons(*examined.report), "tensor 'y' has more elements");
}

TEST_F(LoadNetwork, PlanningRefusesAllOperatorsAtOnceAsWell) {
    const Graph graph = run_passes(load(R"(agraph (float[2,4] x) => (y, z)
        { [one] y = Celu<alpha = 0.0>(x)
          [fine] t = Relu(y)
          [two] z = Celu<alpha = 0.0>(t) })"));
    try {
        plan_network(graph, PlanOptions());
        FAIL() << "it was planned";
    } catch (const UnsupportedModel &error) {
        EXPECT_EQ(reasons(error.report()), "one: attribute alpha is 0; X is divided by it\n"
                                           "two: attribute alpha is 0; X is divided by it\n");
    }
}

TEST_F(LoadNetwork, ErrorsThatNameNoFileGetIt) {
    const std::string path = write("agraph (float[2] x) => (float[2] y) { y = Relu(x) }");
    LoadOptions options;
    options.disabled_passes = {"no-such-pass"};
    try {
        load_network(path, options);
        FAIL() << "it was loaded";
    } catch (const Error &error) {
        EXPECT_EQ(std::string(error.what()).rfind(path + ": ", 0), 0U) << error.what();
    }
}

}  // namespace
}  // namespace emulsion::test
