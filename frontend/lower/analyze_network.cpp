#include "frontend/lower/analyze_network.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "autoscheduler/analysis.h"
#include "frontend/graph/output_flags.h"
#include "frontend/lower/analyze_node.h"
#include "frontend/lower/check_operators.h"
#include "frontend/lower/context.h"
#include "frontend/lower/halide_errors.h"

namespace emulsion {

namespace {

// Element-wise operators behind another one that may keep it from being planar, at most.
constexpr int kMostEpilogues = 16;

class NetworkAnalyzer {
public:
    NetworkAnalyzer(const Graph &graph, const Machine &machine, bool exact)
        : machine_(machine), exact_(exact), nodes_(machine), value_of_(graph.tensors.size(), -1),
          is_output_(output_flags(graph)) {
        analysis_.graph = graph;
    }

    NetworkAnalysis run() {
        consumers_ = graph().consumers();
        for (TensorId id : graph().inputs) {
            add_value(id, ValueRole::Input);
        }
        const size_t nodes = graph().nodes.size();
        for (size_t i = 0; i < nodes; i++) {
            add_or_refuse(static_cast<int>(i));
        }
        if (!report_->clean()) {
            throw UnsupportedModel(report_);
        }
        add_copies();
        return std::move(analysis_);
    }

private:
    Graph &graph() { return analysis_.graph; }
    const Node &node(int i) { return graph().nodes[static_cast<size_t>(i)]; }
    std::vector<Value> &values() { return analysis_.problem.values; }

    int &value_of(TensorId id) {
        if (static_cast<size_t>(id) >= value_of_.size()) {
            value_of_.resize(static_cast<size_t>(id) + 1, -1);
        }
        return value_of_[static_cast<size_t>(id)];
    }

    int value(TensorId id) {
        const int known = value_of(id);
        return known >= 0 ? known : add_value(id, ValueRole::Constant);
    }

    int add_value(TensorId id, ValueRole role) {
        const Tensor &tensor = graph().tensor(id);
        Value v;
        v.name = tensor.name;
        v.extents = tensor.extents();
        v.element_bytes = size_of(tensor.type);
        v.role = role;
        v.is_output =
            static_cast<size_t>(id) < is_output_.size() && is_output_[static_cast<size_t>(id)];
        values().push_back(std::move(v));
        analysis_.value_tensor.push_back(id);
        return value_of(id) = static_cast<int>(values().size()) - 1;
    }

    void add_or_refuse(int index) {
        const Node subject = node(index);
        try {
            without_halide_errors(subject, [&] { add_operator(subject, index); });
        } catch (const Error &error) {
            report_->refuse(error);
            report_->judge(subject.index, Verdict::Refused);
            add_value(subject.result(), ValueRole::Intermediate);  // for those that read it
        }
    }

    void add_operator(const Node &subject, int index) {
        const std::string prefix = "n" + std::to_string(index);
        const LoweringContext checks(graph(), subject, prefix + "_op", no_sources_);
        const Operator &definition = supported_operator(checks, exact_);
        std::vector<const Implementation *> offered;
        for (const Implementation &each : definition.implementations) {
            if ((each.exact || !exact_) && (!each.applies || each.applies(checks)) &&
                (!each.follows || follows(subject, each.name)) &&
                (!each.cpu_only || !machine_.is_gpu()) && (!each.planar || is_planar(subject))) {
                offered.push_back(&each);
            }
        }
        ProblemOperator op{subject.name, {}};
        for (const Implementation *each : offered) {
            if (each->build) {
                op.alternatives.push_back({each->name,
                                           {analyzed(index, definition, *each, prefix + "_op")},
                                           each->follows});
            }
        }
        const int result = add_value(subject.result(), ValueRole::Intermediate);
        for (Alternative &alternative : op.alternatives) {
            alternative.operators.back().result = result;
        }
        for (const Implementation *each : offered) {
            if (each->expand) {
                expand(subject, *each, prefix, op);
            }
        }
        for (const Alternative &alternative : op.alternatives) {
            names_offered_[subject.result()].insert(alternative.name);
        }
        analysis_.problem.operators.push_back(std::move(op));
    }

