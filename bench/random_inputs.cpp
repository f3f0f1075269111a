#include "bench/random_inputs.h"

#include "bench/random_array.h"

namespace emulsion {

ConstantData RandomInputs::of(const Tensor &tensor, const ValueBounds &bounds) {
    const Key key{tensor.name, tensor.type, tensor.extents(), {bounds.low, bounds.high}};
    auto known = known_.find(key);
    if (known == known_.end()) {
        Array array = random_array(key.type, key.extents, seed_, key.name, bounds);
        known = known_.emplace(key, make_constant(std::move(array.bytes))).first;
    }
    return known->second;
}

}  // namespace emulsion
