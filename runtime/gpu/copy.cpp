#include "runtime/gpu/copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace emulsion::runtime::gpu {

namespace {

using Loop = CopyPlan::Loop;

// Drivers take a pitch up to this (hipDeviceProp_t::memPitch); larger ones are loops here.
constexpr int64_t kMaxPitch = INT32_MAX;

// By the stride in the destination, where consecutive bytes matter most. A stride of 0 goes outside: the
// last of the elements that share a place is the one to stay.
bool goes_inside(const Loop &a, const Loop &b) {
    const int64_t stride_a = std::abs(a.to_stride);
    const int64_t stride_b = std::abs(b.to_stride);
    return stride_b == 0 ? stride_a != 0 : stride_a != 0 && stride_a < stride_b;
}

void insert(CopyPlan *plan, const Loop &loop) {
    int at = plan->rank++;
    for (; at > 0 && goes_inside(loop, plan->loops[at - 1]); at--) {
        plan->loops[at] = plan->loops[at - 1];
    }
    plan->loops[at] = loop;
}

// Joins what is contiguous: loops into the piece, then loops into the next inner one.
void collapse(CopyPlan *plan) {
    int rank = 0;
    for (int i = 0; i < plan->rank; i++) {
        const Loop &loop = plan->loops[i];
        const auto piece = static_cast<int64_t>(plan->piece);
        if (rank == 0 && loop.from_stride == piece && loop.to_stride == piece) {
            plan->piece *= static_cast<size_t>(loop.extent);
            continue;
        }
        if (rank > 0) {
            Loop &inner = plan->loops[rank - 1];
            if (loop.from_stride == inner.from_stride * inner.extent &&
                loop.to_stride == inner.to_stride * inner.extent) {
                inner.extent *= loop.extent;
                continue;
            }
        }
        plan->loops[rank++] = loop;
    }
    plan->rank = rank;
}

bool is_pitch(int64_t stride, size_t width) {
    return stride >= static_cast<int64_t>(width) && stride <= kMaxPitch;
}

// The loop that a call for many rows takes over: the longest of those that it can; -1 if there is none.
int row_loop(const CopyPlan &plan) {
    int best = -1;
    for (int i = 0; i < plan.rank; i++) {
        const Loop &loop = plan.loops[i];
        if (is_pitch(loop.from_stride, plan.piece) && is_pitch(loop.to_stride, plan.piece) &&
            (best < 0 || loop.extent > plan.loops[best].extent)) {
            best = i;
        }
    }
    return best;
}

bool copy_piece(const CopyPlan &plan, const CopyWay &way, int rows, uint64_t from, uint64_t to,
                Message *why) {
    // NOLINTBEGIN(performance-no-int-to-ptr)
    auto *target = reinterpret_cast<void *>(to);
    const auto *source = reinterpret_cast<const void *>(from);
    // NOLINTEND(performance-no-int-to-ptr)
    if (way.direction == Direction::kHostToHost) {
        if (target != source) {
            std::memmove(target, source, plan.piece);
        }
        return true;
    }
    if (rows < 0) {
        return way.driver.copy(target, source, plan.piece, way.direction, way.stream, why);
    }
    const Loop &loop = plan.loops[rows];
    const Rows all{target,     static_cast<size_t>(loop.to_stride),
                   source,     static_cast<size_t>(loop.from_stride),
                   plan.piece, static_cast<size_t>(loop.extent)};
    return way.driver.copy_rows(all, way.direction, way.stream, why);
}

}  // namespace

int plan_copy(const halide_buffer_t &from, const halide_buffer_t &to, CopyPlan *plan,
              Message *why) {
    if (from.dimensions != to.dimensions || to.dimensions > CopyPlan::kMaxRank) {
        why->set("a buffer of %d dimensions can't be copied to one of %d; both must have the same "
                 "number, up to %d",
                 from.dimensions, to.dimensions, CopyPlan::kMaxRank);
        return halide_error_code_bad_dimensions;
    }
    if (from.type.bytes() != to.type.bytes()) {
        why->set("a buffer with elements of %d bytes can't be copied to one with elements of %d",
                 from.type.bytes(), to.type.bytes());
        return halide_error_code_device_buffer_copy_failed;
    }
    *plan = {};
    plan->piece = static_cast<size_t>(to.type.bytes());
    const auto bytes = static_cast<int64_t>(plan->piece);
    for (int i = 0; i < to.dimensions; i++) {
        const halide_dimension_t &f = from.dim[i];
        const halide_dimension_t &t = to.dim[i];
        const int64_t begin = std::max(f.min, t.min);
        const int64_t end = std::min(int64_t{f.min} + f.extent, int64_t{t.min} + t.extent);
        if (end <= begin) {
            plan->piece = 0;
            return 0;
        }
        const Loop loop = {end - begin, bytes * f.stride, bytes * t.stride};
        plan->from_offset += (begin - f.min) * loop.from_stride;
        plan->to_offset += (begin - t.min) * loop.to_stride;
        if (loop.extent > 1 && (loop.from_stride != 0 || loop.to_stride != 0)) {
            insert(plan, loop);
        }
    }
    collapse(plan);
    return 0;
}

bool copy(const CopyPlan &plan, const CopyWay &way, uint64_t from, uint64_t to, Message *why) {
    if (plan.piece == 0) {
        return true;
    }
    const bool on_host = way.direction == Direction::kHostToHost;
    const int rows = way.driver.copy_rows == nullptr || on_host ? -1 : row_loop(plan);
    from += static_cast<uint64_t>(plan.from_offset);
    to += static_cast<uint64_t>(plan.to_offset);
    int64_t position[CopyPlan::kMaxRank] = {};
    for (;;) {
        if (!copy_piece(plan, way, rows, from, to, why)) {
            return false;
        }
        int i = 0;
        for (; i < plan.rank; i++) {
            if (i == rows) {
                continue;
            }
            const Loop &loop = plan.loops[i];
            from += static_cast<uint64_t>(loop.from_stride);
            to += static_cast<uint64_t>(loop.to_stride);
            if (++position[i] < loop.extent) {
                break;
            }
            from -= static_cast<uint64_t>(loop.from_stride * loop.extent);
            to -= static_cast<uint64_t>(loop.to_stride * loop.extent);
            position[i] = 0;
        }
        if (i == plan.rank) {
            return true;
        }
    }
}

}  // namespace emulsion::runtime::gpu
