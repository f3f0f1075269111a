#include "frontend/lower/structure_hash.h"

#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <fmt/format.h>

#include "frontend/lower/graph_json.h"

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
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace emulsion
