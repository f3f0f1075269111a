// The fastest point of a task, of all that was measured of it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fusion/nest.h"
#include "tuner/outcome.h"

namespace emulsion {

// A point that was measured several times counts with the median of these, of two in the middle with the slower one: the
// fastest of many was lucky as well, which shows when it is measured again.
class BestPoint {
public:
    // Where no point is faster, that is the planned nest.
    explicit BestPoint(const Nest &planned) : planned_(planned), best_{planned, 1.0} {}

    // Of the task; failures are left out.
    void add(const std::vector<Result> &results);

    const Nest &nest() const { return best_.first; }
    // Its time over that of the planned nest: 1 where it is that.
    double ratio() const { return best_.second; }
    // The fastest ones, at most so many, with a ratio below `below`.
    std::vector<Nest> fastest(size_t most, double below) const;

private:
    struct Point {
        Nest nest;
        std::vector<double> ratios;  // ascending
        double ratio = 1.0;
    };

    Nest planned_;
    std::map<std::string, Point> points_;  // by point_text
    std::pair<Nest, double> best_;
};

}  // namespace emulsion
