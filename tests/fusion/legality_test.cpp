#include "fusion/legality.h"

#include <gtest/gtest.h>

#include "tests/fusion/graphs.h"

namespace emulsion {

using test::GraphMaker;

TEST(Legality, AChainIsLegalAndItsLastMemberTheRoot) {
    GraphMaker m;
    m.relu("last", m.relu("relu", m.conv("conv", m.input())));
    EXPECT_EQ("", illegal_because(m.graph, m.graph.consumers(), {0, 1, 2}));
    EXPECT_EQ("", illegal_because(m.graph, m.graph.consumers(), {0, 1}));
    EXPECT_EQ("", illegal_because(m.graph, m.graph.consumers(), {1}));
}

TEST(Legality, AValueReadOutsideHasToBeMaterialised) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.relu("inside", y);
    m.relu("outside", y);
    EXPECT_EQ("'conv' is read outside of the group by 'outside'",
              illegal_because(m.graph, m.graph.consumers(), {0, 1}));
}

TEST(Legality, AnOutputHasToBeTheRoot) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(y);
    m.relu("relu", y);
    EXPECT_NE(std::string::npos,
              illegal_because(m.graph, m.graph.consumers(), {0, 1}).find("output"));
}

// conv -> outside -> add and conv -> add: a path leaves {conv, add} and comes back.
TEST(Legality, NoPathLeavesAGroupAndComesBack) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    const int z = m.relu("outside", y);
    m.add("add", y, z);
    EXPECT_NE("", illegal_because(m.graph, m.graph.consumers(), {0, 2}));
    EXPECT_EQ("", illegal_because(m.graph, m.graph.consumers(), {0, 1, 2}));
}

TEST(Legality, LoopNestsOfAGroupAgreeOnTheLayoutOfAConstant) {
    GraphMaker m;
    const int w = m.constant({8, 8});
    const auto product = [&](const std::string &name, int x, const std::vector<int> &order) {
        const int result = m.op(name, MappingType::ManyToMany, {x, w});
        m.last().operands.at(1).constant_layout.order = order;
        return result;
    };
    product("different", product("same", product("first", m.input(), {0, 1}), {0, 1}), {1, 0});
    EXPECT_EQ("", illegal_because(m.graph, m.graph.consumers(), {0, 1}));
    EXPECT_EQ("two of the group's loop nests want the constant 'v0' in different layouts",
              illegal_because(m.graph, m.graph.consumers(), {1, 2}));
}

TEST(Legality, MembersThatNobodyReadsAreNoGroup) {
    GraphMaker m;
    m.conv("one", m.input());
    m.conv("two", m.input());
    EXPECT_EQ("'one' is read by nobody", illegal_because(m.graph, m.graph.consumers(), {0, 1}));
}

}  // namespace emulsion
