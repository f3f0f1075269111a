// What a laid-out graph says before any group is known is what plans of it have.
#include "fusion/laid_out_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "fusion/build_plan.h"
#include "fusion/cost/analytic_cost.h"
#include "fusion/place_members.h"
#include "fusion/preferred_orders.h"
#include "tests/fusion/for_seeds.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;
using test::groups_of;

template<typename Named>
int index_named(const std::vector<Named> &list, const std::string &name) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const Named &each) { return each.name == name; });
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

// Holds a plan against the laid-out graph that it is of.
class Promises {
public:
    Promises(const LaidOutGraph &laid_out, const Plan &plan, const Machine &machine)
        : laid_out_(laid_out), plan_(plan), copies_(laid_out.copies(), machine) {}

    void expect_kept() {
        for (size_t v = 0; v < laid_out_.graph().values.size(); v++) {
            expect_conversion(laid_out_.input_conversion(static_cast<int>(v)));
            expect_conversion(laid_out_.output_conversion(static_cast<int>(v)));
        }
        for (const PlannedGroup &group : plan_.groups) {
            switch (group.kind) {
            case GroupKind::Convert: made_.insert(group.members.at(0).op); break;
            case GroupKind::View: expect_view(group); break;
            case GroupKind::Compute: expect_computed(group); break;
            }
        }
        for (const PlannedGroup &group : plan_.groups) {
            if (group.kind == GroupKind::Convert) {
                expect_planned(group);
            }
        }
        EXPECT_EQ(expected_, made_);
    }

private:
    const PlannedValue &planned(int v) const { return plan_.values.at(static_cast<size_t>(v)); }
    int value_of(int planned_value) const {
        return index_named(laid_out_.graph().values, planned(planned_value).name);
    }
    int operator_of(const PlannedMember &member) const {
        return index_named(laid_out_.graph().operators, member.op);
    }

    void expect_conversion(int conversion) {
        if (conversion >= 0) {
            expected_.insert(laid_out_.copies().operators.at(static_cast<size_t>(conversion)).name);
        }
    }

    void expect_view(const PlannedGroup &group) {
        ASSERT_EQ(1U, group.members.size());
        const int op = operator_of(group.members.front());
        const ViewKind view = laid_out_.view(op);
        EXPECT_NE(ViewKind::None, view);
        EXPECT_EQ(0.0, group.cycles);
        for (const int input : group.inputs) {
            EXPECT_EQ(plan_.owner(group.output), plan_.owner(input));
        }
        EXPECT_EQ(laid_out_.layout(value_of(group.output)), planned(group.output).layout);
        if (view != ViewKind::Concatenate) {
            ASSERT_EQ(1U, group.inputs.size());
            EXPECT_EQ(laid_out_.layout(value_of(group.inputs[0])), planned(group.inputs[0]).layout);
            return;
        }
        const std::vector<ConcatenatedPart> &parts = laid_out_.parts(op);
        ASSERT_EQ(parts.size(), group.inputs.size());
        for (size_t i = 0; i < parts.size(); i++) {
            expect_conversion(parts[i].conversion);
            EXPECT_EQ(value_of(group.inputs[i]), parts[i].value);
            EXPECT_EQ(parts[i].conversion < 0 ? laid_out_.layout(parts[i].value)
                                              : laid_out_.conversion(parts[i].conversion).to,
                      planned(group.inputs[i]).layout);
        }
    }

    // Prices are for values that lie so.
    void expect_computed(const PlannedGroup &group) {
        if (group.members.size() == 1) {
            EXPECT_EQ(ViewKind::None, laid_out_.view(operator_of(group.members.front())))
                << group.members.front().op;
        }
        EXPECT_GT(group.cycles, 0.0);
        std::vector<int> values = group.inputs;
        values.push_back(group.output);
        for (const int v : values) {
            const Value &value = laid_out_.graph().values.at(static_cast<size_t>(value_of(v)));
            if (value.role != ValueRole::Constant) {
                EXPECT_EQ(laid_out_.layout(value_of(v)), planned(v).layout) << value.name;
            }
        }
    }

    // A conversion is planned as a group of one operator that copies.
    void expect_planned(const PlannedGroup &group) {
        const int index = index_named(laid_out_.copies().operators, group.members.at(0).op);
        ASSERT_GE(index, 0);
        const Conversion &conversion = laid_out_.conversion(index);
        ASSERT_EQ(1U, group.inputs.size());
        for (const int v : {group.inputs[0], group.output}) {
            EXPECT_EQ(conversion.value, value_of(v));
        }
        EXPECT_EQ(conversion.from, planned(group.inputs[0]).layout);
        EXPECT_EQ(conversion.to, planned(group.output).layout);
        const GroupPrice price = copies_.price({index});
        EXPECT_EQ(price.cycles, group.cycles);
        EXPECT_GT(group.cycles, 0.0);
        EXPECT_EQ(place_members(laid_out_.copies(), {{index}, price.placement}), group.members);
        EXPECT_FALSE(group.members.at(0).nest.empty());
    }

