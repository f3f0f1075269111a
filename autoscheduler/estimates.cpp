#include "autoscheduler/estimates.h"

#include <algorithm>

#include "fusion/error.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Func;

// Of an axis that neither an input nor the output has a number for.
constexpr int64_t kUnknownExtent = 64;

class EstimateMutator : public IRMutator {
public:
    explicit EstimateMutator(const std::vector<int64_t> &extents) : extents_(extents) {}

private:
    using IRMutator::visit;

    Expr visit(const Variable *v) override {
        if (!v->param.defined()) {
            return v;
        }
        return v->param.is_buffer() ? of_buffer(v) : of_scalar(v);
    }

    static Expr of_scalar(const Variable *v) {
        const Halide::Parameter &p = v->param;
        if (p.estimate().defined()) {
            return cast(v->type, p.estimate());
        }
        Expr guess =
            p.default_value().defined() ? cast(v->type, p.default_value()) : make_const(v->type, 1);
        if (p.min_value().defined()) {
            guess = max(guess, cast(v->type, p.min_value()));
        }
        if (p.max_value().defined()) {
            guess = min(guess, cast(v->type, p.max_value()));
        }
        return guess;
    }

    // Its name ends in .min.D, .extent.D or .stride.D.
    Expr of_buffer(const Variable *v) const {
        const std::vector<std::string> parts = split_string(v->name, ".");
        if (parts.size() < 3) {
            return v;
        }
        const std::string &what = parts[parts.size() - 2];
        const std::string &digits = parts.back();
        if (digits.empty() || !std::all_of(digits.begin(), digits.end(),
                                           [](char c) { return c >= '0' && c <= '9'; })) {
            return v;
        }
        const int dim = std::stoi(digits);
        if (dim >= v->param.dimensions()) {
            return v;
        }
        if (what == "min") {
            return first_defined(
                {v->param.min_constraint(dim), v->param.min_constraint_estimate(dim), Expr(0)});
        }
        if (what == "extent") {
            return extent(v->param, dim);
        }
        return what == "stride" ? stride(v->param, dim) : Expr(v);
    }

    static Expr first_defined(const std::vector<Expr> &choices) {
        return *std::find_if(choices.begin(), choices.end(),
                             [](const Expr &e) { return e.defined(); });
    }

    Expr extent(const Halide::Parameter &p, int dim) const {
        const auto axis = static_cast<size_t>(dim);
        const int64_t guess = axis < extents_.size() ? extents_[axis] : kUnknownExtent;
        return first_defined({p.extent_constraint(dim), p.extent_constraint_estimate(dim),
                              Expr(static_cast<int>(guess))});
    }

    Expr stride(const Halide::Parameter &p, int dim) const {
        if (p.stride_constraint(dim).defined()) {
            return p.stride_constraint(dim);
        }
        Expr dense = 1;
        for (int inner = 0; inner < dim; inner++) {
            dense = dense * extent(p, inner);
        }
        return dense;
    }

    const std::vector<int64_t> &extents_;
};

}  // namespace

AxisSize size_of_axis(const Function &output, int axis) {
    AxisSize size;
    const auto take = [&](const std::vector<Bound> &bounds) {
        for (const Bound &b : bounds) {
            if (b.var == output.args()[static_cast<size_t>(axis)] && b.extent.defined()) {
                size = {b.min, b.extent};
            }
        }
    };
    take(output.schedule().bounds());
    take(output.schedule().estimates());
    if (!size.extent.defined() && !output.output_buffers().empty()) {
        const auto &buffer = output.output_buffers().front();
        size.min = buffer.min_constraint(axis).defined() ? buffer.min_constraint(axis)
                                                         : buffer.min_constraint_estimate(axis);
        size.extent = buffer.extent_constraint(axis).defined()
                          ? buffer.extent_constraint(axis)
                          : buffer.extent_constraint_estimate(axis);
    }
    return size;
}

Estimates::Estimates(const std::vector<Func> &outputs) {
    for (const Func &output : outputs) {
        const Box box = box_of(output.function());
        for (const Interval &i : box.bounds) {
            const int64_t extent = *constant(i.max) - *constant(i.min) + 1;
            longest_ = std::max(longest_, extent);
            if (outputs_.empty()) {
                extents_.push_back(extent);
            }
        }
        outputs_[output.name()] = box;
    }
}

Expr Estimates::substituted(const Expr &e) const {
    // Twice: a constraint of a buffer may be in terms of another one.
    const Expr once = EstimateMutator(extents_).mutate(e);
    return simplify(EstimateMutator(extents_).mutate(once));
}

std::optional<int64_t> Estimates::constant(const Expr &e) const {
    return e.defined() ? as_const_int(substituted(e)) : std::nullopt;
}

Box Estimates::box_of(const Function &output) const {
    Box box;
    for (size_t i = 0; i < output.args().size(); i++) {
        const int dim = static_cast<int>(i);
        const auto [min, extent] = size_of_axis(output, dim);
        const auto size = constant(extent);
        if (!size) {
            throw Error("output '" + output.name() + "' has no estimate for its dimension " +
                        std::to_string(dim) + "; call set_estimates on it");
        }
        const auto first = static_cast<int>(constant(min).value_or(0));
        box.push_back(Interval(first, first + static_cast<int>(*size) - 1));
    }
    return box;
}

}  // namespace emulsion
