// An experiment: a product of matrices by v_mfma_f32_32x32x2f32, or of 16-bit floats by
// v_mfma_f32_32x32x8f16 (gfx90a, gfx942). One of them does c += a b with a of 32 x 2, b of 2 x 32, where
// an element of a and b is a float, or four halves that are multiplied in pairs and summed up:
//
//     lane l holds   a(l % 32, l / 32)   b(l / 32, l % 32)
//                    c(8 (i / 4) + 4 (l / 32) + i % 4, l % 32)   in its accumulators i = 0 .. 15
//
//     a (rows, steps), the row innermost; b (columns, steps), with halves four to an element; c (column
//     of a tile, half, row, group of rows, columns / 32, rows / 32): a dense row-major matrix of floats,
//     whose rows are split as the accumulators are
#include "generators/wave_tiles.h"

namespace {

class MfmaProduct : public Halide::Generator<MfmaProduct> {
public:
    GeneratorParam<int> rows{"rows", 1024, 32, 1 << 16};
    GeneratorParam<int> columns{"columns", 1024, 32, 1 << 16};
    GeneratorParam<int> depth{"depth", 1024, 2, 1 << 16};
    GeneratorParam<bool> halves{"halves", false};
    GeneratorParam<int> across{"across", 2, 1, 4};  // tiles of a wave, along columns
    GeneratorParam<int> down{"down", 2, 1, 4};      // and along rows

    Input<Buffer<void, 2>> a{"a"};
    Input<Buffer<void, 2>> b{"b"};
    Output<Buffer<float, 6>> c{"c"};

    void configure() {
        a.set_type(halves ? Int(64) : Float(32));
        b.set_type(halves ? Int(64) : Float(32));
    }

    void generate() {
        const int steps = depth / (halves ? 4 : 1);
        _halide_user_assert(rows % (kSide * down) == 0 && columns % (kSide * across) == 0 &&
                            depth % (halves ? 4 * kSteps : kSteps) == 0)
            << "mfma_product: rows, columns and depth are multiples of a wave's\n";
        r = RDom(0, steps / kSteps, "r");
        tile(i, lane, tx, ty) = 0.0F;
        const Expr side = lane % kSide, step = r * kSteps + lane / kSide;
        tile(i, lane, tx, ty) = wave_product(
            halves ? "emulsion_mfma_32x32x8" : "emulsion_mfma_32x32x2", a(ty * kSide + side, step),
            b(tx * kSide + side, step), tile(i, lane, tx, ty));
        c(column, half, row, group, tx, ty) = tile(row + 4 * group, column + kSide * half, tx, ty);
        set_strided(a, {rows, steps}, {1, rows});
        set_strided(b, {columns, steps}, {1, columns});
        const int n = columns;
        set_strided(c, {kSide, 2, 4, 4, n / kSide, rows / kSide},
                    {1, 4 * n, n, 8 * n, kSide, kSide * n});
    }

    void schedule() { schedule_waves(c, tile, r, kElements, across, down); }

private:
    static constexpr int kSide = 32;      // of the tile
    static constexpr int kSteps = 2;      // of the reduction in one instruction
    static constexpr int kElements = 16;  // accumulators of a lane

    Var column{"column"}, half{"half"}, row{"row"}, group{"group"}, tx{"tx"}, ty{"ty"}, i{"i"},
        lane{"lane"};
    Func tile{"tile"};
    RDom r;
};

}  // namespace

HALIDE_REGISTER_GENERATOR(MfmaProduct, mfma_product)
