// An experiment: a product of matrices of 16-bit floats, summed up in floats, by
// v_wmma_f32_16x16x16_f16 (gfx1100). One of them does c += a b of 16 x 16:
//
//     lane l holds   a(l % 16, 0 .. 15)   b(0 .. 15, l % 16), each twice in a wave of 32
//                    c(2 i + l / 16, l % 16)   in its accumulators i = 0 .. 7
//
//     a (depth / 2, rows) and b (depth / 2, columns) of lanes of two; c (column of a tile, half, row,
//     columns / 16, rows / 16): a dense row-major matrix, whose rows are split as the accumulators are
#include "generators/wave_tiles.h"

namespace {

class WmmaProduct : public Halide::Generator<WmmaProduct> {
public:
    GeneratorParam<int> rows{"rows", 1024, kSide, 1 << 16};
    GeneratorParam<int> columns{"columns", 1024, kSide, 1 << 16};
    GeneratorParam<int> depth{"depth", 1024, kSide, 1 << 16};
    GeneratorParam<int> across{"across", 4, 1, 4};  // tiles of a wave, along columns
    GeneratorParam<int> down{"down", 4, 1, 4};      // and along rows

    Input<Buffer<int32_t, 2>> a{"a"};
    Input<Buffer<int32_t, 2>> b{"b"};
    Output<Buffer<float, 5>> c{"c"};

    void generate() {
        _halide_user_assert(rows % (kSide * down) == 0 && columns % (kSide * across) == 0 &&
                            depth % kSide == 0)
            << "wmma_product: rows, columns and depth are multiples of a wave's\n";
        r = RDom(0, depth / kSide, "r");
        tile(i, lane, tx, ty) = 0.0F;
        const Expr side = lane % kSide, pair = r * kElements + i;
        tile(i, lane, tx, ty) = wave_product("emulsion_wmma_16x16x16", a(pair, ty * kSide + side),
                                             b(pair, tx * kSide + side), tile(i, lane, tx, ty));
        c(column, half, row, tx, ty) = tile(row, column + kSide * half, tx, ty);
        set_strided(a, {depth / 2, rows}, {1, depth / 2});
        set_strided(b, {depth / 2, columns}, {1, depth / 2});
        const int n = columns;
        set_strided(c, {kSide, 2, 8, n / kSide, rows / kSide}, {1, n, 2 * n, kSide, kSide * n});
    }

    void schedule() { schedule_waves(c, tile, r, kElements, across, down); }

private:
    static constexpr int kSide = 16;  // of the tile, and steps of the reduction in one instruction
    static constexpr int kElements = 8;  // accumulators of a lane, 32-bit lanes of an operand

    Var column{"column"}, half{"half"}, row{"row"}, tx{"tx"}, ty{"ty"}, i{"i"}, lane{"lane"};
    Func tile{"tile"};
    RDom r;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(WmmaProduct, wmma_product)
