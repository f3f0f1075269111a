// Points of a loop nest's space: their names, the grid of them, and which of them are neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fusion/nest_space.h"
#include "tuner/outcome.h"
#include "tuner/task.h"

namespace emulsion {

// Canonical text of a point: equal nests, and no others, have the same. And back; throws Error.
std::string point_text(const Nest &nest);
Nest point_from(const std::string &text);

// The values of a domain that a search tries: all where there are few; else its ends, powers of two and three
// quarters of them, and `known`, where that is inside. Ascending.
std::vector<int64_t> tried_values(const NestDomain &domain, int64_t known);

// Of how many combinations of tried values the grid consists, valid or not; at most 2^62.
int64_t grid_size(const NestSpace &space, const Nest &planned);

// Walks over the valid points of the grid, those that differ in the last parameter one after the other.
class GridWalk {
public:
    GridWalk(const NestSpace &space, const Nest &planned);

    // The next points, at most so many; none where the walk has ended. Looks at no more than a bounded number of
    // invalid combinations in a row: a space in which a million of them follow each other ends the walk.
    std::vector<Nest> next(size_t most);

private:
    bool advance();
    Nest here() const;

    const NestSpace &space_;
    std::vector<std::vector<int64_t>> values_;  // by parameter; kAbsent: the nest lacks it
    std::vector<size_t> at_;
    bool ended_ = false;
};

// Valid points that differ from `nest` in one parameter, by one step of its tried values, or in two of which one grows
// and the other shrinks by a step. In the order of the parameters.
std::vector<Nest> neighbours(const NestSpace &space, const Nest &planned, const Nest &nest);

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

// A point of the task's space that is not among those known, drawn at random, and known from now on; none where many
// draws in a row have found no other.
std::optional<Nest> new_random_point(const TuningTask &task, std::mt19937_64 &engine,
                                     KnownPoints &known);

}  // namespace emulsion
