#include "frontend/lower/group_funcs.h"

#include <algorithm>

namespace emulsion {

namespace {

using Halide::Func;
using Halide::Parameter;

// Constants in blocks come from the weights file, whose entries start at cache lines.
constexpr int kWeightsAlignment = 64;

int int_of(int64_t value) { return static_cast<int>(value); }

void fix_input(Parameter &parameter, const Tensor &tensor, const Layout &layout) {
    const auto dimensions = buffer_dimensions(tensor.extents(), layout);
    for (size_t i = 0; i < dimensions.size(); i++) {
        const int dim = int_of(static_cast<int64_t>(i));
        parameter.set_min_constraint(dim, int_of(dimensions[i].min));
        parameter.set_extent_constraint(dim, int_of(dimensions[i].extent));
        parameter.set_stride_constraint(dim, int_of(dimensions[i].stride));
    }
    if (layout.block_axis >= 0) {
        parameter.set_host_alignment(kWeightsAlignment);
    }
}

void fix_output(Func &func, const Tensor &tensor, const Layout &layout) {
    // The interior only: the halo of an output is filled by the runtime.
    const auto extents = tensor.extents();
    const auto dimensions = buffer_dimensions(extents, layout);
    for (size_t i = 0; i < extents.size(); i++) {
        func.output_buffer()
            .dim(static_cast<int>(i))
            .set_bounds(0, int_of(extents[i]))
            .set_stride(int_of(dimensions[i].stride));
        func.bound(func.args()[i], 0, int_of(extents[i]));
    }
}

// Loop nests of values that are computed panel by panel cut their loops by these extents: they are exact
// (apply_gao2025).
void estimate(Func &func, const Tensor &tensor) {
    const auto extents = tensor.extents();
    for (size_t i = 0; i < extents.size(); i++) {
        func.set_estimate(func.args()[i], 0, int_of(extents[i]));
    }
}

}  // namespace

GroupFuncs build_group(const Graph &graph, const std::vector<Layout> &layouts,
                       const std::map<std::string, std::string> &implementations) {
    std::map<TensorId, TensorSource> sources;
    for (size_t i = 0; i < graph.tensors.size(); i++) {
        if (is_number(graph.tensors[i])) {
            sources.emplace(static_cast<TensorId>(i), TensorSource::number(graph.tensors[i]));
        }
    }
    GroupFuncs group;
    for (size_t i = 0; i < graph.inputs.size(); i++) {
        const Tensor &tensor = graph.tensor(graph.inputs[i]);
        TensorSource source = TensorSource::buffer(tensor, tensor.name, layouts[i]);
        group.inputs.push_back(source.parameter());
        fix_input(group.inputs.back(), tensor, layouts[i]);
        sources.insert_or_assign(graph.inputs[i], source);
    }
    for (const Node &node : graph.nodes) {
        LoweringContext context(graph, node, node.name, sources);
        const auto chosen = implementations.find(node.name);
        const Implementation &implementation =
            checked_implementation(context, chosen == implementations.end() ? "" : chosen->second);
        Func result = implementation.build(context);
        estimate(result, graph.tensor(node.result()));
        sources.emplace(node.result(), TensorSource::func(result));
        for (size_t i = 0; i < graph.outputs.size(); i++) {
            if (node.result() == graph.outputs[i]) {
                fix_output(result, graph.tensor(graph.outputs[i]),
                           layouts[graph.inputs.size() + i]);
                group.outputs.push_back(result);
            }
        }
    }
    return group;
}

}  // namespace emulsion
