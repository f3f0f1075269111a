// Plans are judged by the costs that are handed in.
#include <gtest/gtest.h>

#include "fusion/cost/analytic_cost.h"
#include "fusion/planner.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

// The analytic model's, but for groups of several operators.
class OtherCost : public GroupCost {
public:
    OtherCost(const OperatorGraph &graph, const Machine &machine, std::vector<bool> free,
              double factor)
        : model_(graph, machine, std::move(free)), factor_(factor) {}

    GroupPrice price(const std::vector<int> &members) const override {
        GroupPrice price = model_.price(members);
        price.cycles *= members.size() > 1 ? factor_ : 1.0;
        return price;
    }

private:
    AnalyticCost model_;
    double factor_;
};

class OtherCosts : public CostSource {
public:
    OtherCosts(const Machine &machine, double factor) : machine_(machine), factor_(factor) {}

    std::unique_ptr<GroupCost> cost_of(const OperatorGraph &graph,
                                       std::vector<bool> free_operators) override {
        graphs++;
        return std::make_unique<OtherCost>(graph, machine_, std::move(free_operators), factor_);
    }

    int graphs = 0;

private:
    Machine machine_;
    double factor_;
};

size_t groups_with(double factor, bool *asked = nullptr) {
    GraphMaker m;
    m.output(m.relu("relu2", m.conv("conv2", m.relu("relu1", m.conv("conv1", m.input())))));
    PlannerOptions options;
    const auto costs = std::make_shared<OtherCosts>(options.machine, factor);
    options.costs = costs;
    const size_t groups = make_plan(m.graph, options).groups.size();
    if (asked != nullptr) {
        *asked = costs->graphs > 0;
    }
    return groups;
}

}  // namespace

TEST(CostSource, DecidesWhatIsFused) {
    bool asked = false;
    EXPECT_EQ(4U, groups_with(100.0, &asked));  // fusion is dear
    EXPECT_TRUE(asked);
    EXPECT_EQ(1U, groups_with(0.01));  // fusion is nearly free
}

TEST(CostSource, IsTheAnalyticModelWhereNoneIsGiven) {
    GraphMaker m;
    m.output(m.relu("relu", m.conv("conv", m.input())));
    const PlannerOptions options;
    PlannerOptions with_model = options;
    with_model.costs = std::make_shared<AnalyticCosts>(options.machine);
    EXPECT_EQ(make_plan(m.graph, options), make_plan(m.graph, with_model));
}

}  // namespace emulsion
