// Memory for tensors that live for a part of a run only: those that are never alive at the same time
// may share it.
#pragma once

#include <cstdint>
#include <vector>

namespace emulsion {

// Alignment of every offset in the arena and in the weights file: a cache line, and the widest vector.
constexpr int64_t kStorageAlignment = 64;

int64_t align_storage(int64_t bytes);

struct ArenaRequest {
    int64_t bytes = 0;
    int first = 0, last = 0;  // launches from first to last use it
};

struct ArenaPlan {
    std::vector<int64_t> offsets;  // of each request
    int64_t bytes = 0;
};

// Greedy by size (Pisarchyk and Lee 2020, "Efficient memory management for deep neural net
// inference", section 5.2): the largest request first, each into the smallest gap that holds it among
// those already placed that live at the same time. Other orders are tried too; the least total wins.
ArenaPlan plan_arena(const std::vector<ArenaRequest> &requests);

}  // namespace emulsion
