// Sums of rows in lanes are what they are without, whatever the rows' lengths, and read memory in vectors.
#include "autoscheduler/templates/support/lane_sums.h"

#include <gtest/gtest.h>

#include "autoscheduler/templates/support/dense_read.h"
#include "autoscheduler/templates/support/panel.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

const Var row("row"), column("column"), plane("plane");

Buffer<int> numbers(const std::vector<int> &size) {
    Buffer<int> buffer(size);
    uint32_t i = 0;
    buffer.for_each_value([&](int &value) { value = static_cast<int>(i++ * 7919u % 251u) - 99; });
    return buffer;
}

// The sum over the rows of a buffer, or their largest elements.
Func over_rows(const Buffer<int> &in, bool sums) {
    Func total("total");
    const RDom r(0, in.width(), "r");
    const Expr element = in(r, row);
    total(row) = sums ? Expr(0) : element.type().min();
    total(row) = sums ? total(row) + element : Halide::max(total(row), element);
    return total;
}

}  // namespace

TEST(LaneSums, AreThoseOfTheRows) {
    constexpr int kRows = 3;
    for (const int vector : {4, 16}) {
        for (const int length : {1, 3, 5, 16, 17, 59, 128, 1001, 2051}) {
            for (const bool sums : {true, false}) {
                const Buffer<int> in = numbers({length, kRows});
                Func wanted = over_rows(in, sums), found = over_rows(in, sums), out("out");
                out(row) = found(row);
                found.compute_at(out, row);
                sum_in_lanes(found, Halide::RVar("r$x"), lane_shape(length, vector));
                const Buffer<int> right = wanted.realize({kRows}), made = out.realize({kRows});
                for (int i = 0; i < kRows; i++) {
                    ASSERT_EQ(right(i), made(i)) << length << " in vectors of " << vector;
                }
            }
        }
    }
}

TEST(LaneSums, HaveNoMoreLanesThanElements) {
    for (int64_t length = 1; length < 3000; length++) {
        for (const int vector : {1, 4, 8, 16}) {
            const LaneShape shape = lane_shape(length, vector);
            ASSERT_GE(shape.lanes, 1);
            ASSERT_LE(shape.lanes, vector);
            ASSERT_LE(int64_t{shape.lanes} * shape.vectors, length);
        }
    }
}

// Pixels that lie behind each other are one loop: the lanes don't end with a row of them.
TEST(LaneSums, RunAlongAllLoopsThatWalkMemory) {
    const auto along = [](int gap, bool whole_rows) {
        Halide::ImageParam in(Halide::Int(32), 3);
        in.dim(0).set_bounds(0, 5).set_stride(1);
        in.dim(1).set_bounds(0, 7).set_stride(5 + gap);
        in.dim(2).set_stride(7 * (5 + gap));
        Func total("total");
        const RDom r(0, whole_rows ? 5 : 4, 0, 7, "r");
        total(plane) = 0;
        total(plane) += in(r.x, r.y, plane);
        return dense_read(total);
    };
    EXPECT_EQ("r$x", along(0, true).variable);
    EXPECT_EQ((std::vector<std::string>{"r$x", "r$y"}), along(0, true).loops);
    EXPECT_EQ((std::vector<std::string>{"r$x"}), along(3, true).loops);
    EXPECT_EQ((std::vector<std::string>{"r$x"}), along(0, false).loops);
}

TEST(LaneSums, OfSeveralDenseLoopsAreThoseOfThePlanes) {
    constexpr int kPlanes = 4;
    for (const auto &[width, height] : {std::pair{5, 7}, {1, 13}, {16, 3}, {3, 1}, {9, 41}}) {
        const Buffer<int> in = numbers({width, height, kPlanes});
        const auto sum = [&, w = width, h = height] {
            Func total("total");
            const RDom r(0, w, 0, h, "r");
            total(plane) = 0;
            total(plane) += in(r.x, r.y, plane);
            return total;
        };
        Func wanted = sum(), found = sum(), out("out");
        out(plane) = found(plane);
        found.compute_at(out, plane);
        vectorize_panel(found, "", 8);
        const Buffer<int> right = wanted.realize({kPlanes}), made = out.realize({kPlanes});
        for (int i = 0; i < kPlanes; i++) {
            ASSERT_EQ(right(i), made(i)) << width << " x " << height;
        }
    }
}

}  // namespace emulsion
