#include "frontend/lower/make_unit.h"

#include <algorithm>
#include <map>
#include <set>

#include "frontend/lower/context.h"
#include "frontend/lower/copy_graph.h"
#include "frontend/ops/operator.h"

namespace emulsion {

namespace {

std::string numbered(const char *prefix, size_t i) { return prefix + std::to_string(i); }

// Not ending in a digit: to such names Halide appends a counter of its own.
std::string member_name(size_t i) { return numbered("m", i) + "_op"; }

// A unit sees the strides of a slice, not where in the whole it begins.
Layout canonical(Layout layout) {
    for (Margin &m : layout.around) {
        m = {0, m.before + m.after};
    }
    return layout;
}

// Copies nodes under canonical names, tensors in the order of their first use.
class UnitBuilder {
public:
    explicit UnitBuilder(const Graph &from) : from_(from) { unit_.graph.opset = from.opset; }

    void add_node(const Node &node) {
        const Operator *op = find_operator(node.domain, node.operator_type);
        Node copy = node;
        copy.name = member_name(unit_.graph.nodes.size());
        copy.index = -1;
        for (size_t i = 0; i < copy.inputs.size(); i++) {
            const TensorId input = copy.inputs[i];
            const bool compile_time = op->compile_time_input &&
                                      op->compile_time_input(static_cast<int>(i)) &&
                                      input != kNoTensor && from_.tensor(input).is_constant();
            copy.inputs[i] = tensor(input, compile_time);
        }
        for (TensorId &output : copy.outputs) {
            output = tensor(output, false);
        }
        unit_.graph.nodes.push_back(std::move(copy));
    }

    void add_input(TensorId id, const Layout &layout) {
        unit_.inputs.push_back({tensor(id, false), canonical(layout)});
        unit_.graph.inputs.push_back(unit_.inputs.back().tensor);
    }

    void set_output(TensorId id, const Layout &layout) {
        unit_.output = {tensor(id, false), canonical(layout)};
        unit_.graph.outputs = {unit_.output.tensor};
    }

    Unit take() {
        leave_out_unread_operands();
        return std::move(unit_);
    }

private:
    // What no Func reads comes from nowhere: LayerNormalization's scale, where only its mean is asked for.
    void leave_out_unread_operands() {
        Graph &graph = unit_.graph;
        std::set<TensorId> known(graph.inputs.begin(), graph.inputs.end());
        for (Node &node : graph.nodes) {
            for (TensorId &input : node.inputs) {
                if (input != kNoTensor && known.count(input) == 0 &&
                    !graph.tensor(input).is_constant()) {
                    input = kNoTensor;
                }
            }
            known.insert(node.outputs.begin(), node.outputs.end());
        }
    }

    // A constant that is read at compile time as well as at run time becomes two tensors: one with its
    // data, and one that is an argument.
    TensorId tensor(TensorId id, bool keep_data) {
        if (id == kNoTensor) {
            return kNoTensor;
        }
        const auto known = renamed_.find({id, keep_data});
        if (known != renamed_.end()) {
            return known->second;
        }
        Tensor copy = from_.tensor(id);
        copy.name = numbered("tensor", unit_.graph.tensors.size()) + "_data";
        if (!keep_data && !is_number(copy)) {
            copy.constant.reset();
        }
        const TensorId made = unit_.graph.add_tensor(std::move(copy));
        renamed_[{id, keep_data}] = made;
        return made;
    }

    const Graph &from_;
    Unit unit_;
    std::map<std::pair<TensorId, bool>, TensorId> renamed_;  // by tensor, and whether with its data
};

}  // namespace

Unit make_compute_unit(const Graph &graph, const std::vector<int> &nodes, const Plan &plan,
                       const PlannedGroup &group, const std::vector<TensorId> &value_tensor) {
    UnitBuilder builder(graph);
    for (int node : nodes) {
        builder.add_node(graph.nodes[static_cast<size_t>(node)]);
    }
    const auto layout = [&](int v) { return plan.values[static_cast<size_t>(v)].layout; };
    for (int v : group.inputs) {
        builder.add_input(value_tensor[static_cast<size_t>(v)], layout(v));
    }
    builder.set_output(value_tensor[static_cast<size_t>(group.output)], layout(group.output));

    Unit unit = builder.take();
    PlannedGroup alone = group;
    alone.cycles = 0.0;  // units of equal code are equal
    alone.inputs.clear();
    alone.output = -1;
    for (size_t i = 0; i < alone.members.size(); i++) {
        alone.members[i].op = member_name(i);
    }
    unit.plan.policy = "replay";
    unit.plan.groups = {alone};
    return unit;
}

Unit make_convert_unit(const Tensor &tensor, const Plan &plan, const PlannedGroup &group) {
    const Graph copy = copy_graph(tensor);
    std::vector<TensorId> value_tensor(plan.values.size(), kNoTensor);
    value_tensor[static_cast<size_t>(group.inputs.at(0))] = copy.inputs.at(0);
    value_tensor[static_cast<size_t>(group.output)] = copy.outputs.at(0);
    PlannedGroup computed = group;
    computed.kind = GroupKind::Compute;  // of the copy that it is
    return make_compute_unit(copy, {0}, plan, computed, value_tensor);
}

}  // namespace emulsion
