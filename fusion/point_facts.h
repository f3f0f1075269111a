// What is known of a problem, and of the points of its space, before anything is measured: named numbers, which models
// learn from. Names are the same for the same thing in all problems.
#pragma once

#include <string>
#include <vector>

#include "fusion/nest.h"

namespace emulsion {

struct Fact {
    std::string name;
    double value = 0.0;
    bool operator==(const Fact &) const = default;
};

class PointFacts {
public:
    PointFacts() = default;
    PointFacts(const PointFacts &) = delete;
    PointFacts &operator=(const PointFacts &) = delete;
    virtual ~PointFacts() = default;

    // Of the problem, whatever the point.
    virtual const std::vector<Fact> &of_problem() const = 0;
    // What of() says, in its order.
    virtual const std::vector<std::string> &names() const = 0;
    // Of a valid point; NaN where nothing is known.
    virtual std::vector<double> of(const Nest &nest) const = 0;
};

}  // namespace emulsion
