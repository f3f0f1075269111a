#include "tests/lower/forced_implementations.h"

#include <gtest/gtest.h>

#include "tests/lower/cpu_targets.h"
#include "tests/lower/execution.h"

namespace emulsion::test {

PlanOptions forcing_implementation(const Graph &graph, const std::string &implementation,
                                   PlanOptions options) {
    for (const OperatorChoice &choice : plan_network(graph, options).choices) {
        if (choice.alone.count(implementation) != 0) {
            options.implementations[choice.name] = implementation;
        }
    }
    return options;
}

void expect_right_with(const std::string &implementation, const Graph &graph, size_t operators) {
    const TensorValues inputs = random_inputs(graph, 1);
    const TensorValues reference = evaluate_reference(graph, inputs);
    for (const std::string &target : cpu_targets()) {
        const PlanOptions options = forcing_implementation(
            graph, implementation, {.target = target, .threads = 2, .checked = true});
        EXPECT_EQ(operators, options.implementations.size());
        const PlannedNetwork network = plan_network(graph, options);
        EXPECT_EQ("", run_and_compare(network, inputs, reference)) << describe(network);
    }
}

}  // namespace emulsion::test
