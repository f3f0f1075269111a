// What the blocks of a Func's result need of another Func that is computed for one of them at a time.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace emulsion {

// Elements along an axis: of the block that needs least of them, and of the one that needs most.
struct ExtentRange {
    int64_t least = 0, most = 0;
};

// How a root is cut into blocks.
struct Cut {
    std::vector<int64_t> block;  // extents of a block
    // The last block along an axis ends where the root does, and is smaller; otherwise it is moved inwards, and
    // overlaps the one before.
    bool last_is_smaller = false;
};

// Along axis `axis` of `func`, for the blocks that `root`, with constant `extents` from 0 on, is cut into. What lies
// outside of a tensor isn't needed where its reader says so by clamping coordinates. Nothing where that depends on
// several axes of `root`, can't be found out, or takes too many blocks.
std::optional<ExtentRange> block_extents(const Halide::Func &root,
                                         const std::vector<int64_t> &extents, const Cut &cut,
                                         const Halide::Func &func, int axis);

}  // namespace emulsion