    // Of values that the planner may want to convert: the caller's, and operands of concatenations.
    void add_copies() {
        std::set<int> converted;
        for (size_t v = 0; v < values().size(); v++) {
            if (values()[v].role == ValueRole::Input || values()[v].is_output) {
                converted.insert(static_cast<int>(v));
            }
        }
        for (const ProblemOperator &op : analysis_.problem.operators) {
            for (const Alternative &alternative : op.alternatives) {
                for (const PlannerOperator &each : alternative.operators) {
                    converted.insert(each.concatenation.values.begin(),
                                     each.concatenation.values.end());
                }
            }
        }
        for (const int v : converted) {
            Value &value = values()[static_cast<size_t>(v)];
            const TensorId tensor = analysis_.value_tensor[static_cast<size_t>(v)];
            value.copy = std::make_shared<ImplementationChoice>(
                nodes_.analyze_copy(graph().tensor(tensor), value));
        }
    }

    // Whether it reads an input of the network and makes an output of it, perhaps by way of element-wise operators.
    bool is_planar(const Node &subject) {
        const auto &inputs = graph().inputs;
        return std::any_of(subject.inputs.begin(), subject.inputs.end(),
                           [&](TensorId id) {
                               return std::find(inputs.begin(), inputs.end(), id) != inputs.end();
                           }) &&
               reaches_caller(subject.result(), kMostEpilogues);
    }

    bool reaches_caller(TensorId id, int steps) {
        if (static_cast<size_t>(id) >= consumers_.size() || steps == 0) {
            return false;
        }
        const std::vector<int> &readers = consumers_[static_cast<size_t>(id)];
        return readers.empty() ? is_output_[static_cast<size_t>(id)]
                               : std::all_of(readers.begin(), readers.end(), [&](int reader) {
                                     return is_elementwise(node(reader)) &&
                                            reaches_caller(node(reader).result(), steps - 1);
                                 });
    }

    // Those have another form of themselves for whatever form their operands have.
    static bool is_elementwise(const Node &subject) {
        const Operator *op = find_operator(subject.domain, subject.operator_type);
        return op != nullptr &&
               std::any_of(op->implementations.begin(), op->implementations.end(),
                           [](const Implementation &each) { return each.follows; });
    }

    // Whether what makes an operand has an implementation of that name.
    bool follows(const Node &subject, const std::string &name) const {
        return std::any_of(subject.inputs.begin(), subject.inputs.end(), [&](TensorId id) {
            const auto known = names_offered_.find(id);
            return known != names_offered_.end() && known->second.count(name) != 0;
        });
    }

    PlannerOperator analyzed(int index, const Operator &definition,
                             const Implementation &implementation, const std::string &name) {
        analysis_.node_named[name] = index;
        const LoweringContext context(graph(), node(index), name, no_sources_);
        PlannerOperator op;
        op.name = name;
        op.origin = node(index).operator_type;
        op.implementation = nodes_.analyze({graph(), node(index), name, implementation}, values(),
                                           [&](TensorId id) { return value(id); });
        op.type = operator_type(op.implementation, values());
        if (definition.concatenation_axis) {
            op.concatenation = concatenation(node(index), definition.concatenation_axis(context));
        }
        return op;
    }

    Concatenation concatenation(const Node &subject, int axis) {
        Concatenation result;
        result.axis = axis;
        for (const TensorId id : subject.inputs) {
            if (graph().tensor(id).element_count() != 0) {
                result.values.push_back(value(id));
            }
        }
        return result;
    }

    // Adds the alternative, but where an operator of it can't be, or none but the template that takes everything has a
    // loop nest for a sum of it on a GPU.
    void expand(const Node &subject, const Implementation &implementation,
                const std::string &prefix, ProblemOperator &op) {
        SubgraphBuilder builder(graph(), subject, implementation.name);
        const LoweringContext replaced(graph(), subject, prefix + "_op", no_sources_);
        implementation.expand(replaced, builder);
        Alternative alternative{implementation.name, {}, implementation.follows};
        for (const auto &[part, index] : builder.parts()) {
            const std::string name = fmt::format("{}_{}_{}_op", prefix, implementation.name, part);
            if (reads_constants_only(node(index))) {
                analysis_.constant_nodes.push_back(index);
                constants_.insert(node(index).result());
                continue;
            }
            const Operator *definition = supported(node(index), name);
            if (definition == nullptr) {
                return;
            }
            PlannerOperator made =
                analyzed(index, *definition, *part_of(implementation, *definition, index), name);
            if (machine_.is_gpu() && made.implementation.reduces &&
                !has_loop_nest_of_its_own(made.implementation)) {
                return;
            }
            const TensorId result = node(index).result();
            made.result = value_of(result) >= 0 ? value_of(result)
                                                : add_value(result, ValueRole::Intermediate);
            alternative.operators.push_back(std::move(made));
        }
        op.alternatives.push_back(std::move(alternative));
    }

