#include "autoscheduler/kernels/lanes.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Type;

bool is_mask(const Type &type) { return type.is_bool() && type.is_vector(); }

template<typename T>
Expr operation_of_lanes(const T *op, int lane) {
    return T::make(lane_of(op->a, lane), lane_of(op->b, lane));
}

}  // namespace

Expr numbers_of(const Expr &e) {
    return is_mask(e.type()) ? cast(Halide::Int(8, e.type().lanes()), e) : e;
}

Expr lane_of(const Expr &e, int lane) {
    if (const auto *op = e.as<Broadcast>(); op != nullptr && op->value.type().is_scalar()) {
        return op->value;
    }
    if (const auto *op = e.as<Ramp>(); op != nullptr && op->base.type().is_scalar()) {
        return lane == 0 ? op->base : op->base + op->stride * lane;
    }
    if (const auto *op = e.as<Not>()) {
        return Not::make(lane_of(op->a, lane));
    }
    if (const auto *op = e.as<And>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<Or>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<LT>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<LE>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<GT>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<GE>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<EQ>()) {
        return operation_of_lanes(op, lane);
    }
    if (const auto *op = e.as<NE>()) {
        return operation_of_lanes(op, lane);
    }
    const Expr taken = Shuffle::make_extract_element(numbers_of(e), lane);
    return is_mask(e.type()) ? taken != make_zero(taken.type()) : taken;
}

}  // namespace emulsion
