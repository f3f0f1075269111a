#include "fusion/cost/measured_costs.h"

#include <gtest/gtest.h>

#include "fusion/cost/analytic_cost.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

// Three convolutions, one after the other, of templates "rows", "rows" and "other".
class MeasuredPrices : public testing::Test {
protected:
    MeasuredPrices() : model_(std::make_shared<AnalyticCosts>(CpuMachine())) {
        int value = maker_.input();
        for (const char *name : {"first", "second", "third"}) {
            value = maker_.conv(name, value);
            maker_.last().nest.template_name = std::string(name) == "third" ? "other" : "rows";
        }
        for (size_t i = 0; i < maker_.graph.operators.size(); i++) {
            const PlannerOperator &op = maker_.graph.operators[i];
            PlannedMember member;
            member.op = op.name;
            member.implementation = op.implementation.name;
            member.nest.template_name = op.implementation.nest.template_name;
            groups_.emplace_back().members = {member};
        }
    }

    double predicted(int op) { return cost_of(*model_)->price({op}).cycles; }

    std::unique_ptr<GroupCost> cost_of(CostSource &source) const {
        return source.cost_of(maker_.graph, {});
    }

    MeasuredGroup measured(int op, double ratio) {
        const PlannedGroup &group = groups_[static_cast<size_t>(op)];
        return {group_key(group), root_template(group), ratio * predicted(op), predicted(op)};
    }

    test::GraphMaker maker_;
    std::shared_ptr<AnalyticCosts> model_;
    std::vector<PlannedGroup> groups_;
};

TEST_F(MeasuredPrices, AreTheModelsWhereNothingWasMeasured) {
    MeasuredCosts costs(model_, {});
    for (const int op : {0, 1, 2}) {
        EXPECT_DOUBLE_EQ(predicted(op), cost_of(costs)->price({op}).cycles);
        EXPECT_DOUBLE_EQ(cost_of(*model_)->least_cycles(op), cost_of(costs)->least_cycles(op));
    }
}

TEST_F(MeasuredPrices, AreWhatWasMeasured) {
    MeasuredCosts costs(model_, {measured(0, 2.0), measured(2, 0.5)});
    EXPECT_DOUBLE_EQ(2.0 * predicted(0), cost_of(costs)->price({0}).cycles);
    EXPECT_DOUBLE_EQ(0.5 * predicted(2), cost_of(costs)->price({2}).cycles);
}

TEST_F(MeasuredPrices, AreScaledByTemplateElsewhere) {
    MeasuredCosts costs(model_, {measured(0, 2.0), measured(2, 0.5)});
    EXPECT_DOUBLE_EQ(2.0 * predicted(1), cost_of(costs)->price({1}).cycles);
    const double both = cost_of(*model_)->price({1, 2}).cycles;
    EXPECT_DOUBLE_EQ(0.5 * both, cost_of(costs)->price({1, 2}).cycles);
    // Of no template that was measured: by all of them.
    MeasuredCosts others(model_, {measured(2, 4.0)});
    EXPECT_DOUBLE_EQ(4.0 * predicted(0), cost_of(others)->price({0}).cycles);
}

TEST_F(MeasuredPrices, HaveBoundsThatStayBelow) {
    MeasuredCosts costs(model_, {measured(0, 2.0), measured(2, 0.5)});
    for (const int op : {0, 1, 2}) {
        EXPECT_LE(cost_of(costs)->least_cycles(op), cost_of(costs)->price({op}).cycles);
    }
}

TEST_F(MeasuredPrices, KeepTheModelsPlacement) {
    MeasuredCosts costs(model_, {measured(0, 2.0)});
    EXPECT_EQ(cost_of(*model_)->price({0, 1}).placement, cost_of(costs)->price({0, 1}).placement);
    EXPECT_EQ(cost_of(*model_)->price({0, 2}).refused, cost_of(costs)->price({0, 2}).refused);
}

}  // namespace

}  // namespace emulsion