    // How an operator of an alternative is computed: planar as that is, or by the first one that applies.
    const Implementation *part_of(const Implementation &alternative, const Operator &definition,
                                  int index) {
        const LoweringContext checks(graph(), node(index), "", no_sources_);
        const Implementation *first = nullptr;
        for (const Implementation &each : definition.implementations) {
            if (!each.build || (each.applies && !each.applies(checks))) {
                continue;
            }
            first = first == nullptr ? &each : first;
            if (alternative.planar && each.planar) {
                return &each;
            }
        }
        return first;
    }

    // The operator of a node of an alternative, or null where it can't be: no reason to refuse the model.
    const Operator *supported(const Node &subject, const std::string &name) {
        try {
            return &supported_operator(LoweringContext(graph(), subject, name, no_sources_),
                                       exact_);
        } catch (const Error &) {
            return nullptr;
        }
    }

    bool reads_constants_only(const Node &subject) {
        return std::all_of(subject.inputs.begin(), subject.inputs.end(), [&](TensorId id) {
            return id == kNoTensor || graph().tensor(id).is_constant() || constants_.count(id) != 0;
        });
    }

    const Machine &machine_;
    bool exact_;
    NodeAnalyzer nodes_;
    const std::map<TensorId, TensorSource> no_sources_;  // no check reads elements
    std::vector<int> value_of_;
    std::vector<bool> is_output_;
    std::vector<std::vector<int>> consumers_;  // of the model's nodes
    std::set<TensorId> constants_;  // of alternatives, computed when the model is compiled
    std::map<TensorId, std::set<std::string>> names_offered_;  // by the operator that makes it
    std::shared_ptr<SupportReport> report_ = std::make_shared<SupportReport>("");
    NetworkAnalysis analysis_;
};

// The nodes that make those of `wanted` which are no constants of the model, and what they read, in order.
std::vector<Node> makers_of(const NetworkAnalysis &analysis, std::set<TensorId> wanted) {
    std::vector<Node> makers;
    for (auto it = analysis.constant_nodes.rbegin(); it != analysis.constant_nodes.rend(); ++it) {
        const Node &node = analysis.graph.nodes[static_cast<size_t>(*it)];
        if (wanted.count(node.result()) != 0) {
            wanted.insert(node.inputs.begin(), node.inputs.end());
            makers.push_back(node);
        }
    }
    std::reverse(makers.begin(), makers.end());
    return makers;
}

}  // namespace

NetworkAnalysis analyze_network(const Graph &graph, const Machine &machine, bool exact) {
    return NetworkAnalyzer(graph, machine, exact).run();
}

DecidedNetwork decided_network(const NetworkAnalysis &analysis, const DecidedGraph &decided) {
    DecidedNetwork network{analysis.graph, {}, {}};
    for (const int v : decided.value_of) {
        network.value_tensor.push_back(analysis.value_tensor[static_cast<size_t>(v)]);
    }
    std::map<TensorId, TensorId> stand_in;
    for (size_t v = 0; v < decided.stand_in.size(); v++) {
        stand_in[analysis.value_tensor[v]] =
            analysis.value_tensor[static_cast<size_t>(decided.stand_in[v])];
    }
    network.graph.nodes.clear();
    std::set<TensorId> read;
    for (const PlannerOperator &op : decided.graph.operators) {
        Node node = analysis.graph.nodes[static_cast<size_t>(analysis.node_named.at(op.name))];
        for (TensorId &id : node.inputs) {
            const auto other = stand_in.find(id);
            id = other == stand_in.end() ? id : other->second;
            read.insert(id);
        }
        network.graph.nodes.push_back(std::move(node));
    }
    network.constant_nodes = makers_of(analysis, std::move(read));
    return network;
}

}  // namespace emulsion
