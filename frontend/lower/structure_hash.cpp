#include "frontend/lower/structure_hash.h"

#include <nlohmann/json.hpp>

#include "frontend/lower/graph_json.h"
#include "fusion/hash_hex.h"

namespace emulsion {

namespace {

constexpr size_t kFewBytes = 256;  // shapes, axes and other parameters; what is larger is weights

}  // namespace

std::string structure_hash(const Graph &graph) {
    Graph stripped = graph;
    for (Tensor &tensor : stripped.tensors) {
        if (tensor.constant && tensor.constant->size > kFewBytes) {
            tensor.constant.reset();
        }
    }
    const std::string text =
        graph_to_json(stripped).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return hash_hex(text);
}

}  // namespace emulsion
