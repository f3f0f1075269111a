#include "fusion/image/transposed_block.h"

#include <algorithm>

#include "fusion/image/unrolled_code.h"
#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

// Operations of all elements of a transposed block, at most: compilers need minutes for more; and the smallest block
// that is worth it.
constexpr double kMostTransposedOperations = 4096.0;
constexpr int64_t kLeastTransposed = 4;

}  // namespace

int64_t transposed_block(const ImageStage &stage, const DefinitionCost &cost,
                         const CpuMachine &machine) {
    if (!stage.is_pure() || stage.extents.size() < 2 || !cost.transposes) {
        return 0;
    }
    int64_t rows = std::min(vector_of(stage, machine), best_transposed_rows(stage.element_bytes));
    const auto fits = [&] {
        // What is shifted inwards from fewer rows would be written before the first.
        return rows <= stage.extents[1] && rows * rows <= kMostTransposed &&
               rows * rows <= cost.most_side_by_side &&
               static_cast<double>(rows * rows) * cost.operations <= kMostTransposedOperations;
    };
    while (rows > kLeastTransposed && !fits()) {
        rows /= 2;
    }
    return fits() ? rows : 0;
}

}  // namespace emulsion
