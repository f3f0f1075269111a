#include "frontend/ops/support/blocks.h"

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

namespace {

// So that a block's area times a number of channels fits 64 bits. No tensor has larger blocks.
constexpr int64_t kLargest = 32767;

}  // namespace

int64_t block_size(const OperatorContext &context) {
    const int64_t block = context.node().integer("blocksize", 0);
    if (block < 1 || block > kLargest) {
        refuse(context,
               fmt::format("attribute blocksize is {}; it must be in [1, {}]", block, kLargest));
    }
    return block;
}

}  // namespace emulsion
