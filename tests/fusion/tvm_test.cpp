// What TVM's fusion does with the graphs that tell it apart.
#include <gtest/gtest.h>

#include "fusion/cost/analytic_cost.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"

namespace emulsion::test {
namespace {

using Extents = std::vector<int64_t>;

const Extents kImage{1, 8, 6, 6};
const Extents kVector{1, 8, 1, 1};

// Short names for the operators of these graphs.
Partition partition_of(const OperatorGraph &graph) {
    const AnalyticCost cost(graph, {});
    return find_policy("tvm").partition({graph, cost, {}, {}});
}

class Maker : public GraphMaker {
public:
    int conv(const std::string &name, int x) {
        return node("Conv", name, MappingType::ManyToMany, {x});
    }
    int pool(const std::string &name, int x) {
        return node("MaxPool", name, MappingType::ManyToMany, {x});
    }
    int global_pool(const std::string &name, int x) {
        return node("GlobalAveragePool", name, MappingType::ManyToMany, {x}, kVector);
    }
    int relu(const std::string &name, int x) {
        return node("Relu", name, MappingType::OneToOne, {x});
    }
    int sigmoid(const std::string &name, int x) {
        return node("Sigmoid", name, MappingType::OneToOne, {x});
    }
    int binary(const std::string &type, const std::string &name, int a, int b) {
        return node(type, name, MappingType::OneToOne, {a, b});
    }
    int bias(const std::string &name, int x) { return binary("Add", name, x, constant({8, 1, 1})); }
    int transpose(const std::string &name, int x) {
        return node("Transpose", name, MappingType::Shuffle, {x});
    }
    int concat(const std::string &name, const std::vector<int> &from) {
        const int result = GraphMaker::concat(name, from, 1);
        graph.operators.back().origin = "Concat";
        return result;
    }
    // Names of the operators of each group.
    std::string groups(int result) {
        output(result);
        std::string text;
        for (const std::vector<int> &group : partition_of(graph).groups) {
            text += text.empty() ? "" : " | ";
            for (size_t i = 0; i < group.size(); i++) {
                text += (i == 0 ? "" : " ") + graph.operators[static_cast<size_t>(group[i])].name;
            }
        }
        return text;
    }
};

TEST(Tvm, AHeavyOperatorTakesTheElementWiseOnesThatFollow) {
    Maker m;
    EXPECT_EQ(m.groups(m.relu("relu", m.bias("bias", m.conv("conv", m.input())))),
              "conv bias relu");
}

TEST(Tvm, TheFirstOfTwoHeavyOperatorsTakesTheSum) {
    Maker m;
    const int first = m.conv("conv1", m.input()), second = m.conv("conv2", m.input());
    EXPECT_EQ(m.groups(m.relu("relu", m.binary("Add", "add", first, second))),
              "conv2 | conv1 add relu");
}

TEST(Tvm, TheFirstIsTheFirstOperandOfTheSum) {
    Maker m;
    const int first = m.conv("conv1", m.input()), second = m.conv("conv2", m.input());
    EXPECT_EQ(m.groups(m.binary("Add", "add", second, first)), "conv1 | conv2 add");
}

TEST(Tvm, AGateOfTheValueItselfJoins) {
    Maker m;
    const int conv = m.conv("conv", m.input());
    EXPECT_EQ(m.groups(m.binary("Mul", "mul", conv, m.sigmoid("sigmoid", conv))),
              "conv sigmoid mul");
}

TEST(Tvm, APoolIsAHeavyOperatorOfItsOwn) {
    Maker m;
    EXPECT_EQ(m.groups(m.relu("relu", m.pool("pool", m.conv("conv", m.input())))),
              "conv | pool relu");
}

TEST(Tvm, AReductionTakesTheElementWiseOperatorBeforeIt) {
    Maker m;
    const int relu = m.relu("relu", m.input());
    EXPECT_EQ(m.groups(m.node("ReduceMean", "mean", MappingType::ManyToMany, {relu}, kVector)),
              "relu mean");
}

TEST(Tvm, AHeavyOperatorTakesNoDataMovement) {
    Maker m;
    EXPECT_EQ(m.groups(m.transpose("transpose", m.relu("relu", m.conv("conv", m.input())))),
              "conv relu | transpose");
}

TEST(Tvm, ElementWiseOperatorsAndDataMovementJoin) {
    Maker m;
    const int add = m.bias("add", m.input());
    EXPECT_EQ(m.groups(m.relu("relu", m.transpose("transpose", add))), "add transpose relu");
}

TEST(Tvm, AConcatenationOfHeavyGroupsIsAGroup) {
    Maker m;
    const int a = m.relu("r1", m.conv("c1", m.input())), b = m.relu("r2", m.conv("c2", m.input()));
    EXPECT_EQ(m.groups(m.concat("concat", {a, b})), "c1 r1 | c2 r2 | concat");
}

TEST(Tvm, AConcatenationTakesTheDataMovementBeforeIt) {
    Maker m;
    const int a = m.transpose("t1", m.input()), b = m.transpose("t2", m.input());
    EXPECT_EQ(m.groups(m.relu("relu", m.concat("concat", {a, b}))), "t1 t2 concat relu");
}

TEST(Tvm, TheGateOfSqueezeAndExciteStaysApart) {
    Maker m;
    const int x = m.relu("relu", m.conv("conv", m.input()));
    const int gate = m.sigmoid("sigmoid", m.conv("fc", m.global_pool("pool", x)));
    EXPECT_EQ(m.groups(m.binary("Mul", "mul", x, gate)), "conv relu | pool | fc sigmoid | mul");
}

TEST(Tvm, ADecomposedSoftmaxIsFourGroups) {
    Maker m;
    const int x = m.input();
    const auto reduce = [&](const char *type, const char *name, int from) {
        return m.node(type, name, MappingType::ManyToMany, {from}, kVector);
    };
    const int exp = m.node("Exp", "exp", MappingType::OneToOne,
                           {m.binary("Sub", "sub", x, reduce("ReduceMax", "max", x))});
    EXPECT_EQ(m.groups(m.binary("Div", "div", exp, reduce("ReduceSum", "sum", exp))),
              "max | sub exp | sum | div");
}

TEST(Tvm, OutputsStayRoots) {
    Maker m;
    const int conv = m.conv("conv", m.input());
    m.output(conv);
    EXPECT_EQ(m.groups(m.relu("relu", conv)), "conv | relu");
}

TEST(Tvm, EveryEdgeBetweenGroupsHasAReason) {
    Maker m;
    const int conv = m.conv("conv", m.input());
    m.output(m.transpose("transpose", conv));
    const Partition partition = partition_of(m.graph);
    ASSERT_EQ(partition.refusals.size(), 1U);
    EXPECT_EQ(partition.refusals[0].producer, "conv");
    EXPECT_EQ(partition.refusals[0].consumer, "transpose");
    EXPECT_NE(partition.refusals[0].reason.find("heavy operator"), std::string::npos);
}

}  // namespace
}  // namespace emulsion::test
