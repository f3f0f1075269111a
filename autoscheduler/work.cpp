#include "autoscheduler/work.h"

#include <algorithm>
#include <map>
#include <set>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Simple vector operations of what is no single instruction, as Halide and LLVM expand it for floats.
constexpr double kDivision = 5.0;
constexpr double kSquareRoot = 6.0;
constexpr double kExponential = 18.0;
constexpr double kTrigonometric = 40.0;
constexpr double kUnknownCall = 20.0;
constexpr double kRead = 0.5;

double call_cost(const Call &call) {
    static const std::map<std::string, double> kCosts = {
        {"exp_f32", kExponential},
        {"log_f32", kExponential},
        {"tanh_f32", 2 * kExponential},
        {"pow_f32", 2 * kExponential},
        {"sqrt_f32", kSquareRoot},
        {"floor_f32", 1.0},
        {"ceil_f32", 1.0},
        {"round_f32", 1.0},
        {"trunc_f32", 1.0},
        {"fast_inverse_f32", 1.0},
        {"fast_inverse_sqrt_f32", 1.0},
        {"sin_f32", kTrigonometric},
        {"cos_f32", kTrigonometric},
        {"is_nan_f32", 1.0},
    };
    if (call.call_type == Call::Halide || call.call_type == Call::Image) {
        return kRead;
    }
    if (call.is_intrinsic()) {
        return 1.0;
    }
    const auto known = kCosts.find(call.name);
    return known == kCosts.end() ? kUnknownCall : known->second;
}

// Every node of an expression once, however often it is used: Halide computes it once, too.
class OperationCounter : public IRGraphVisitor {
public:
    double operations = 0.0;

private:
    using IRGraphVisitor::visit;

    void visit(const Add *op) override { binary(op, 1.0); }
    void visit(const Sub *op) override { binary(op, 1.0); }
    void visit(const Mul *op) override { binary(op, 1.0); }
    void visit(const Div *op) override { binary(op, kDivision); }
    void visit(const Mod *op) override { binary(op, kDivision); }
    void visit(const Min *op) override { binary(op, 1.0); }
    void visit(const Max *op) override { binary(op, 1.0); }
    void visit(const EQ *op) override { binary(op, 1.0); }
    void visit(const NE *op) override { binary(op, 1.0); }
    void visit(const LT *op) override { binary(op, 1.0); }
    void visit(const LE *op) override { binary(op, 1.0); }
    void visit(const GT *op) override { binary(op, 1.0); }
    void visit(const GE *op) override { binary(op, 1.0); }
    void visit(const And *op) override { binary(op, 1.0); }
    void visit(const Or *op) override { binary(op, 1.0); }
    void visit(const Select *op) override { binary(op, 1.0); }
    void visit(const Cast *op) override { binary(op, 1.0); }

    void visit(const Call *op) override {
        operations += call_cost(*op);
        // What a read's index computes is an address, not a vector.
        if (op->call_type != Call::Halide && op->call_type != Call::Image) {
            IRGraphVisitor::visit(op);
        }
    }

    template<typename Node>
    void binary(const Node *op, double cost) {
        operations += cost;
        IRGraphVisitor::visit(op);
    }
};

// How often the definition that `access` is in is computed.
double trips(const FuncFacts &part, bool in_update, const std::vector<int64_t> &extents) {
    double count = 1.0;
    for (const int64_t extent : extents) {
        count *= static_cast<double>(std::max<int64_t>(extent, 1));
    }
    for (const ReductionLoop &loop : part.reduction) {
        count *= in_update ? static_cast<double>(std::max<int64_t>(loop.extent, 1)) : 1.0;
    }
    return count;
}

// Whether every read of `tensor` in the update has the axis along which the other factor of a product
// has its columns: one that is read by no other access.
bool lacks_columns(const FuncFacts &part, const std::string &tensor) {
    std::set<int> others;
    for (const TensorAccess &access : part.accesses) {
        if (access.in_update && access.callee != tensor && access.callee != part.name) {
            const std::set<int> axes = part.axes_read(access.callee);
            others.insert(axes.begin(), axes.end());
        }
    }
    for (const int axis : part.axes_read(tensor)) {
        others.erase(axis);
    }
    return !others.empty();
}

}  // namespace

double operation_count(const std::vector<Expr> &values) {
    OperationCounter counter;
    for (const Expr &value : values) {
        value.accept(&counter);
    }
    return counter.operations;
}

double operation_count(const std::vector<FuncFacts> &parts, const std::vector<int64_t> &extents) {
    double count = 0.0;
    for (const FuncFacts &part : parts) {
        count += part.operations * trips(part, false, extents);
        if (part.is_reduction()) {
            count += part.update_operations * trips(part, true, extents);
        }
    }
    return count;
}

double read_count(const std::vector<FuncFacts> &parts, const std::string &tensor,
                  const std::vector<int64_t> &extents) {
    constexpr double kColumnVectors = 2.0;  // of a register block, about
    double count = 0.0;
    for (const FuncFacts &part : parts) {
        for (const TensorAccess &access : part.accesses) {
            if (access.callee == tensor) {
                const bool shared = access.in_update && lacks_columns(part, tensor);
                count += trips(part, access.in_update, extents) / (shared ? kColumnVectors : 1.0);
            }
        }
    }
    return count;
}

}  // namespace emulsion
