// Which pipelines are planned as networks.
#include <gtest/gtest.h>

#include "autoscheduler/image_analysis.h"
#include "autoscheduler/network_share.h"
#include "autoscheduler/pipeline_analysis.h"
#include "fusion/error.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::clamp;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

class NetworkShare : public testing::Test {
protected:
    Func image() const { return Halide::BoundaryConditions::repeat_edge(image_of_numbers()); }

    const Var x{"x"}, y{"y"};
};

}  // namespace

TEST_F(NetworkShare, TakesNoPipelineWhereTheUsersCodeComputesAStage) {
    const Func in = image();
    Func before("before"), external("external"), out("out");
    before(x, y) = in(x, y);
    external.define_extern("network_share_test_nothing", {before}, Halide::Int(32), 2);
    out(x, y) = external(x, y);
    out.set_estimates({{0, kEstimatedSize[0]}, {0, kEstimatedSize[1]}});
    EXPECT_FALSE(is_network({out}, analyze_images({out}), image_machine()));
    EXPECT_THROW(analyze_pipeline({out}, image_machine()), Error);
}

// However much of the work a product of theirs is: the planner of networks knows none of what is around it.
TEST_F(NetworkShare, TakesNoPipelineWhereScansAndGathersAreMoreThanAFewPercent) {
    constexpr int kSummed = 16;
    const Buffer<int> in = image_of_numbers(), weights = image_of_numbers();
    Func product("product");
    const RDom r(0, kSummed);
    product(x, y) = 0;
    product(x, y) += in(r, y) * weights(x, r);
    const auto is_planned_as_network = [&](Func out) {
        out.set_estimates({{0, kEstimatedSize[0]}, {0, kEstimatedSize[1]}});
        return is_network({out}, analyze_images({out}), image_machine());
    };
    Func shifted("shifted"), scan("scan"), scanned("scanned"), gathered("gathered");
    shifted(x, y) = product(x, y) + 1;
    EXPECT_TRUE(is_planned_as_network(shifted));
    scan(x, y) = product(x, y);
    const RDom down(1, kEstimatedSize[1] - 1);
    scan(x, down) += scan(x, down - 1) / 2;
    scanned(x, y) = scan(x, y);
    EXPECT_FALSE(is_planned_as_network(scanned));
    gathered(x, y) = product(clamp(in(x, y), 0, kEstimatedSize[0] - 1), y);
    EXPECT_FALSE(is_planned_as_network(gathered));
}

}  // namespace emulsion
