// Axes are walked as one where memory has them as one, in all that is read; and then the values are the same.
#include "autoscheduler/templates/support/flat_axes.h"

#include <gtest/gtest.h>

#include "autoscheduler/templates/support/rows.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

constexpr int kRowLength = 7, kRowCount = 5, kPlaneCount = 3;
const std::vector<int> kMemoryOrder{2, 1, 0};

// Indices are (x, y, c); strides in elements, 0: nothing is known.
template<typename Dimensions>
void place(Dimensions dims, const std::vector<int> &extents, const std::vector<int> &strides) {
    for (size_t i = 0; i < extents.size(); i++) {
        auto dim = dims(static_cast<int>(i));
        dim.set_bounds(0, extents[i]);
        if (strides[i] > 0) {
            dim.set_stride(strides[i]);
        }
    }
}

class FlatAxes : public testing::Test {
protected:
    FlatAxes() {
        place([&](int i) { return image.dim(i); }, {kRowLength, kRowCount, kPlaneCount},
              {1, kRowLength, kRowLength * kRowCount});
        place([&](int i) { return channels.dim(i); }, {kPlaneCount}, {1});
    }

    // What is computed, of an output without gaps.
    NestFuncs funcs(const Expr &value) const {
        Func out("out");
        out(x, y, c) = value;
        place([&](int i) { return out.output_buffer().dim(i); },
              {kRowLength, kRowCount, kPlaneCount}, {1, kRowLength, kRowLength * kRowCount});
        NestFuncs made;
        made.root = out;
        made.extents = {kRowLength, kRowCount, kPlaneCount};
        made.target = Halide::get_host_target();
        return made;
    }
    int flat(const Expr &value) const { return flat_axes(funcs(value), kMemoryOrder); }

    const Var x{"x"}, y{"y"}, c{"c"};
    ImageParam image{Halide::Int(32), 3}, channels{Halide::Int(32), 1};
};

}  // namespace

TEST_F(FlatAxes, AreAllOfWhatIsReadAsItIsWritten) {
    EXPECT_EQ(3, flat(image(x, y, c) + 1));
    Func twice("twice");
    twice(c, y, x) = image(x, y, c) * 2;
    EXPECT_EQ(3, flat(twice(c, y, x) + image(x, y, c)));
    EXPECT_EQ(3, flat(Expr(4)));
}

// Rows of what lies with its channels innermost follow each other, though their elements don't.
TEST_F(FlatAxes, AreThoseThatAreEquallyFarApart) {
    ImageParam turned(Halide::Int(32), 3);
    place([&](int i) { return turned.dim(i); }, {kPlaneCount, kRowLength, kRowCount},
          {1, kPlaneCount, kPlaneCount * kRowLength});
    EXPECT_EQ(2, flat(turned(c, x, y) + image(x, y, c)));
    EXPECT_EQ(1, flat(turned(c, x, kRowCount - 1 - y)));
}

TEST_F(FlatAxes, AreThoseThatAChannelsValueLacks) {
    EXPECT_EQ(2, flat(image(x, y, c) * channels(c)));
}

TEST_F(FlatAxes, AreNoneWhereElementsAreOthersNeighbours) {
    EXPECT_EQ(1, flat(image(x, y, c) + x));
    EXPECT_EQ(1, flat(Halide::select(y > 2, image(x, y, c), 0)));
    EXPECT_EQ(1, flat(image(kRowLength - 1 - x, y, c)));
    EXPECT_EQ(1, flat(image(x, kRowCount - 1 - y, c)));
    EXPECT_EQ(1, flat(image(x, channels(c), y)));
    ImageParam square(Halide::Int(32), 3);
    place([&](int i) { return square.dim(i); }, {kRowLength, kRowLength, kPlaneCount},
          {1, kRowLength, kRowLength * kRowLength});
    EXPECT_EQ(1, flat(square(x, y, c)));
    EXPECT_EQ(1, flat(square(y, x, c)));
    ImageParam unknown(Halide::Int(32), 3);
    place([&](int i) { return unknown.dim(i); }, {kRowLength, kRowCount, kPlaneCount}, {1, 0, 0});
    EXPECT_EQ(1, flat(unknown(x, y, c)));
    NestFuncs unknown_extents = funcs(image(x, y, c));
    unknown_extents.extents = {-1, -1, -1};
    EXPECT_EQ(1, flat_axes(unknown_extents, kMemoryOrder));
}

TEST_F(FlatAxes, AreComputedAsTheRowsAre) {
    Buffer<int> data(kRowLength, kRowCount, kPlaneCount), offsets(kPlaneCount);
    int i = 0;
    data.for_each_value([&](int &value) { value = i++ * 37 % 101; });
    offsets.for_each_value([&](int &value) { value = i++ * 1000; });
    image.set(data);
    channels.set(offsets);
    for (const int vector : {2, 4, 16}) {
        for (const int tasks : {0, 1, 4}) {
            for (const Expr &value : {image(x, y, c) * 3 + 1, image(x, y, c) + channels(c)}) {
                NestFuncs made = funcs(value);
                apply_rows(made, {"elementwise",
                                  {{"column_axis", -1},
                                   {"crossing_axis", -1},
                                   {"vector", vector},
                                   {"tasks", tasks}}});
                Func plain("plain");
                plain(x, y, c) = value;
                const Buffer<int> wanted = plain.realize({kRowLength, kRowCount, kPlaneCount});
                const Buffer<int> found = made.root.realize({kRowLength, kRowCount, kPlaneCount});
                wanted.for_each_element([&](int a, int b, int d) {
                    ASSERT_EQ(wanted(a, b, d), found(a, b, d)) << vector << " " << tasks;
                });
            }
        }
    }
}

}  // namespace emulsion
