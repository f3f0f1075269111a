#include "bench/scaling/scaling.h"

#include <gtest/gtest.h>

#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "fusion/cost/nest_price.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

PlannedNetwork planned(const std::string &name, int threads) {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model(name, path);
    PlanOptions options;
    options.threads = threads;
    return plan_network(run_passes(load_model(path)), options);
}

TEST(Scaling, ThreadsAreNeverBusierThanTheTimeIsLong) {
    for (const char *name : {"tiny_plain", "tiny_residual", "tiny_attention"}) {
        for (const int threads : {1, 2, 7, 64}) {
            const PlannedNetwork network = planned(name, threads);
            for (const size_t launched : network.launched_groups()) {
                const PlannedGroup &group = network.plan.groups[launched];
                const GroupPrice price =
                    price_with_nests(network.operators_of(group), group, {}, network.machine);
                EXPECT_GT(price.busy_cycles, 0.0) << name << " " << threads;
                EXPECT_LE(price.busy_cycles, price.cycles * 1.0001) << name << " " << threads;
            }
        }
    }
}

TEST(Scaling, ManyThreadsWaitLongerForASmallNetworkThanOne) {
    const ScalingRow one = scaling_row(planned("tiny_plain", 1), 1);
    const ScalingRow many = scaling_row(planned("tiny_plain", 64), 64);
    EXPECT_LT(one.idle_share, many.idle_share);
    EXPECT_GT(many.idle_share, 0.5);
    EXPECT_LT(many.idle_share, 1.0);
    EXPECT_FALSE(many.idlest.empty());
}

TEST(Scaling, ThePlansTimeIsTheSumOfItsGroups) {
    const PlannedNetwork network = planned("tiny_residual", 2);
    const double planned_ms = network.machine.milliseconds(network.plan.predicted_cycles());
    EXPECT_NEAR(scaling_row(network, 2).predicted_ms, planned_ms, 0.01 * planned_ms);
}

}  // namespace
}  // namespace emulsion
