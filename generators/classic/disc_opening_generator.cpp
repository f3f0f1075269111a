// Morphological opening by a disc: the largest, over the disc around a pixel, of the smallest values over the
// discs around those pixels. Bright specks that are smaller than the disc go.
#include "generators/classic/image.h"

namespace {

class DiscOpening : public Halide::Generator<DiscOpening> {
public:
    GeneratorParam<int> width{"width", 1536, 1, 1 << 15};
    GeneratorParam<int> height{"height", 2560, 1, 1 << 15};
    GeneratorParam<int> radius{"radius", 6, 1, 100};

    Input<Buffer<uint8_t, 2>> input{"input"};
    Output<Buffer<uint8_t, 2>> output{"output"};

    void generate() {
        Var x("x"), y("y");
        const int size = 2 * int(radius) + 1;
        RDom disc(-int(radius), size, -int(radius), size, "disc");
        disc.where(disc.x * disc.x + disc.y * disc.y <= int(radius) * int(radius));

        Func clamped = Halide::BoundaryConditions::repeat_edge(input);
        Func eroded("eroded"), opened("opened");
        eroded(x, y) = Halide::UInt(8).max();
        eroded(x, y) = Halide::min(eroded(x, y), clamped(x + disc.x, y + disc.y));
        opened(x, y) = Halide::UInt(8).min();
        opened(x, y) = Halide::max(opened(x, y), eroded(x + disc.x, y + disc.y));
        output(x, y) = opened(x, y);

        emulsion::classic::estimate_shape(input, {width, height});
        emulsion::classic::estimate_shape(output, {width, height});
    }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(DiscOpening, disc_opening)
