// A chain of weighted 5x5 sums in 16 bits, each of the one before it.
#include "generators/classic/image.h"

namespace {

class StencilChain : public Halide::Generator<StencilChain> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<int> stages{"stages", 32, 1, 100};

    Input<Buffer<uint16_t, 2>> input{"input"};
    Output<Buffer<uint16_t, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y");
        Func last = Halide::BoundaryConditions::repeat_edge(input);
        for (int stage = 0; stage < stages; stage++) {
            Expr sum = cast<uint16_t>(0);
            for (int dy = -2; dy <= 2; dy++) {
                for (int dx = -2; dx <= 2; dx++) {
                    sum += cast<uint16_t>((dx + 3) * (dy + 3)) * last(x + dx, y + dy);
                }
            }
            Func next("stencil" + std::to_string(stage));
            next(x, y) = sum;
            last = next;
        }
        output(x, y) = last(x, y);

        emulsion::classic::estimate_shape(input, {width, height});
        emulsion::classic::estimate_shape(output, {width, height});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(StencilChain, stencil_chain)
