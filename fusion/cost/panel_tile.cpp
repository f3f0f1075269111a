#include "fusion/cost/panel_tile.h"

#include <algorithm>

#include "fusion/ceil_div.h"
#include "fusion/gpu.h"

namespace emulsion {

namespace {

// What reading a weight takes over one multiply-add: lanes share four times fewer bytes of their first-level cache
// per cycle than multiply-adds need.
constexpr int64_t kReadCost = 4;

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

}  // namespace emulsion
