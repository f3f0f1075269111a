// A problem with an implementation that no operator of the product has.
#pragma once

#include <string>
#include <vector>

#include "fusion/problem.h"

namespace emulsion::test {

// A convolution, what follows it, and a toy implementation of both that exists here only: three operators for the
// first, of which the outer ones change the shape of a value and nothing else, and for the second as well.
class ToyProblem {
public:
    // The toy does so many times the work of the default.
    explicit ToyProblem(double operations);

    std::vector<std::string> names(const Decisions &decisions) const;

    Problem problem;

private:
    int value(const std::string &name, std::vector<int64_t> extents);
    PlannerOperator made(const std::string &name, MappingType type, int from, int to) const;
    void add_toy(size_t op, int from, int to, const std::string &name, double operations);
};

}  // namespace emulsion::test
