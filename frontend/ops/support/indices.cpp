#include "frontend/ops/support/indices.h"

namespace emulsion {

using Halide::Expr;

Expr index_coordinate(const Expr &index, int64_t extent) {
    const int count = static_cast<int>(extent);
    const auto limit = [&](int64_t value) {
        return Halide::Internal::make_const(index.type(), value);
    };
    // 64-bit indices are brought into range before they become coordinates of 32 bits.
    const Expr small = Halide::cast<int>(Halide::clamp(index, limit(-extent), limit(extent - 1)));
    const Expr from_start = Halide::select(small < 0, small + count, small);
    // Never needed, but it tells Halide what is read.
    const Expr coordinate = Halide::clamp(from_start, 0, count - 1);
    // A known index should be seen as one. Others are left as they are: the operand has to be read even
    // where its value does not matter.
    return Halide::Internal::is_const(index) ? Halide::Internal::simplify(coordinate) : coordinate;
}

}  // namespace emulsion
