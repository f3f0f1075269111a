// The points of a task's space that are searched: a grid of chosen values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "tuner/points.h"
#include "tuner/task.h"

namespace emulsion {

// The values of a domain that a search tries: all where there are few; else its ends, powers of two and three
// quarters of them, and those that are `known`. All of them are inside. Ascending.
std::vector<int64_t> tried_values(const NestDomain &domain, const std::set<int64_t> &known);

// The value that the nest has for a parameter; Grid::kAbsent where it lacks it.
int64_t value_of(const Nest &nest, const NestParameter &parameter);
// Has the nest have it, or, for Grid::kAbsent, lack it.
void set_value(Nest &nest, const NestParameter &parameter, int64_t value);

// Of every parameter the values that the task says (TuningTask::tried), or else the tried ones, where those of the planned
// and of the suggested nests are known.
class Grid {
public:
    // Of a task that outlives it.
    explicit Grid(const TuningTask &task);

    const TuningTask &task() const { return task_; }
    // By parameter; kAbsent, first, where a nest may lack it.
    const std::vector<std::vector<int64_t>> &values() const { return values_; }
    static const int64_t kAbsent;

    // Combinations of values, valid or not; at most 2^62.
    int64_t size() const;
    // Whether the nest, a valid one, has values of the grid only.
    bool has(const Nest &nest) const;
    // Valid points that differ from `nest` in one parameter, by one step; and in two, of which one grows and the other
    // shrinks by a step. In the order of the parameters.
    std::vector<Nest> neighbours(const Nest &nest) const;
    std::vector<Nest> exchanges(const Nest &nest) const;
    // A valid point that is not among those known, drawn at random, and known from now on; none where many draws in a
    // row have found no other.
    std::optional<Nest> random_point(std::mt19937_64 &engine, KnownPoints &known) const;

private:
    // The values before and behind that of `nest`.
    std::vector<int64_t> steps(size_t parameter, const Nest &nest) const;

    const TuningTask &task_;
    std::vector<std::vector<int64_t>> values_;
};

// Walks over the valid points of a grid, those that differ in the last parameter one after the other.
class GridWalk {
public:
    // Of a grid that outlives it.
    explicit GridWalk(const Grid &grid);

    // The next points, at most so many; none where the walk has ended. Where the values so far break a constraint, all
    // that begins with them is left out at once; where that happens a million times in a row, the walk ends.
    std::vector<Nest> next(size_t most);

private:
    // To the next combination with another value of this parameter, or of one before it.
    bool advance(size_t parameter);
    // The parameter with which `nest` breaks a constraint whose others come before it: the first such one. None where
    // the nest is a point.
    std::optional<size_t> broken_at(const Nest &nest) const;
    Nest here() const;

    const Grid &grid_;
    std::vector<size_t> decided_at_;  // by constraint: the last of its parameters
    std::vector<size_t> at_;
    bool ended_ = false;
};

// The task where only what suggested nests change may have other values than planned, and no more of them, the nearest to
// the planned ones, than make `most` valid points of the grid: a space small enough to measure all of it.
TuningTask narrowed(TuningTask task, size_t most);

}  // namespace emulsion
