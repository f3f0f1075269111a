// Which regions of a group run on all cores, and what the group takes then.
#pragma once

#include <vector>

#include "fusion/cost/overlap.h"

namespace emulsion {

// Cycles of work that overlaps.
struct Work {
    double arithmetic = 0.0, traffic = 0.0;

    double cycles() const { return overlapped(arithmetic, traffic); }
    Work operator+(const Work &other) const {
        return {arithmetic + other.arithmetic, traffic + other.traffic};
    }
};

// What the result of `member` takes, or that of the group with all its panels.
struct Region {
    int member = -1;
    bool may_be_serial = false;
    Work on_all, on_one;        // of the busiest core
    Work even;                  // of every core, where all have as much to do
    double start_cycles = 0.0;  // of all cores
};

struct CoreChoice {
    double cycles = 0.0;  // of the busiest core
    double busy_cycles =
        0.0;  // ... where every region's work is dealt out evenly to all, and none starts
    std::vector<int> serial;  // members whose regions run on one core
};

// The cheapest choice of those that regions may have.
CoreChoice choose_cores(const std::vector<Region> &regions);

}  // namespace emulsion
