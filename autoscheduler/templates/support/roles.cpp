#include "autoscheduler/templates/support/roles.h"

#include <algorithm>
#include <numeric>

#include "autoscheduler/reach.h"
#include "autoscheduler/templates/support/live_steps.h"

namespace emulsion {

namespace {

// By what a variable is divided before it says where something is read.
class DivisorOf : public Halide::Internal::IRVisitor {
public:
    explicit DivisorOf(const std::string &variable) : variable_(variable) {}
    int64_t divisor() const { return divisor_; }

private:
    using IRVisitor::visit;
    void visit(const Halide::Internal::Div *op) override {
        const auto *dividend = op->a.as<Halide::Internal::Variable>();
        const auto divisor = Halide::Internal::as_const_int(op->b);
        if (dividend != nullptr && dividend->name == variable_ && divisor) {
            divisor_ = std::gcd(divisor_, *divisor);
        } else {
            IRVisitor::visit(op);
        }
    }

    const std::string &variable_;
    int64_t divisor_ = 0;
};

int64_t columns_of_group(const ReductionRoles &roles) {
    DivisorOf found(roles.reduction->args[static_cast<size_t>(roles.column_axis)]);
    for (const TensorAccess &access : roles.reduction->accesses) {
        if (access.callee == roles.data) {
            for (const Halide::Expr &index : access.args) {
                index.accept(&found);
            }
        }
    }
    return found.divisor();
}

// Elements of `tensor` from one element of the result along `axis` to the next; 0 where that isn't known.
int64_t stride_along(const FuncFacts &reduction, const std::string &tensor, int axis) {
    const std::string &variable = reduction.args[static_cast<size_t>(axis)];
    int64_t stride = 0;
    for (const TensorAccess &access : reduction.accesses) {
        if (access.callee == tensor) {
            for (const Halide::Expr &index : access.args) {
                stride = std::max(stride, coefficient(index, variable).value_or(0));
            }
        }
    }
    return stride;
}

// Whether windows over `tensor` that are one step apart along `axis` have elements in common.
bool overlap_along(const FuncFacts &reduction, const std::string &tensor, int axis) {
    const std::string &variable = reduction.args[static_cast<size_t>(axis)];
    for (const TensorAccess &access : reduction.accesses) {
        for (const Halide::Expr &index : access.args) {
            if (access.callee != tensor || !Halide::Internal::expr_uses_var(index, variable)) {
                continue;
            }
            for (const ReductionLoop &loop : reduction.reduction) {
                if (Halide::Internal::expr_uses_var(index, loop.name) &&
                    coefficient(index, variable).value_or(0) < loop.extent) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Axes of `from` in the subject's natural order, outermost first.
std::vector<int> in_natural_order(const NestSubject &subject, const std::set<int> &from) {
    std::vector<int> ordered;
    for (int axis : subject.natural_order) {
        if (from.count(axis) != 0) {
            ordered.push_back(axis);
        }
    }
    return ordered;
}

// Axes of the reduction Func are axes of the result only if both have them all.
bool same_axes(const NestSubject &subject, const FuncFacts &reduction) {
    return reduction.args.size() == subject.result().args.size();
}

bool known_reduction(const FuncFacts &reduction) {
    return reduction.plain_update && !reduction.reduction.empty() &&
           std::all_of(reduction.reduction.begin(), reduction.reduction.end(),
                       [](const ReductionLoop &loop) { return loop.extent > 0; });
}

ElementType type_read(const FuncFacts &facts, const std::string &tensor) {
    for (const TensorAccess &access : facts.accesses) {
        if (access.in_update && access.callee == tensor) {
            return access.type;
        }
    }
    return facts.type;
}

// What the reduction is over, and of what.
void describe_reduction(ReductionRoles &roles) {
    roles.operand = type_read(*roles.reduction, roles.data);
    bool first = true;
    for (const ReductionLoop &loop : roles.reduction->reduction) {
        if (loop.window) {
            roles.taps *= loop.extent;
            roles.windowed = true;
            continue;
        }
        roles.channels *= loop.extent;
        if (first) {
            roles.inner_channels = loop.extent;
            first = false;
        }
    }
}

// The last of `rows` becomes the width, the one before it the height, all else is outer.
void assign_rows(const NestSubject &subject, const std::vector<int> &rows, ReductionRoles &roles) {
    if (!rows.empty()) {
        roles.width_axis = rows.back();
    }
    if (rows.size() > 1) {
        roles.height_axis = rows[rows.size() - 2];
    }
    for (int axis : subject.natural_order) {
        if (axis != roles.column_axis && axis != roles.width_axis && axis != roles.height_axis) {
            roles.outer_axes.push_back(axis);
        }
    }
}

std::set<int> minus(std::set<int> a, const std::set<int> &b) {
    for (int x : b) {
        a.erase(x);
    }
    return a;
}

// Of a product whose vectors run along an axis that one tensor has, planes of an image say, and the other, the
// coefficients, lacks: rows are an axis that these alone have.
std::optional<ReductionRoles> planar_roles(const NestSubject &subject, const FuncFacts &reduction) {
    ReductionRoles roles;
    roles.reduction = &reduction;
    roles.column_axis = subject.vector_axis;
    for (const std::string &tensor : reduction.summed()) {
        const bool planes = reduction.axes_read(tensor).count(subject.vector_axis) != 0;
        (planes ? roles.weights : roles.data) = tensor;
    }
    if (roles.data.empty() || roles.weights.empty()) {
        return std::nullopt;
    }
    const std::set<int> rows =
        minus(reduction.axes_read(roles.data), reduction.axes_read(roles.weights));
    if (rows.empty()) {
        return std::nullopt;
    }
    describe_reduction(roles);
    assign_rows(subject, {*rows.rbegin()}, roles);
    roles.column_stride = stride_along(reduction, roles.weights, roles.column_axis);
    return roles;
}

}  // namespace

int64_t extent_of(const NestSubject &subject, int axis) {
    return axis < 0 ? 1 : subject.extents[static_cast<size_t>(axis)];
}

std::optional<ReductionRoles> contraction_roles(const NestSubject &subject) {
    const FuncFacts *reduction = subject.single_reduction();
    if (reduction == nullptr || !known_reduction(*reduction) || !same_axes(subject, *reduction)) {
        return std::nullopt;
    }
    const std::vector<std::string> tensors = reduction->summed();
    if (tensors.size() != 2 || subject.natural_order.empty()) {
        return std::nullopt;
    }
    if (subject.vector_axis >= 0) {
        return planar_roles(subject, *reduction);
    }
    ReductionRoles roles;
    roles.reduction = reduction;
    std::string data = tensors[0], weights = tensors[1];
    const auto own = [&](const std::string &of, const std::string &other) {
        return minus(reduction->axes_read(of),
                     minus(reduction->axes_read(other), reduction->axes_divided(other)));
    };
    const int last = subject.natural_order.back();
    const bool swap = reduction->reads_window(weights) != reduction->reads_window(data)
                          ? reduction->reads_window(weights)
                      : subject.is_constant(data) != subject.is_constant(weights)
                          ? subject.is_constant(data)
                          : own(data, weights).count(last) != 0;
    if (swap) {
        std::swap(data, weights);
    }
    // An axis that the weights are only read at in part (by a remainder) is no axis of theirs, if there is
    // a better one.
    const std::set<int> owned = own(weights, data);
    const std::set<int> plain = minus(owned, reduction->axes_divided(weights));
    const std::vector<int> columns = in_natural_order(subject, plain.empty() ? owned : plain);
    if (columns.empty()) {
        return std::nullopt;
    }
    roles.data = data;
    roles.weights = weights;
    roles.column_axis = columns.back();
    roles.group_columns = columns_of_group(roles);
    roles.live = live_share(subject, *reduction);
    const std::set<int> rows = minus(reduction->axes_read(data), reduction->axes_read(weights));
    describe_reduction(roles);
    assign_rows(subject, in_natural_order(subject, rows), roles);
    return roles;
}

std::optional<ReductionRoles> lanewise_roles(const NestSubject &subject) {
    const FuncFacts *reduction = subject.single_reduction();
    if (reduction == nullptr || !known_reduction(*reduction)) {
        return std::nullopt;
    }
    const std::vector<std::string> tensors = reduction->summed();
    if (tensors.empty() || tensors.size() > 2) {
        return std::nullopt;
    }
    ReductionRoles roles;
    roles.reduction = reduction;
    roles.data = tensors[0];
    if (tensors.size() == 2 && reduction->reads_window(tensors[1])) {
        roles.data = tensors[1];
    }
    if (tensors.size() == 2) {
        roles.weights = tensors[0] == roles.data ? tensors[1] : tensors[0];
    }
    describe_reduction(roles);
    // Vectors run along the longest axis that is no window's; the innermost one of equals. A
    // reduction that keeps fewer axes than the result has them at the same places, by name.
    const FuncFacts &result = subject.result();
    std::set<int> rows;
    for (int axis : subject.natural_order) {
        const auto &name = result.args[static_cast<size_t>(axis)];
        const auto it = std::find(reduction->args.begin(), reduction->args.end(), name);
        const bool same = same_axes(subject, *reduction);
        if (!same && it == reduction->args.end()) {
            continue;
        }
        const int own_axis = same ? axis : static_cast<int>(it - reduction->args.begin());
        if (subject.vector_axis >= 0 && axis == subject.vector_axis) {
            continue;
        }
        if (reduction->window_axes.count(own_axis) != 0) {
            rows.insert(axis);
        } else if (roles.column_axis < 0 ||
                   extent_of(subject, axis) >= extent_of(subject, roles.column_axis)) {
            roles.column_axis = axis;
        }
    }
    if (subject.vector_axis >= 0) {
        if (!same_axes(subject, *reduction) || rows.empty()) {
            return std::nullopt;
        }
        roles.column_axis = subject.vector_axis;
        roles.column_stride = stride_along(*reduction, roles.data, roles.column_axis);
    }
    if (roles.column_axis < 0) {
        return std::nullopt;
    }
    assign_rows(subject, in_natural_order(subject, rows), roles);
    if (roles.width_axis >= 0 && same_axes(subject, *reduction)) {
        roles.windows_overlap = overlap_along(*reduction, roles.data, roles.width_axis);
    }
    return roles;
}

}  // namespace emulsion
