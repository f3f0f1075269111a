#include "generators/weights_blob.h"

#include <algorithm>
#include <fstream>
#include <numeric>

#include "frontend/lower/context.h"
#include "frontend/ops/operator.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// Constants start at cache lines.
constexpr int64_t kAlignment = 16;

bool is_read(const Graph &graph, const Node &node, int index) {
    const TensorId id = node.inputs[static_cast<size_t>(index)];
    if (id == kNoTensor || !graph.tensor(id).is_constant() || is_number(graph.tensor(id))) {
        return false;
    }
    const Operator *op = find_operator(node.domain, node.operator_type);
    return op == nullptr || !op->compile_time_input || !op->compile_time_input(index);
}

// The axis that vectors of the node's result run along, which should lie side by side.
size_t innermost_axis(const Node &node, size_t rank) {
    const bool first = node.operator_type == "Conv" ||
                       (node.operator_type == "Gemm" && node.integer("transB", 0) != 0);
    return first || rank == 0 ? 0 : rank - 1;
}

// Row-major but for one axis.
std::vector<int64_t> strides_of(const std::vector<int64_t> &extents, size_t innermost) {
    std::vector<int64_t> strides(extents.size());
    int64_t stride = 1;
    if (!extents.empty()) {
        strides[innermost] = 1;
        stride = extents[innermost];
    }
    for (size_t axis = extents.size(); axis-- > 0;) {
        if (axis != innermost) {
            strides[axis] = stride;
            stride *= extents[axis];
        }
    }
    return strides;
}

}  // namespace

WeightsBlob::WeightsBlob(const Graph &graph) : graph_(&graph) {
    for (const Node &node : graph.nodes) {
        for (size_t i = 0; i < node.inputs.size(); i++) {
            const TensorId id = node.inputs[i];
            if (!is_read(graph, node, static_cast<int>(i)) || entries_.count(id) != 0) {
                continue;
            }
            const Tensor &tensor = graph.tensor(id);
            if (tensor.type != DataType::F32) {
                throw Error("constant '" + tensor.name + "' is of type " +
                                std::string(to_string(tensor.type)) +
                                ", but the weights of a pipeline are f32; compile the model with "
                                "emulsion_add_model instead",
                            node.place());
            }
            const std::vector<int64_t> extents = tensor.extents();
            entries_[id] = {size_, extents,
                            strides_of(extents, innermost_axis(node, extents.size()))};
            size_ += (tensor.element_count() + kAlignment - 1) / kAlignment * kAlignment;
        }
    }
}

std::map<TensorId, Halide::Func> WeightsBlob::funcs(const Halide::Func &blob) const {
    std::map<TensorId, Halide::Func> result;
    for (const auto &[id, entry] : entries_) {
        const auto vars = axes(static_cast<int>(entry.extents.size()));
        Halide::Expr index = static_cast<int>(entry.offset);
        for (size_t axis = 0; axis < vars.size(); axis++) {
            index += vars[axis] * static_cast<int>(entry.strides[axis]);
        }
        Halide::Func func("constant" + std::to_string(id) + "_data");
        func(vars) = blob(index);
        result.emplace(id, func);
    }
    return result;
}

void WeightsBlob::write(const std::string &path) const {
    std::vector<float> blob(static_cast<size_t>(size_), 0.0F);
    for (const auto &[id, entry] : entries_) {
        const auto *from = graph_->tensor(id).constant->as<float>();
        std::vector<int64_t> at(entry.extents.size(), 0);
        const int64_t count = graph_->tensor(id).element_count();
        for (int64_t i = 0; i < count; i++) {
            const int64_t offset =
                std::inner_product(at.begin(), at.end(), entry.strides.begin(), entry.offset);
            blob[static_cast<size_t>(offset)] = from[i];
            for (size_t axis = at.size(); axis-- > 0 && ++at[axis] == entry.extents[axis];) {
                at[axis] = 0;
            }
        }
    }
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char *>(blob.data()),
              static_cast<std::streamsize>(blob.size() * sizeof(float)));
    if (!out.flush()) {
        throw failure("can't be written", {.file = path});
    }
}

}  // namespace emulsion
