// What a lowered statement does with each of its buffers: how much it touches, how often, and when again.
#pragma once

#include <cstddef>
#include <vector>

#include "autoscheduler/lowered/statements.h"

namespace emulsion {

struct BufferUse {
    bool reads = false, writes = false;
    double bytes = 0.0, unique_bytes = 0.0, lines = 0.0, unique_lines = 0.0;
    int reuse = 2;  // 0: by a loop; 1: by several accesses of a pass; 2: none
    double reuse_iterations = 0.0, reuse_bytes = 0.0, reuse_count = 1.0;
    double stride = 0.0;  // in elements
};

// Passes of the innermost `depth` loops.
double passes_of(const std::vector<LoweredLoop> &loops, size_t depth);

class BufferUses {
public:
    // Of a statement that outlives this.
    explicit BufferUses(const LoweredStatement &statement);

    // In the order of LoweredStatement::accesses.
    size_t buffers() const { return accesses_.size(); }
    BufferUse of(size_t buffer) const;
    // Bytes of one buffer that the innermost `depth` loops touch, each once.
    double unique_bytes(size_t buffer, size_t depth) const;
    // Whether a loop's passes store to different places; the others are reductions.
    bool is_spatial(size_t loop) const;

private:
    std::vector<double> steps_of(const LoweredAccess &access) const;
    double stride_of(size_t buffer) const;

    const LoweredStatement &statement_;
    std::vector<const LoweredAccess *> accesses_;
    std::vector<std::vector<double>> steps_;  // by buffer, by loop
    std::vector<double> distinct_;            // by buffer
};

}  // namespace emulsion
