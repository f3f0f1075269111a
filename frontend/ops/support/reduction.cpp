#include "frontend/ops/support/reduction.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace emulsion {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::vector<Expr> reduction_axes(const std::vector<int64_t> &extents) {
    Halide::Region region;
    std::vector<int> position(extents.size(), -1);  // in the region
    const bool all_ones =
        std::all_of(extents.begin(), extents.end(), [](int64_t extent) { return extent == 1; });
    for (size_t i = 0; i < extents.size(); i++) {
        if (extents[i] != 1 || (all_ones && i == 0)) {
            position[i] = static_cast<int>(region.size());
            region.emplace_back(0, static_cast<int>(extents[i]));
        }
    }
    // A name given here is used as it is, where Halide's own would depend on a counter.
    const Halide::RDom domain(region, "r");
    std::vector<Expr> result;
    for (const int p : position) {
        result.push_back(p < 0 ? Expr(0) : Expr(domain[p]));
    }
    return result;
}

std::vector<Expr> row_major_reduction(std::vector<int64_t> extents) {
    std::reverse(extents.begin(), extents.end());
    std::vector<Expr> result = reduction_axes(extents);
    std::reverse(result.begin(), result.end());
    return result;
}

Func sum_over(OperatorContext &context, const std::string &part, const std::vector<Var> &kept,
              const Expr &element) {
    Func sum = context.func(part);
    sum(kept) = Halide::Internal::make_zero(element.type());
    sum(kept) += element;
    return sum;
}

Func max_over(OperatorContext &context, const std::string &part, const std::vector<Var> &kept,
              const Expr &element) {
    Func largest = context.func(part);
    largest(kept) = element.type().min();
    largest(kept) = Halide::max(largest(kept), element);
    return largest;
}

ReducedAxes::ReducedAxes(std::vector<int64_t> shape, const std::vector<int> &axes)
    : shape_(std::move(shape)), axes_(axes), reduced_(shape_.size(), false) {
    std::sort(axes_.begin(), axes_.end());
    for (const int axis : axes_) {
        reduced_.at(static_cast<size_t>(axis)) = true;
    }
}

std::vector<int64_t> ReducedAxes::extents() const {
    std::vector<int64_t> result;
    for (const int axis : axes_) {
        result.push_back(shape_[static_cast<size_t>(axis)]);
    }
    return result;
}

int64_t ReducedAxes::count() const {
    const std::vector<int64_t> all = extents();
    return std::accumulate(all.begin(), all.end(), int64_t{1}, std::multiplies<>());
}

std::vector<int64_t> ReducedAxes::result_shape(bool keep) const {
    std::vector<int64_t> result;
    for (size_t axis = 0; axis < shape_.size(); axis++) {
        if (!reduced_[axis]) {
            result.push_back(shape_[axis]);
        } else if (keep) {
            result.push_back(1);
        }
    }
    return result;
}

std::vector<Expr> ReducedAxes::coordinates(const std::vector<Expr> &kept,
                                           const std::vector<Expr> &along) const {
    std::vector<Expr> result;
    size_t next_kept = 0;
    size_t next_reduced = 0;
    for (size_t axis = 0; axis < shape_.size(); axis++) {
        result.push_back(reduced_[axis] ? along.at(next_reduced++) : kept.at(next_kept++));
    }
    return result;
}

std::vector<Expr> ReducedAxes::coordinates(const std::vector<Expr> &kept) const {
    return coordinates(kept, row_major_reduction(extents()));
}

std::vector<int> axes_from(int first, int rank) {
    std::vector<int> result;
    for (int axis = first; axis < rank; axis++) {
        result.push_back(axis);
    }
    return result;
}

}  // namespace emulsion
