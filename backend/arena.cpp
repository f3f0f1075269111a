#include "backend/arena.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

namespace emulsion {

namespace {

bool overlap(const ArenaRequest &a, const ArenaRequest &b) {
    return a.first <= b.last && b.first <= a.last;
}

// Offset of the smallest gap between `taken` (begin, end; sorted by begin) that holds `bytes`.
int64_t best_gap(const std::vector<std::pair<int64_t, int64_t>> &taken, int64_t bytes) {
    int64_t best = -1;
    int64_t best_size = std::numeric_limits<int64_t>::max();
    int64_t end = 0;
    for (const auto &[from, to] : taken) {
        const int64_t gap = from - end;
        if (gap >= bytes && gap < best_size) {
            best = end;
            best_size = gap;
        }
        end = std::max(end, to);
    }
    return best >= 0 ? best : end;
}

ArenaPlan place_in_order(const std::vector<ArenaRequest> &requests,
                         const std::vector<size_t> &order) {
    ArenaPlan plan;
    plan.offsets.assign(requests.size(), 0);
    std::vector<size_t> placed;
    for (size_t i : order) {
        const int64_t bytes = align_storage(requests[i].bytes);
        std::vector<std::pair<int64_t, int64_t>> taken;
        for (size_t other : placed) {
            if (overlap(requests[i], requests[other])) {
                taken.emplace_back(plan.offsets[other],
                                   plan.offsets[other] + align_storage(requests[other].bytes));
            }
        }
        std::sort(taken.begin(), taken.end());
        plan.offsets[i] = best_gap(taken, bytes);
        plan.bytes = std::max(plan.bytes, plan.offsets[i] + bytes);
        placed.push_back(i);
    }
    return plan;
}

}  // namespace

int64_t align_storage(int64_t bytes) {
    return (bytes + kStorageAlignment - 1) / kStorageAlignment * kStorageAlignment;
}

ArenaPlan plan_arena(const std::vector<ArenaRequest> &requests) {
    using Key = std::tuple<int64_t, int64_t>;
    const std::array<std::function<Key(const ArenaRequest &)>, 3> orders = {
        [](const ArenaRequest &r) {
            return Key{-r.bytes, r.first};
        },
        [](const ArenaRequest &r) {
            return Key{r.first, -r.bytes};
        },
        [](const ArenaRequest &r) {
            return Key{int64_t{r.first} - r.last, -r.bytes};
        },
    };
    ArenaPlan best;
    bool first = true;
    for (const auto &key : orders) {
        std::vector<size_t> order(requests.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return key(requests[a]) < key(requests[b]); });
        ArenaPlan plan = place_in_order(requests, order);
        if (first || plan.bytes < best.bytes) {
            best = std::move(plan);
            first = false;
        }
    }
    return best;
}

}  // namespace emulsion
