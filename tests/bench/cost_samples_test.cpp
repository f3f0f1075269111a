#include "bench/cost_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "frontend/graph/pass.h"
#include "frontend/lower/analyze_network.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "fusion/chips.h"
#include "fusion/machine_constants.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

Graph network_to_price(const std::string &name) {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model(name, path);
    return run_passes(load_model(path));
}

bool reads(const OperatorGraph &graph, int reader, int producer) {
    const int value = graph.operators[static_cast<size_t>(producer)].result;
    const ImplementationChoice &choice =
        graph.operators[static_cast<size_t>(reader)].implementation;
    return std::any_of(choice.operands.begin(), choice.operands.end(),
                       [&](const Operand &operand) { return operand.value == value; });
}

// Every operator alone, and with the one before it where it reads that. Values are row-major, so that some are read
// across their order.
SampledNetwork analysed_for(const Graph &graph, const Machine &machine) {
    SampledNetwork network;
    network.graphs = {analyze_network(graph, machine, true).default_operators()};
    network.machine = machine;
    OperatorGraph &operators = network.graphs.front();
    for (Value &value : operators.values) {
        value.order.resize(value.extents.size());
        std::iota(value.order.begin(), value.order.end(), 0);
    }
    for (int i = 0; i < static_cast<int>(operators.operators.size()); i++) {
        const std::string &name = operators.operators[static_cast<size_t>(i)].name;
        if (i > 0 && reads(operators, i, i - 1)) {
            network.samples.push_back(
                {.members = {operators.operators[static_cast<size_t>(i) - 1].name, name}});
        }
        network.samples.push_back({.members = {name}});
    }
    return network;
}

bool have_the_same_nests(const SampledNetwork &a, const SampledNetwork &b,
                         const std::vector<std::string> &members) {
    const auto nests_of = [](const SampledNetwork &network, const std::string &member) {
        const OperatorGraph &graph = network.graphs.front();
        const NestSpace &space =
            graph.operators[static_cast<size_t>(graph.index_of(member))].implementation.nest;
        std::vector<Nest> nests{space.single_rows.nest};
        for (const NestPoint &point : space.points) {
            nests.push_back(point.nest);
        }
        return nests;
    };
    return std::all_of(members.begin(), members.end(), [&](const std::string &member) {
        return nests_of(a, member) == nests_of(b, member);
    });
}

// Nests stay as they were measured. Where the analysis chooses the same ones for both machines, nothing but estimates
// is left to differ.
void expect_predictions_of(const SampledNetwork &typical, const SampledNetwork &anew,
                           const std::string &what, bool &differs) {
    const std::vector<double> before = predicted_ms(typical, typical.machine);
    const std::vector<double> predicted = predicted_ms(typical, anew.machine);
    const std::vector<double> expected = predicted_ms(anew, anew.machine);
    size_t compared = 0;
    for (size_t i = 0; i < predicted.size(); i++) {
        if (have_the_same_nests(typical, anew, typical.samples[i].members)) {
            compared++;
            EXPECT_EQ(expected[i], predicted[i]) << what << ", sample " << i;
            differs = differs || predicted[i] != before[i];
        }
    }
    EXPECT_GT(3 * compared, predicted.size()) << what;
}

}  // namespace

TEST(PredictedMs, AreThoseOfANetworkAnalysedForTheMachineWhateverConstantChanges) {
    const Graph graph = network_to_price("mobilenet_v1");
    // Caches that some of the tensors don't fit into.
    const Machine machine =
        CpuMachine{.threads = 2, .vector_bytes = 32, .l2_bytes = 256 << 10, .l3_bytes = 2 << 20};
    const SampledNetwork typical = analysed_for(graph, machine);
    for (const auto &[name, value] : constants_of(machine)) {
        bool differs = false;
        for (const double factor : {0.25, 4.0}) {
            Machine other = machine;
            set_constants(other, {{name, value * factor}});
            expect_predictions_of(typical, analysed_for(graph, other), name, differs);
        }
        // Those of pipelines of images say nothing of networks.
        const bool of_images = name.starts_with("image_") || name == "new_page_cycles";
        EXPECT_EQ(!of_images, differs) << name;
    }
}

TEST(PredictedMs, OfAGpuAreThoseOfANetworkAnalysedForIt) {
    const Graph graph = network_to_price("tiny_attention");
    const Machine machine = machine_of(find_chip("gfx906"));
    const SampledNetwork typical = analysed_for(graph, machine);
    for (const auto &[name, value] : constants_of(machine)) {
        bool differs = false;
        Machine other = machine;
        set_constants(other, {{name, value * 1.5}});
        expect_predictions_of(typical, analysed_for(graph, other), name, differs);
        EXPECT_TRUE(differs) << name;
    }
}

TEST(EstimateNests, ForTheMachineOfTheAnalysisChangesNothing) {
    const Graph graph = network_to_price("tiny_attention");
    for (const Machine &machine :
         {Machine(CpuMachine{.threads = 2}), machine_of(find_chip("gfx1100"))}) {
        const OperatorGraph analysed = analyze_network(graph, machine, true).default_operators();
        OperatorGraph again = analysed;
        estimate_nests(again, machine);
        for (size_t i = 0; i < analysed.operators.size(); i++) {
            const NestSpace &before = analysed.operators[i].implementation.nest;
            const NestSpace &after = again.operators[i].implementation.nest;
            EXPECT_EQ(before.points, after.points) << analysed.operators[i].name;
            EXPECT_EQ(before.single_rows, after.single_rows) << analysed.operators[i].name;
        }
    }
}

}  // namespace emulsion
