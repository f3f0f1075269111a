#include "frontend/lower/analyze_network.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "autoscheduler/analysis.h"
#include "frontend/graph/output_flags.h"
#include "frontend/lower/check_operators.h"
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
            add_or_refuse(graph_.nodes[i], "n" + std::to_string(i) + "_op");
        }
        if (!report_->clean()) {
            throw UnsupportedModel(report_);
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

    void add_or_refuse(const Node &node, const std::string &name) {
        try {
            without_halide_errors(node, [&] { add_operator(node, name); });
        } catch (const Error &error) {
            report_->refuse(error);
            report_->judge(node.index, Verdict::Refused);
            add_value(node.result(), ValueRole::Intermediate);  // for those that read it
        }
    }

    void add_operator(const Node &node, const std::string &name) {
        const auto sources = buffer_sources(graph_, node);
        const LoweringContext checks(graph_, node, name, sources);
        const Operator &definition = supported_operator(checks, exact_);

        PlannerOperator op;
        op.name = name;
        op.origin = node.operator_type;
        for (const Implementation &implementation : definition.implementations) {
            if ((implementation.exact || !exact_) &&
                (!implementation.applies || implementation.applies(checks))) {
                op.implementation = analyze(node, name, implementation, sources);
                break;
            }
        }
        op.type = operator_type(op.implementation, analysis_.operators.values);
        if (definition.concatenation_axis) {
            op.concatenation = concatenation(node, definition.concatenation_axis(checks));
        }
        op.result = add_value(node.result(), ValueRole::Intermediate);
        analysis_.operators.operators.push_back(std::move(op));
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
    std::shared_ptr<SupportReport> report_ = std::make_shared<SupportReport>("");
    NetworkAnalysis analysis_;
};

}  // namespace

NetworkAnalysis analyze_network(const Graph &graph, const Machine &machine, bool exact) {
    return NetworkAnalyzer(graph, machine, exact).run();
}

}  // namespace emulsion
