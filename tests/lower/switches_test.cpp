// What is switched off changes how a network is computed, never what: every fusion rule, every pruning of the
// search, every graph pass and every policy, one at a time.
#include <Halide.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

#include "frontend/graph/pass.h"
#include "fusion/policy.h"
#include "tests/lower/execution.h"
#include "tests/lower/zoo_graph.h"

namespace emulsion::test {

namespace {

constexpr MappingType kTypes[] = {MappingType::OneToOne, MappingType::Reorganize,
                                  MappingType::Shuffle, MappingType::OneToMany,
                                  MappingType::ManyToMany};

// A cost model for which producers of type `producer` that are read by an edge of type `edge` are computed in
// no group with their reader: the cell of fusion/fusion_rules.h is switched off.
class WithoutRule : public GroupCost {
public:
    WithoutRule(const OperatorGraph &graph, const GroupCost &cost, MappingType producer,
                MappingType edge)
        : graph_(graph), cost_(cost), producers_(graph.producers()), producer_(producer),
          edge_(edge) {}

    GroupPrice price(const std::vector<int> &members) const override {
        for (const int member : members) {
            const PlannerOperator &op = graph_.operators[static_cast<size_t>(member)];
            for (const Operand &operand : op.implementation.operands) {
                const int from = producers_[static_cast<size_t>(operand.value)];
                if (std::binary_search(members.begin(), members.end(), from) &&
                    operand.type == edge_ &&
                    graph_.operators[static_cast<size_t>(from)].type == producer_) {
                    return {"the rule is switched off", 0.0, {}};
                }
            }
        }
        return cost_.price(members);
    }
    double least_cycles(int op) const override { return cost_.least_cycles(op); }

private:
    const OperatorGraph &graph_;
    const GroupCost &cost_;
    std::vector<int> producers_;
    MappingType producer_, edge_;
};

Policy without_rule(MappingType producer, MappingType edge) {
    return {.name = "gao2025 without " + std::string(to_string(producer)) + " into " +
                    std::string(to_string(edge)),
            .description = "",
            .partition =
                [=](const PolicyInput &input) {
                    const WithoutRule cost(input.graph, input.cost, producer, edge);
                    return find_policy("gao2025").partition(
                        {input.graph, cost, input.free_operators, input.search});
                },
            .absorbs_copies = true};
}

Policy without_prunings(bool bound, bool attach) {
    return {.name = std::string("gao2025") + (bound ? "" : " without bound") +
                    (attach ? "" : " without attach"),
            .description = "",
            .partition =
                [=](const PolicyInput &input) {
                    SearchOptions search = input.search;
                    search.bound = bound;
                    search.attach = attach;
                    return find_policy("gao2025").partition(
                        {input.graph, input.cost, input.free_operators, search});
                },
            .absorbs_copies = true};
}

std::vector<Policy> all_switched() {
    std::vector<Policy> policies;
    for (const Policy *each : all_policies()) {
        policies.push_back(*each);
    }
    for (const MappingType producer : kTypes) {
        for (const MappingType edge : kTypes) {
            policies.push_back(without_rule(producer, edge));
        }
    }
    policies.push_back(without_prunings(false, true));
    policies.push_back(without_prunings(true, false));
    policies.push_back(without_prunings(false, false));
    return policies;
}

// Policies under which some plan of `graph` is another than those before it: each is run.
int expect_equal_under_all_policies(const Graph &graph, const TensorValues &inputs,
                                    CompiledUnits &compiled) {
    const TensorValues reference = evaluate_reference(graph, inputs);
    std::set<std::string> plans;
    PlanOptions options;
    options.threads = 2;
    for (const Policy &policy : all_switched()) {
        const PlannedNetwork network = plan_network(graph, options, policy);
        Plan plan = network.plan;
        plan.policy = "";
        plan.refusals.clear();
        plan.search = {};
        if (plans.insert(to_json(plan)).second) {
            EXPECT_EQ("", run_and_compare(network, inputs, reference, &compiled)) << policy.name;
        }
    }
    return static_cast<int>(plans.size());
}

// Without the pass the network computes the same, or is refused with the pass's name.
void expect_equal_without_pass(const Graph &graph, const std::string &pass,
                               const TensorValues &inputs, const TensorValues &outputs,
                               CompiledUnits &compiled) {
    SCOPED_TRACE("--disable-pass " + pass);
    const Graph without = run_passes(graph, {pass});
    const TensorValues given = random_inputs(without, 1);
    for (size_t i = 0; i < graph.inputs.size(); i++) {
        ASSERT_EQ(given[static_cast<size_t>(without.inputs[i])],
                  inputs[static_cast<size_t>(graph.inputs[i])]);
    }
    PlannedNetwork network;
    try {
        network = plan_network(without, {.threads = 2});
    } catch (const Error &e) {
        EXPECT_NE(std::string(e.what()).find(pass), std::string::npos) << e.what();
        return;
    }
    TensorValues reference(
        without.tensors.size());  // of the outputs alone: other nodes have changed
    for (size_t i = 0; i < outputs.size(); i++) {
        reference[static_cast<size_t>(without.outputs.at(i))] = outputs[i];
    }
    EXPECT_EQ("", run_and_compare(network, given, reference, &compiled));
}

void expect_switches_change_nothing(const std::string &name, int64_t image_size = 0) {
    SCOPED_TRACE(name);
    try {
        const Graph graph = zoo_graph(name, image_size);
        const TensorValues inputs = random_inputs(graph, 1);
        const TensorValues values = evaluate_reference(graph, inputs);
        TensorValues outputs;
        for (const TensorId id : graph.outputs) {
            outputs.push_back(values[static_cast<size_t>(id)]);
        }
        CompiledUnits compiled;
        for (const Pass *pass : all_passes()) {
            expect_equal_without_pass(graph, pass->name, inputs, outputs, compiled);
        }
        const Graph passed = run_passes(graph);
        const int plans =
            expect_equal_under_all_policies(passed, random_inputs(passed, 1), compiled);
        EXPECT_GT(plans, 3);
        std::cout << name << ": " << plans << " plans\n";
    } catch (const Halide::Error &e) {
        ADD_FAILURE() << e.what();
    }
}

}  // namespace

class Switches : public testing::TestWithParam<const char *> {};

TEST_P(Switches, ChangeNoOutput) { expect_switches_change_nothing(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Slow, Switches,
                         testing::Values("tiny_plain", "tiny_residual", "tiny_squeeze_excite",
                                         "tiny_concat", "tiny_attention"));

// The zoo takes an hour; at a tenth of its size or less. EMULSION_SWITCH_ZOO names the network, or all.
TEST(SlowSwitches, ChangeNoOutputOfTheZoo) {
    const char *wanted = std::getenv("EMULSION_SWITCH_ZOO");
    const std::string chosen = wanted != nullptr ? wanted : "";
    for (const char *name : {"mobilenet_v1", "efficientnet_b0", "vgg16", "yolo_v4"}) {
        if (chosen == "all" || chosen == name) {
            expect_switches_change_nothing(name, 32);
        }
    }
    if (chosen.empty()) {
        GTEST_SKIP() << "EMULSION_SWITCH_ZOO is not set";
    }
}

}  // namespace emulsion::test
