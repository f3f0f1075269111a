#include "fusion/image/vectors.h"

#include <algorithm>
#include <bit>

namespace emulsion {

int64_t lanes_of_vector(const ImageStage &stage, const CpuMachine &machine) {
    int bytes = std::max(stage.element_bytes, 1);
    for (const Definition &definition : stage.definitions) {
        for (const ImageRead &read : definition.reads) {
            bytes = std::max(bytes, read.element_bytes);
        }
    }
    return std::bit_floor(
        static_cast<unsigned>(std::max(1, machine.vector_bytes / bytes)));  // tuples have odd sizes
}

int64_t vector_of(const ImageStage &stage, const CpuMachine &machine) {
    int64_t vector = lanes_of_vector(stage, machine);
    while (vector > 1 && (stage.extents.empty() || vector > stage.extents.front())) {
        vector /= 2;
    }
    return vector;
}

}  // namespace emulsion
