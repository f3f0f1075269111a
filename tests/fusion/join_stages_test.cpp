#include "fusion/policies/support/join_stages.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;

// Chains of products whose loop nests have rows.
class JoinStages : public testing::Test {
protected:
    int product(const std::string &name, int x, int64_t window = 1) {
        const int value = m.op(name, MappingType::ManyToMany, {x});
        ImplementationChoice &choice = m.last();
        choice.multiply_adds = 1e6;
        choice.nest.panels = {.row_axis = 2, .rows_parameter = "task_rows", .whole_axis = 1};
        choice.operands[0].footprint = {{{.axis = 0, .stride = 1},
                                         {.whole = true},
                                         {.axis = 2, .stride = 1, .window = window},
                                         {.whole = true}}};
        return value;
    }

    // Groups of one operator each, joined; the names of each group's members, panels in brackets.
    std::string joined(int result) {
        m.output(result);
        Partition alone;
        for (size_t i = 0; i < m.graph.operators.size(); i++) {
            alone.groups.push_back({{static_cast<int>(i)}, {}});
        }
        std::string text;
        for (const ChosenGroup &group : join_stages(m.graph, {.threads = 2}, alone).groups) {
            text += text.empty() ? "" : " | ";
            for (size_t i = 0; i < group.members.size(); i++) {
                const std::string &name =
                    m.graph.operators[static_cast<size_t>(group.members[i])].name;
                const bool panel =
                    std::count(group.panels.begin(), group.panels.end(), group.members[i]) > 0;
                text += (i == 0 ? "" : " ") + (panel ? "[" + name + "]" : name);
            }
        }
        return text;
    }

    GraphMaker m;
};

}  // namespace

TEST_F(JoinStages, AChainIsOneGroup) {
    EXPECT_EQ(joined(product("c", product("b", product("a", m.input())))), "[a] [b] c");
}

TEST_F(JoinStages, AValueThatTwoGroupsReadIsStored) {
    const int a = product("a", m.input());
    m.output(product("b", a));
    EXPECT_EQ(joined(product("c", a)), "a | b | c");
}

TEST_F(JoinStages, AnOutputIsStored) {
    const int a = product("a", m.input());
    m.output(a);
    EXPECT_EQ(joined(product("b", a)), "a | b");
}

TEST_F(JoinStages, WhatTheReaderExpectsAroundAValueIsNotInAPanel) {
    const int a = product("a", m.input());
    product("b", a);
    m.last().operands[0].halo = {{}, {}, {1, 1}, {1, 1}};
    EXPECT_EQ(joined(m.graph.operators.back().result), "a | b");
}

TEST_F(JoinStages, NothingIsComputedTwice) {
    EXPECT_EQ(joined(product("b", product("a", m.input()), 5)), "a | b");
}

TEST_F(JoinStages, ElementWiseGroupsStayApart) {
    EXPECT_EQ(joined(product("a", m.relu("relu", m.input()))), "relu | a");
}

TEST_F(JoinStages, AReasonThatNoLongerHoldsIsDropped) {
    m.output(product("b", product("a", m.input())));
    Partition alone{{{{0}, {}}, {{1}, {}}}, {{"a", "b", "apart"}, {"b", "c", "apart"}}};
    const Partition joined = join_stages(m.graph, {.threads = 2}, alone);
    ASSERT_EQ(joined.refusals.size(), 1U);
    EXPECT_EQ(joined.refusals[0].producer, "b");
}

}  // namespace emulsion
