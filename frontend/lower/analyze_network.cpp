#include "frontend/lower/analyze_network.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "autoscheduler/analysis.h"
#include "frontend/graph/output_flags.h"
#include "frontend/lower/context.h"
#include "frontend/lower/halide_errors.h"

namespace emulsion {

namespace {

class NetworkAnalyzer {
public:
    NetworkAnalyzer(const Graph &graph, const Machine &machine, bool exact)
        : graph_(graph), machine_(machine), exact_(exact), value_of_(graph.tensors.size(), -1),
          is_output_(output_flags(graph)) {}

    NetworkAnalysis run() {
        for (TensorId id : graph_.inputs) {
            add_value(id, ValueRole::Input);
        }
        for (size_t i = 0; i < graph_.nodes.size(); i++) {
            const Node &node = graph_.nodes[i];
            without_halide_errors(node,
                                  [&] { add_operator(node, "n" + std::to_string(i) + "_op"); });
        }
        return std::move(analysis_);
    }

private:
    int value(TensorId id) {
        int &v = value_of_[static_cast<size_t>(id)];
        return v >= 0 ? v : add_value(id, ValueRole::Constant);
    }

    int add_value(TensorId id, ValueRole role) {
        const Tensor &tensor = graph_.tensor(id);
        Value v;
        v.name = tensor.name;
        v.extents = tensor.extents();
        v.element_bytes = size_of(tensor.type);
        v.role = role;
        v.is_output = is_output_[static_cast<size_t>(id)];
        analysis_.operators.values.push_back(std::move(v));
        analysis_.value_tensor.push_back(id);
        value_of_[static_cast<size_t>(id)] = static_cast<int>(analysis_.value_tensor.size()) - 1;
        return value_of_[static_cast<size_t>(id)];
    }

    // Operands that Funcs may read: numbers as numbers, the rest as buffers without a layout yet.
    std::map<TensorId, TensorSource> sources_of(const Node &node) const {
        std::map<TensorId, TensorSource> sources;
        for (TensorId id : node.inputs) {
            if (id == kNoTensor || sources.count(id) != 0) {
                continue;
            }
            const Tensor &tensor = graph_.tensor(id);
            sources.emplace(id, is_number(tensor)
                                    ? TensorSource::number(tensor)
                                    : TensorSource::buffer(
                                          tensor, "tensor" + std::to_string(id) + "_data", {}));
        }
        return sources;
    }

    void add_operator(const Node &node, const std::string &name) {
        const auto sources = sources_of(node);
        LoweringContext checks(graph_, node, name, sources);
        checked_implementation(checks);
        const Operator &definition = *find_operator(node.domain, node.operator_type);
        refuse_unfolded(node, definition, checks);

        PlannerOperator op;
        op.name = name;
        op.origin = node.operator_type;
        for (const Implementation &implementation : definition.implementations) {
            if ((implementation.exact || !exact_) &&
                (!implementation.applies || implementation.applies(checks))) {
                op.implementations.push_back(analyze(node, name, implementation, sources));
            }
        }
        if (op.implementations.empty()) {
            throw Error("no implementation is exact; leave out --exact", node.place());
        }
        op.type = operator_type(op.implementations.front(), analysis_.operators.values);
        if (definition.concatenation_axis) {
            op.concatenation = concatenation(node, definition.concatenation_axis(checks));
        }
        op.result = add_value(node.result(), ValueRole::Intermediate);
        analysis_.operators.operators.push_back(std::move(op));
    }

    // Shape and its like are known at compile time. A unit has no place for what is neither read nor
    // known.
    static void refuse_unfolded(const Node &node, const Operator &definition,
                                const OperatorContext &context) {
        for (int i = 0; i < static_cast<int>(node.inputs.size()); i++) {
            if (context.has_input(i) && !context.input(i).is_constant() &&
                definition.compile_time_input && definition.compile_time_input(i)) {
                throw Error("it is computed at compile time, by the pass fold-constants, which "
                            "has to run",
                            node.place());
            }
        }
    }

    Concatenation concatenation(const Node &node, int axis) {
        Concatenation result;
        result.axis = axis;
        for (const TensorId id : node.inputs) {
            if (graph_.tensor(id).element_count() != 0) {
                result.values.push_back(value(id));
            }
        }
        return result;
    }

    ImplementationChoice analyze(const Node &node, const std::string &name,
                                 const Implementation &implementation,
                                 const std::map<TensorId, TensorSource> &sources) {
        LoweringContext context(graph_, node, name, sources);
        implementation.build(context);

        OperatorSource source;
        source.implementation = implementation.name;
        source.exact = implementation.exact;
        source.extents = graph_.tensor(node.result()).extents();
        source.natural_order.resize(source.extents.size());
        std::iota(source.natural_order.begin(), source.natural_order.end(), 0);
        collect_parts(context, source);

        std::set<TensorId> listed;
        for (const TensorId id : node.inputs) {
            if (id != kNoTensor && listed.insert(id).second &&
                is_read(source, sources.at(id).name())) {
                source.operands.push_back({sources.at(id).name(), value(id)});
            }
        }
        ImplementationChoice choice =
            analyze_implementation(source, analysis_.operators.values, machine_);
        for (const auto &[index, padding] : context.paddings()) {
            const int padded = value(node.inputs[static_cast<size_t>(index)]);
            for (Operand &operand : choice.operands) {
                if (operand.value == padded && has_margin(padding)) {
                    operand.halo = padding.margin;
                    operand.fill = padding.value;
                }
            }
        }
        return choice;
    }

    static bool has_margin(const Padding &padding) {
        return std::any_of(padding.margin.begin(), padding.margin.end(),
                           [](const Margin &m) { return m.before != 0 || m.after != 0; });
    }

    // The result last, the other parts in the order they were made.
    static void collect_parts(const LoweringContext &context, OperatorSource &source) {
        for (bool result : {false, true}) {
            for (const auto &[part, func] : context.parts()) {
                if (part.empty() == result) {
                    source.parts.push_back(func_facts(func.function()));
                    source.part_names.push_back(part);
                }
            }
        }
    }

    static bool is_read(const OperatorSource &source, const std::string &name) {
        return !name.empty() &&
               std::any_of(source.parts.begin(), source.parts.end(), [&](const FuncFacts &part) {
                   const auto callees = part.callees();
                   return std::find(callees.begin(), callees.end(), name) != callees.end();
               });
    }

    const Graph &graph_;
    const Machine &machine_;
    bool exact_;
    std::vector<int> value_of_;
    std::vector<bool> is_output_;
    NetworkAnalysis analysis_;
};

}  // namespace

NetworkAnalysis analyze_network(const Graph &graph, const Machine &machine, bool exact) {
    return NetworkAnalyzer(graph, machine, exact).run();
}

}  // namespace emulsion
