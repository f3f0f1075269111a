#include "fusion/cost/panel_tile.h"

#include <algorithm>
#include <bit>

#include "fusion/ceil_div.h"
#include "fusion/gpu.h"

namespace emulsion {

namespace {

// What reading a weight takes over one multiply-add: lanes share four times fewer bytes of their first-level cache
// per cycle than multiply-adds need.
constexpr int64_t kReadCost = 4;
// Of a sum: how many parts it is cut into, and how few steps these may have.
constexpr int64_t kMostParts = 32;
constexpr int64_t kShortestPart = 8;

}  // namespace

int64_t panel_vector(int64_t columns, int64_t threads) {
    int64_t vector = kGpuVector;
    while (vector > 1 && (columns % vector != 0 || columns / vector < threads)) {
        vector /= 2;
    }
    return vector;
}

int64_t panel_rows(int64_t least, int64_t most, int64_t threads) {
    const auto cost = [&](int64_t rows) {
        return ceil_div(ceil_div(most, rows), threads) * (rows + kReadCost);
    };
    int64_t best = 1;
    for (int64_t rows = 2; rows <= std::min(least, kMostPanelRows); rows++) {
        if (cost(rows) < cost(best)) {
            best = rows;
        }
    }
    return best;
}

int64_t panel_parts(int64_t elements, int64_t threads, int64_t steps) {
    const int64_t most =
        std::min({threads / std::max<int64_t>(elements, 1), steps / kShortestPart, kMostParts});
    return most < 2 ? 1 : static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(most)));
}

std::vector<int> thread_axes(int column_axis, size_t rank) {
    std::vector<int> axes;
    const int count = static_cast<int>(rank);
    if (column_axis >= 0 && column_axis < count) {
        axes.push_back(column_axis);
    }
    for (int axis = count; axis-- > 0;) {
        if (axis != column_axis) {
            axes.push_back(axis);
        }
    }
    return axes;
}

}  // namespace emulsion
