// Rows that are computed side by side, and rows that begin at whole vectors, are the same rows.
#include "autoscheduler/row_blocks.h"

#include <gtest/gtest.h>

#include "autoscheduler/apply.h"
#include "fusion/error.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

ImagePipeline blurred() {
    const Var x("x"), y("y");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    Func down("down"), out("out");
    down(x, y) = image(x, y - 1) + 2 * image(x, y) + image(x, y + 1);
    out(x, y) = down(x - 1, y) + down(x + 1, y + 1) * down(x, y - 1);
    return {{out}, {}};
}

ImagePipeline with_update() {
    const Var x("x"), y("y");
    const Func image = Halide::BoundaryConditions::repeat_edge(image_of_numbers());
    Func out("out");
    out(x, y) = image(x, y);
    out(x, 3) += image(x, 7);
    return {{out}, {}};
}

// With tiles of 48 rows, stages of which are computed in tiles or stored.
ChangePlan with_rows(int64_t rows, int64_t aligned) {
    return [=](const ImagePipeline &, Plan &plan) {
        for (PlannedGroup &group : plan.groups) {
            for (PlannedMember &member : group.members) {
                if (member.nest.empty()) {
                    continue;
                }
                const bool is_root = &member == &group.members.back();
                member.nest.parameters["row_block"] = rows;
                if (is_root) {
                    member.nest.parameters["block1"] = 48;
                    member.nest.parameters["slide_axis"] = -1;
                }
                if (member.op.starts_with("down")) {
                    member.nest.parameters["aligned"] = aligned;
                }
            }
        }
    };
}

}  // namespace

TEST(RowBlocks, ComputeTheSame) {
    for (const std::vector<int> &size : {kEstimatedSize, std::vector<int>{133, 89}}) {
        const auto stored = run_stored(blurred, size);
        for (const int64_t rows : {2, 4, 8}) {
            SCOPED_TRACE(rows);
            expect_equal_images(stored, run_planned(blurred, with_rows(rows, 8), size));
        }
    }
}

TEST(RowBlocks, AreUnrolledInsideOfTheLoopAlongTheColumns) {
    const ImagePipeline made = blurred();
    Plan plan = plan_of(made);
    with_rows(4, 1)(made, plan);
    apply_plan(made.outputs, plan, Halide::get_jit_target_from_environment());
    const auto &dims = made.outputs.front().function().definition().schedule().dims();
    ASSERT_GT(dims.size(), 2U);
    EXPECT_EQ(Halide::Internal::ForType::Vectorized, dims[0].for_type);
    EXPECT_EQ(Halide::Internal::ForType::Unrolled, dims[1].for_type);
}

TEST(RowBlocks, OfWhatHasNoneAreRefused) {
    try {
        run_planned(with_update, with_rows(2, 1));
        ADD_FAILURE();
    } catch (const Error &error) {
        EXPECT_NE(std::string::npos, std::string(error.what()).find("parameter 'row_block' is 2"))
            << error.what();
    }
}

}  // namespace emulsion
