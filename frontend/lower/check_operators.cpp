#include "frontend/lower/check_operators.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "frontend/lower/context.h"
#include "frontend/lower/halide_errors.h"

namespace emulsion {

namespace {

// Every operator's Funcs are built and analysed, and every group is a kernel of its own: more would take
// minutes to plan and hours to compile.
constexpr size_t kMostOperators = 50'000;

// Shape and its like are known at compile time. A unit has no place for what is neither read nor
// known.
void require_folded(const Operator &definition, const OperatorContext &context) {
    const Node &node = context.node();
    for (int i = 0; i < static_cast<int>(node.inputs.size()); i++) {
        if (context.has_input(i) && !context.input(i).is_constant() &&
            definition.compile_time_input && definition.compile_time_input(i)) {
            throw Error("it is computed at compile time, by the pass fold-constants, which "
                        "has to run",
                        node.place());
        }
    }
}

// Of Halide's buffers: indices are 32 bits wide.
constexpr int64_t kMostElements = std::numeric_limits<int32_t>::max();

void check_buffers(const Graph &graph, const std::vector<TensorId> &ids, SupportReport &report) {
    for (const TensorId id : ids) {
        const Tensor &tensor = graph.tensor(id);
        if (tensor.element_count() > kMostElements) {
            report.refuse(Error("tensor '" + tensor.name + "' has more elements than the " +
                                std::to_string(kMostElements) + " that a buffer can hold"));
        }
    }
}

bool counts(const Implementation &implementation, const OperatorContext &context, bool exact) {
    return (implementation.exact || !exact) &&
           (!implementation.applies || implementation.applies(context));
}

// Some forms are refused only where the Funcs are made.
void make_funcs(const Graph &graph, const Node &node, const Operator &definition, bool exact) {
    const auto sources = buffer_sources(graph, node);
    for (const Implementation &implementation : definition.implementations) {
        LoweringContext context(graph, node, "check_op", sources);
        if (implementation.build && counts(implementation, context, exact)) {
            implementation.build(context);
        }
    }
}

void check_operator(const Graph &graph, const Node &node, bool exact, bool with_funcs) {
    const std::map<TensorId, TensorSource> nothing;  // no check reads elements
    const LoweringContext context(graph, node, "", nothing);
    const Operator &definition = supported_operator(context, exact);
    if (with_funcs) {
        make_funcs(graph, node, definition, exact);
    }
}

}  // namespace

void require_few_operators(const Graph &graph) {
    if (graph.nodes.size() > kMostOperators) {
        throw Error("it has " + std::to_string(graph.nodes.size()) +
                    " operators after constants are folded; at most " +
                    std::to_string(kMostOperators) + " can be planned");
    }
}

const Operator &supported_operator(const OperatorContext &context, bool exact) {
    checked_implementation(context);
    const Node &node = context.node();
    const Operator &definition = *find_operator(node.domain, node.operator_type);
    require_folded(definition, context);
    const auto &all = definition.implementations;
    if (std::none_of(all.begin(), all.end(), [&](const Implementation &candidate) {
            return counts(candidate, context, exact);
        })) {
        throw Error("no implementation is exact; leave out --exact", node.place());
    }
    return definition;
}

void check_operators(const Graph &graph, bool exact, SupportReport &report) {
    bool with_funcs = true;
    try {
        require_few_operators(graph);
    } catch (const Error &error) {
        report.refuse(error);
        with_funcs = false;
    }
    check_buffers(graph, graph.inputs, report);
    check_buffers(graph, graph.outputs, report);
    for (const Node &node : graph.nodes) {
        try {
            without_halide_errors(node, [&] { check_operator(graph, node, exact, with_funcs); });
        } catch (const Error &error) {
            report.refuse(error);
            report.judge(node.index, Verdict::Refused);
        }
    }
}

}  // namespace emulsion