    const LaidOutGraph &laid_out_;
    const Plan &plan_;
    const AnalyticCost copies_;
    std::set<std::string> expected_, made_;  // names of conversions
};

MoveWays random_ways(const OperatorGraph &graph, std::mt19937_64 &engine) {
    constexpr MoveWay kWays[] = {MoveWay::Moved, MoveWay::Free, MoveWay::Read, MoveWay::Written,
                                 MoveWay::Converted};
    MoveWays ways;
    for (size_t i = 0; i < graph.operators.size(); i++) {
        ways.push_back(kWays[engine() % std::size(kWays)]);
    }
    return ways;
}

}  // namespace

TEST(LaidOutGraph, IsWhatPlansOfRandomGraphsHave) {
    std::map<ViewKind, int> views;
    int conversions = 0;
    test::for_seeds(4.0, 1, [&](uint64_t seed) {
        std::mt19937_64 engine(seed);
        const OperatorGraph graph = test::random_graph(seed, 1 + static_cast<int>(seed % 14));
        PlannerOptions options;
        options.machine.cpu().threads = 1 + static_cast<int>(seed % 3);
        Policy policy = *all_policies()[engine() % all_policies().size()];
        policy.absorbs_copies = engine() % 3 != 0;
        LayoutOptions layouts =
            layout_options(options.machine, true, policy.absorbs_copies,
                           policy.absorbs_copies ? random_ways(graph, engine) : MoveWays());
        layouts.aligned = engine() % 2 == 0 ? 1 : 4;
        const LaidOutGraph laid_out(graph, layouts);
        AnalyticCosts costs(options.machine);
        const Plan plan = build_plan(laid_out, options, policy, costs);
        Promises(laid_out, plan, options.machine).expect_kept();
        for (size_t i = 0; i < graph.operators.size(); i++) {
            views[laid_out.view(static_cast<int>(i))]++;
        }
        conversions += static_cast<int>(laid_out.copies().operators.size());
    });
    EXPECT_EQ(5U, views.size()) << "some kind of view was not tried";
    EXPECT_GT(conversions, 0);
}

TEST(LaidOutGraph, OfAForeignPipelineConvertsNothing) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 8);
        const LaidOutGraph laid_out(graph, layout_options(Machine(), false, true, {}));
        EXPECT_TRUE(laid_out.copies().operators.empty());
        EXPECT_EQ(std::vector<bool>(graph.operators.size(), false), laid_out.free_operators());
        for (size_t v = 0; v < graph.values.size(); v++) {
            if (graph.values[v].role != ValueRole::Intermediate || graph.values[v].is_output) {
                EXPECT_EQ(caller_layout(graph.values[v]), laid_out.layout(static_cast<int>(v)));
            }
        }
    }
}

TEST(LaidOutGraph, AReshapeOfAConstantIsNoView) {
    GraphMaker m;
    const int flat = m.op("flatten", MappingType::Reorganize, {m.constant({8, 36})}, {288});
    m.output(m.relu("relu", flat));
    const LaidOutGraph laid_out(m.graph, layout_options(Machine(), true, true, {}));
    EXPECT_EQ(ViewKind::None, laid_out.view(0));
    EXPECT_FALSE(laid_out.free_operators().at(0));
}

TEST(LaidOutGraph, ConversionsAreNamedByWhatTheyAreFor) {
    GraphMaker m;
    const int x = m.input({1, 8, 6, 6});
    const int y = m.conv("conv", x);
    m.last().innermost_axis = m.last().operands[0].innermost_axis = 1;
    m.output(y);
    m.conv("next", y);
    m.last().operands[0].innermost_axis = 1;
    m.output(m.conv("last", m.concat("both", {m.relu("relu", y), y}, 1)));
    const LaidOutGraph laid_out(m.graph, layout_options(Machine(), true, true, {}));
    std::set<std::string> names;
    for (const PlannerOperator &copy : laid_out.copies().operators) {
        names.insert(copy.name);
    }
    EXPECT_EQ((std::set<std::string>{"input " + m.graph.values[static_cast<size_t>(x)].name,
                                     "output " + m.graph.values[static_cast<size_t>(y)].name,
                                     "operand 1 of both"}),
              names);
}

TEST(LaidOutGraph, IsMadeAgainFromAPlan) {
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const OperatorGraph graph = test::random_graph(seed, 1 + static_cast<int>(seed % 14));
        PlannerOptions options;
        options.policy = seed % 4 == 0 ? "tvm" : "gao2025";
        const Plan plan = make_plan(graph, options);
        const LaidOutGraph laid_out(graph, layout_options(graph, options.machine, plan));
        Promises(laid_out, plan, options.machine).expect_kept();
    }
}

}  // namespace emulsion
