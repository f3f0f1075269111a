#include "autoscheduler/kernels/opencl_doubles.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "autoscheduler/kernels/kernel_mutator.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

bool is_finite_float(double value) {
    return std::abs(value) <= std::numeric_limits<float>::max() &&
           static_cast<double>(static_cast<float>(value)) == value;
}

class WholeDoubles : public KernelMutator {
    using KernelMutator::visit;

    Expr visit(const FloatImm *op) override {
        if (!in_opencl_kernel() || op->type != Halide::Float(64) || is_finite_float(op->value)) {
            return op;
        }
        const Expr bits = UIntImm::make(Halide::UInt(64), std::bit_cast<uint64_t>(op->value));
        return Reinterpret::make(op->type, bits);
    }
};

}  // namespace

Stmt with_whole_doubles(const Stmt &statement) { return WholeDoubles().mutate(statement); }

}  // namespace emulsion
