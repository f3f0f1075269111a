// Reductions: the domain, sums over it, and the axes of operand 0 that are reduced.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/ops/operator.h"

namespace emulsion {

// One coordinate per axis of a reduction, in the order of `extents`: the first is the innermost loop.
// All belong to one RDom. Axes of extent 1 are left out of it (their coordinate is 0), unless nothing
// would remain: an update needs an RVar.
std::vector<Halide::Expr> reduction_axes(const std::vector<int64_t> &extents);
// The same for extents whose last is the innermost loop, as in a tensor's shape.
std::vector<Halide::Expr> row_major_reduction(std::vector<int64_t> extents);

// Func `part`: the sum of `element`, in its type, one for every value of `kept`. `element` contains
// the variables of a reduction.
Halide::Func sum_over(OperatorContext &context, const std::string &part,
                      const std::vector<Halide::Var> &kept, const Halide::Expr &element);
// Func `part`: the largest `element`, likewise.
Halide::Func max_over(OperatorContext &context, const std::string &part,
                      const std::vector<Halide::Var> &kept, const Halide::Expr &element);

// Operand 0 of a node that reduces some of its axes.
class ReducedAxes {
public:
    // `axes` are distinct and in 0 .. rank-1; there may be none.
    ReducedAxes(std::vector<int64_t> shape, const std::vector<int> &axes);

    bool none() const { return axes_.empty(); }
    // Extents of the reduced axes, and their product: how many elements become one.
    std::vector<int64_t> extents() const;
    int64_t count() const;
    // The shape with reduced axes left out, or of extent 1 if `keep`.
    std::vector<int64_t> result_shape(bool keep) const;
    // One of `v`, a value per axis, for every axis that is not reduced.
    template<typename T>
    std::vector<T> kept(const std::vector<T> &v) const {
        std::vector<T> result;
        for (size_t axis = 0; axis < v.size(); axis++) {
            if (!reduced_[axis]) {
                result.push_back(v[axis]);
            }
        }
        return result;
    }
    // Coordinates of the operand: `kept` on the axes that stay, `along` on the reduced ones.
    std::vector<Halide::Expr> coordinates(const std::vector<Halide::Expr> &kept,
                                          const std::vector<Halide::Expr> &along) const;
    // The same with new reduction variables, the last axis the innermost. There must be such axes.
    std::vector<Halide::Expr> coordinates(const std::vector<Halide::Expr> &kept) const;

private:
    std::vector<int64_t> shape_;
    std::vector<int> axes_;      // rising
    std::vector<bool> reduced_;  // per axis
};

// All axes from `first` on.
std::vector<int> axes_from(int first, int rank);

}  // namespace emulsion
