// Copies between buffers of any rank and layout, as few and as large ones as the layouts allow.
#pragma once

#include <HalideRuntime.h>

#include "runtime/gpu/driver.h"

namespace emulsion::runtime::gpu {

// Pieces of consecutive bytes, at the same places of nested loops in both buffers.
struct CopyPlan {
    static constexpr int kMaxRank = 16;
    struct Loop {
        int64_t extent;
        int64_t from_stride;  // bytes
        int64_t to_stride;
    };
    int64_t from_offset;  // bytes from the buffers' first elements to those of the copy
    int64_t to_offset;
    size_t piece;  // bytes; 0: nothing to copy
    int rank;
    Loop loops[kMaxRank];  // innermost first
};

// Of the elements that both buffers have, by their coordinates. Bytes between them are left alone.
// Ranks and the elements' sizes must agree.
int plan_copy(const halide_buffer_t &from, const halide_buffer_t &to, CopyPlan *plan, Message *why);

// Who copies, between what and in which order with other work.
struct CopyWay {
    const Driver &driver;
    Direction direction;
    Stream stream;
};

// `from` and `to` are the addresses of the buffers' first elements, on the host or the device.
bool copy(const CopyPlan &plan, const CopyWay &way, uint64_t from, uint64_t to, Message *why);

}  // namespace emulsion::runtime::gpu
