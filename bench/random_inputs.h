// Random values for what units read, each array made once: to draw one takes longer than the run that reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/graph/value_bounds.h"

namespace emulsion {

class RandomInputs {
public:
    explicit RandomInputs(uint64_t seed) : seed_(seed) {}

    // random_array of the type, the extents and the name of `tensor`. The data live on when this has ended.
    ConstantData of(const Tensor &tensor, const ValueBounds &bounds);

private:
    struct Key {
        std::string name;
        DataType type;
        std::vector<int64_t> extents;
        std::pair<int64_t, int64_t> bounds;
        auto operator<=>(const Key &) const = default;
    };
    const uint64_t seed_;
    std::map<Key, ConstantData> known_;
};

}  // namespace emulsion
