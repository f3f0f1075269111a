#include "generators/graph_pipeline.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "fusion/error.h"

namespace emulsion {

namespace {

bool is_port_name(const std::string &name) {
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
           name.find("__") == std::string::npos &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace

std::vector<Halide::Func> build_pipeline(const Graph &graph,
                                         std::map<TensorId, TensorSource> sources) {
    for (size_t i = 0; i < graph.tensors.size(); i++) {
        if (is_number(graph.tensors[i])) {
            sources.emplace(static_cast<TensorId>(i), TensorSource::number(graph.tensors[i]));
        }
    }
    std::map<TensorId, Halide::Func> results;
    size_t stages = 0;
    for (size_t i = 0; i < graph.nodes.size(); i++) {
        const Node &node = graph.nodes[i];
        LoweringContext context(graph, node, "n" + std::to_string(i) + "_op", sources);
        const Halide::Func result = checked_implementation(context).build(context);
        results.emplace(node.result(), result);
        sources.emplace(node.result(), TensorSource::func(result));
        stages += context.parts().size();
    }
    if (stages > kMaxStages) {
        throw Error("the network has " + std::to_string(stages) +
                    " stages; one Halide pipeline can have " + std::to_string(kMaxStages) +
                    ": compile it with emulsion_add_model, or 'emulsion compile', instead");
    }
    std::vector<Halide::Func> outputs;
    std::set<TensorId> seen;
    for (const TensorId id : graph.outputs) {
        if (results.count(id) == 0 || !seen.insert(id).second) {
            throw Error("output '" + graph.tensor(id).name +
                        "' is an input, a constant or another output as well; a pipeline computes "
                        "each of its outputs");
        }
        outputs.push_back(results.at(id));
    }
    return outputs;
}

std::vector<std::string> port_names(const Graph &graph, const std::vector<TensorId> &tensors,
                                    const std::string &kind) {
    std::vector<std::string> names;
    for (size_t i = 0; i < tensors.size(); i++) {
        const std::string &name = graph.tensor(tensors[i]).name;
        names.push_back(is_port_name(name) ? name : kind + std::to_string(i));
    }
    return names;
}

std::vector<int> row_major_strides(const std::vector<int64_t> &extents) {
    std::vector<int> strides(extents.size());
    int64_t stride = 1;
    for (size_t axis = extents.size(); axis-- > 0;) {
        strides[axis] = static_cast<int>(stride);
        stride *= extents[axis];
    }
    return strides;
}

}  // namespace emulsion
