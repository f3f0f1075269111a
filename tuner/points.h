// Points of a loop nest's space: their names, and sets of them.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "fusion/nest.h"
#include "tuner/outcome.h"

namespace emulsion {

// Canonical text of a point: equal nests, and no others, have the same. And back; throws Error.
std::string point_text(const Nest &nest);
Nest point_from(const std::string &text);

// Points that were proposed or measured before.
class KnownPoints {
public:
    // Whether it is a new one.
    bool add(const Nest &nest) { return points_.insert(point_text(nest)).second; }
    void add(const std::vector<Result> &results) {
        for (const Result &result : results) {
            add(result.nest);
        }
    }
    bool has(const Nest &nest) const { return points_.count(point_text(nest)) != 0; }
    size_t size() const { return points_.size(); }

private:
    std::set<std::string> points_;
};

}  // namespace emulsion
