// Files that PyTorch's exporters and tf2onnx wrote, run as compiled networks are, against what the frameworks
// themselves make of the same inputs. README.md says how the files in models/ are made.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/compare.h"
#include "bench/npy.h"
#include "frontend/graph/pass.h"
#include "frontend/lower/network.h"
#include "frontend/onnx/loader.h"
#include "tests/node_suite/jit_network.h"

namespace emulsion::test {
namespace {

const std::filesystem::path kModels = EMULSION_SOURCE_DIR "/tests/exporters/models";

std::vector<std::string> cases_of(const std::string &exporter) {
    std::vector<std::string> cases;
    for (const auto &file : std::filesystem::directory_iterator(kModels)) {
        if (file.path().extension() == ".onnx" &&
            file.path().filename().string().starts_with(exporter)) {
            cases.push_back(file.path().stem());
        }
    }
    std::sort(cases.begin(), cases.end());
    return cases;
}

// The arrays in CASE.KIND0.npy, CASE.KIND1.npy, ...
std::vector<Array> arrays_of(const std::string &name, const std::string &kind) {
    std::vector<Array> arrays;
    for (;;) {
        const std::filesystem::path file =
            kModels / (name + "." + kind + std::to_string(arrays.size()) + ".npy");
        if (!std::filesystem::exists(file)) {
            return arrays;
        }
        arrays.push_back(read_npy(file));
    }
}

void expect_equal_results(const std::string &name) {
    SCOPED_TRACE(name);
    const std::vector<Array> inputs = arrays_of(name, "input");
    InputShapes shapes;  // what a user gives as --shape
    for (size_t i = 0; i < inputs.size() && name.find("-dynamic-") != std::string::npos; i++) {
        shapes["x" + std::to_string(i)] = inputs[i].shape;
    }
    const Graph graph = run_passes(load_model(kModels / (name + ".onnx"), {}, shapes));
    const std::vector<Array> outputs = run_jit(graph, plan_network(graph, {}), inputs);
    const std::vector<Array> expected = arrays_of(name, "output");
    ASSERT_EQ(outputs.size(), expected.size());
    for (size_t i = 0; i < outputs.size(); i++) {
        ASSERT_EQ(describe(outputs[i].type, outputs[i].shape),
                  describe(expected[i].type, expected[i].shape));
        EXPECT_LE(compare(outputs[i], expected[i]).worst_ratio, 1.0) << "output " << i;
    }
}

class Exported : public testing::TestWithParam<std::string> {};

TEST_P(Exported, FilesGiveTheFrameworksResults) {
    const std::vector<std::string> cases = cases_of(GetParam());
    EXPECT_FALSE(cases.empty());
    for (const std::string &name : cases) {
        try {
            expect_equal_results(name);
        } catch (const std::exception &error) {
            ADD_FAILURE() << name << ": " << error.what();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Slow, Exported, testing::Values("torchscript", "dynamo", "tf2onnx"),
                         [](const auto &exporter) { return exporter.param; });

}  // namespace
}  // namespace emulsion::test
