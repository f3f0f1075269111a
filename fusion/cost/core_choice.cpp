#include "fusion/cost/core_choice.h"

#include <algorithm>
#include <limits>

namespace emulsion {

namespace {

class Search {
public:
    explicit Search(const std::vector<Region> &regions) : regions_(regions) {}

    CoreChoice best() {
        best_.cycles = std::numeric_limits<double>::infinity();
        go_on(0, {}, 0.0);
        Work even;
        for (const Region &region : regions_) {
            even = even + region.even;
        }
        best_.busy_cycles = even.cycles();
        return std::move(best_);
    }

private:
    // Tries the regions from `next` on with all cores and, where the nest can, with one; `work` and `starts`
    // are those of the regions before.
    void go_on(size_t next, const Work &work, double starts) {
        if (next == regions_.size()) {
            if (const double cycles = work.cycles() + starts; cycles < best_.cycles) {
                best_.cycles = cycles;
                best_.serial = serial_;
            }
            return;
        }
        const Region &region = regions_[next];
        // What one core takes longer shows whole at most, and at least the share that never hides, whatever the other
        // regions do: most regions need no try of both.
        const double more_arithmetic = region.on_one.arithmetic - region.on_all.arithmetic;
        const double more_traffic = region.on_one.traffic - region.on_all.traffic;
        const bool wins =
            std::max(more_arithmetic, 0.0) + std::max(more_traffic, 0.0) < region.start_cycles;
        const bool loses = std::min(more_arithmetic, more_traffic) >= 0.0 &&
                           kVisibleShare * (more_arithmetic + more_traffic) >= region.start_cycles;
        if (!region.may_be_serial || !wins) {
            go_on(next + 1, work + region.on_all, starts + region.start_cycles);
        }
        if (region.may_be_serial && !loses) {
            serial_.push_back(region.member);
            go_on(next + 1, work + region.on_one, starts);
            serial_.pop_back();
        }
    }

    const std::vector<Region> &regions_;
    std::vector<int> serial_;
    CoreChoice best_;
};

}  // namespace

CoreChoice choose_cores(const std::vector<Region> &regions) { return Search(regions).best(); }

}  // namespace emulsion
