// Tasks of rows are cut so that their edges cost no more than a row.
#include "autoscheduler/templates/support/loops.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Var;
using Halide::Internal::ForType;

constexpr int kColumns = 10, kPlanes = 64, kTasks = 8;

// Rows of planes with a margin of one around 8 columns, which lie one after the other.
struct PaddedRows {
    PaddedRows() {
        const Halide::Expr column = x - 1;
        const Halide::Expr at = Halide::likely(c * (kColumns - 2) + column);
        out(x, c) = Halide::select(column >= 0 && column < kColumns - 2,
                                   flat(Halide::clamp(at, 0, (kColumns - 2) * kPlanes - 1)), 0.0F);
    }

    const Var x{"x"}, c{"c"};
    ImageParam flat{Halide::Float(32), 1};
    Func out{"out"};
};

}  // namespace

// Halide would cut the loop over tasks at the first and the last plane: whole tasks would gather.
TEST(Loops, TasksOfSeveralRowsAreNotCutWhereClampsMatter) {
    PaddedRows rows;
    rows.out.vectorize(rows.x, 8, Halide::TailStrategy::ShiftInwards);
    parallelize_rows(rows.out, {{rows.c, kPlanes}}, kTasks);
    int tasks = 0;
    for (const Halide::Internal::Dim &dim : rows.out.function().definition().schedule().dims()) {
        const bool parallel = dim.for_type == ForType::Parallel;
        tasks += parallel ? 1 : 0;
        EXPECT_EQ(dim.partition_policy,
                  parallel ? Halide::Partition::Never : Halide::Partition::Auto)
            << dim.var;
    }
    EXPECT_EQ(1, tasks);
    Halide::Buffer<float> data((kColumns - 2) * kPlanes);
    data.for_each_element([&](int i) { data(i) = static_cast<float>(i + 1); });
    rows.flat.set(data);
    const Halide::Buffer<float> made = rows.out.realize({kColumns, kPlanes});
    for (int c = 0; c < kPlanes; c++) {
        for (int x = 0; x < kColumns; x++) {
            const bool margin = x == 0 || x == kColumns - 1;
            EXPECT_EQ(margin ? 0.0F : data(c * (kColumns - 2) + x - 1), made(x, c));
        }
    }
}

TEST(Loops, ATaskThatIsOneRowMayBeCut) {
    PaddedRows rows;
    parallelize_rows(rows.out, {{rows.c, kPlanes}}, kPlanes);
    for (const Halide::Internal::Dim &dim : rows.out.function().definition().schedule().dims()) {
        EXPECT_EQ(dim.partition_policy, Halide::Partition::Auto) << dim.var;
    }
}

}  // namespace emulsion
