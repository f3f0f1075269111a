#include "autoscheduler/opencl_masks.h"

#include <vector>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Type;

bool is_mask(const Type &type) { return type.is_bool() && type.is_vector(); }

// Zeros and ones in place of a mask: those have lanes that OpenCL can take.
Expr numbers_of(const Expr &e) {
    return is_mask(e.type()) ? cast(Halide::Int(8, e.type().lanes()), e) : e;
}

Expr lane_of(const Expr &e, int lane);

template<typename T>
Expr operation_of_lanes(const T *op, int lane) {
    return T::make(lane_of(op->a, lane), lane_of(op->b, lane));
}

// Conditions on the lanes rather than lanes of the condition, where it is made of comparisons.
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

class WithoutMasks : public IRMutator {
public:
    using IRMutator::mutate;

private:
    using IRMutator::visit;

    Stmt visit(const For *op) override {
        const bool outside = !in_kernel_;
        in_kernel_ = in_kernel_ || op->device_api == Halide::DeviceAPI::OpenCL;
        Stmt loop = IRMutator::visit(op);
        in_kernel_ = in_kernel_ && !outside;
        return loop;
    }

    Stmt visit(const Store *op) override {
        if (!in_kernel_ || is_const_one(op->predicate)) {
            return IRMutator::visit(op);
        }
        // What is stored is computed once, for all lanes.
        const Expr value = numbers_of(mutate(op->value));
        const std::string value_name = unique_name("lanes"), index_name = unique_name("places");
        const Expr index = mutate(op->index), predicate = mutate(op->predicate);
        const Expr values = Variable::make(value.type(), value_name);
        const Expr places = Variable::make(index.type(), index_name);
        const bool is_ramp = index.as<Ramp>() != nullptr;
        std::vector<Stmt> stores;
        for (int lane = 0; lane < value.type().lanes(); lane++) {
            const Expr place = is_ramp ? lane_of(index, lane) : lane_of(places, lane);
            stores.push_back(
                IfThenElse::make(lane_of(predicate, lane),
                                 Store::make(op->name, lane_of(values, lane), place, op->param,
                                             const_true(), op->alignment + lane)));
        }
        Stmt all = Halide::Internal::Block::make(stores);
        if (!is_ramp) {
            all = LetStmt::make(index_name, index, all);
        }
        return LetStmt::make(value_name, value, all);
    }

    Expr visit(const Load *op) override {
        if (!in_kernel_ || is_const_one(op->predicate)) {
            return IRMutator::visit(op);
        }
        const Expr index = mutate(op->index), predicate = mutate(op->predicate);
        const Type type = op->type.element_of();
        std::vector<Expr> lanes;
        for (int lane = 0; lane < op->type.lanes(); lane++) {
            const Expr loaded = Load::make(type, op->name, lane_of(index, lane), op->image,
                                           op->param, const_true(), op->alignment + lane);
            lanes.push_back(Call::make(type, Call::if_then_else,
                                       {lane_of(predicate, lane), loaded, make_zero(type)},
                                       Call::PureIntrinsic));
        }
        return Shuffle::make_concat(lanes);
    }

    // Lanes of masks, wherever else they are taken.
    Expr visit(const Shuffle *op) override {
        Expr shuffled = IRMutator::visit(op);
        if (!in_kernel_ || !op->type.is_bool()) {
            return shuffled;
        }
        op = shuffled.as<Shuffle>();
        std::vector<Expr> vectors;
        for (const Expr &vector : op->vectors) {
            vectors.push_back(cast(Halide::Int(8, vector.type().lanes()), vector));
        }
        const Expr numbers = Shuffle::make(vectors, op->indices);
        return numbers != make_zero(numbers.type());
    }

    bool in_kernel_ = false;
};

}  // namespace

Stmt without_masks(const Stmt &statement) { return WithoutMasks().mutate(statement); }

void take_masks_apart(Halide::Pipeline pipeline) {
    pipeline.add_custom_lowering_pass(new WithoutMasks);
}

}  // namespace emulsion
