#include "autoscheduler/kernels/opencl_masks.h"

#include <vector>

#include "autoscheduler/kernels/kernel_mutator.h"
#include "autoscheduler/kernels/lanes.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::Type;

class WithoutMasks : public KernelMutator {
    using KernelMutator::visit;

    Stmt visit(const Store *op) override {
        if (!in_opencl_kernel() || is_const_one(op->predicate)) {
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
        if (!in_opencl_kernel() || is_const_one(op->predicate)) {
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
        if (!in_opencl_kernel() || !op->type.is_bool()) {
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
};

}  // namespace

Stmt without_masks(const Stmt &statement) { return WithoutMasks().mutate(statement); }

}  // namespace emulsion
