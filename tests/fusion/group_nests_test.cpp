#include "fusion/group_nests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

// Suggests another number of rows, and twice as many elements, which are too many.
class RowsAndMore : public NestModel {
public:
    NestEstimate estimate(const Nest &, const Machine &) const override { return {}; }
    std::vector<Nest> suggest(const Nest &nest, const Machine &) const override {
        std::vector<Nest> nests(3, nest);
        nests[0].parameters["task_rows"] = 7;
        nests[1].parameters["vector"] = 2 * nest.parameters.at("vector");
        nests[2].parameters["serial"] = 1;
        return nests;
    }
};

PlannedMember member(const PlannerOperator &op, int stage, Placement placement) {
    PlannedMember made;
    made.op = op.name;
    made.parts = {{"", placement}};
    made.stage = stage;
    made.nest = op.implementation.nest.preferred();
    return made;
}

// Two convolutions, of which the first is a panel of the second, or is stored by itself.
class GroupNests : public testing::Test {
protected:
    GroupNests() {
        const int in = maker_.input({1, 8, 16, 16});
        const int first = maker_.op("first", MappingType::ManyToMany, {in});
        complete(maker_.last());
        maker_.op("second", MappingType::ManyToMany, {first});
        complete(maker_.last());
        pair_.members = {member(graph().operators[0], 0, Placement::Panel),
                         member(graph().operators[1], 1, Placement::Root)};
        alone_.members = {member(graph().operators[0], 0, Placement::Root)};
    }

    static void complete(ImplementationChoice &choice) {
        NestSpace &nest = choice.nest;
        nest.template_name = "rows";
        nest.parameters.push_back({"serial", NestType::Flag, "", {0, 1}, 0});
        nest.parameters.push_back({"remedy", NestType::Flag, "", {0, 1}, 0, true});
        nest.constraints = {{NestConstraint::Rule::ProductAtMost,
                             {"vector", "task_rows"},
                             64,
                             "computes more than 64 elements"}};
        nest.panels.unused_as_panel = {"task_rows", "serial"};
        nest.panels.unused_alone = {"task_rows"};
        nest.model = std::make_shared<RowsAndMore>();
    }

    const OperatorGraph &graph() const { return maker_.graph; }

    static const NestDomain &domain(const NestSpace &space, const std::string &name) {
        return space.find(name)->domain;
    }

    test::GraphMaker maker_;
    PlannedGroup pair_, alone_;
};

TEST_F(GroupNests, OfOneStageAreItsOwn) {
    EXPECT_EQ(alone_.members[0].nest, group_nest(alone_));
    EXPECT_EQ("", group_space(graph(), alone_).is_valid(group_nest(alone_)));
}

TEST_F(GroupNests, OfSeveralStagesAreNamedByThese) {
    const Nest nest = group_nest(pair_);
    EXPECT_EQ("rows+rows", nest.template_name);
    EXPECT_EQ((std::map<std::string, int64_t>{{"0.serial", 0},
                                              {"0.task_rows", 4},
                                              {"0.vector", 8},
                                              {"1.serial", 0},
                                              {"1.task_rows", 4},
                                              {"1.vector", 8}}),
              nest.parameters);
    EXPECT_EQ("", group_space(graph(), pair_).is_valid(nest));
}

TEST_F(GroupNests, AreGivenToTheirStages) {
    Nest nest = group_nest(pair_);
    nest.parameters["0.vector"] = 4;
    nest.parameters["1.task_rows"] = 6;
    PlannedGroup changed = pair_;
    set_group_nest(changed, nest);
    EXPECT_EQ(nest, group_nest(changed));
    EXPECT_EQ(4, changed.members[0].nest.parameters.at("vector"));
    EXPECT_EQ(8, changed.members[1].nest.parameters.at("vector"));
    EXPECT_EQ(6, changed.members[1].nest.parameters.at("task_rows"));
}

TEST_F(GroupNests, KeepWhatChangesNothing) {
    const NestSpace pair = group_space(graph(), pair_);
    EXPECT_EQ((NestDomain{4, 4}), domain(pair, "0.task_rows"));
    EXPECT_EQ((NestDomain{0, 0}), domain(pair, "0.serial"));
    EXPECT_EQ((NestDomain{1, 1024}), domain(pair, "1.task_rows"));
    EXPECT_EQ(nullptr, pair.find("0.remedy"));
    EXPECT_EQ((NestDomain{4, 4}), domain(group_space(graph(), alone_), "task_rows"));
}

TEST_F(GroupNests, ObeyTheRulesOfEveryStage) {
    Nest nest = group_nest(pair_);
    nest.parameters["1.task_rows"] = 9;
    EXPECT_EQ("loop nest 'rows+rows' computes more than 64 elements",
              group_space(graph(), pair_).is_valid(nest));
}

TEST_F(GroupNests, ThatNoOperatorIsOfferedStayAsTheyAre) {
    alone_.members[0].nest.parameters["vector"] = 3;
    const NestSpace space = group_space(graph(), alone_);
    EXPECT_EQ("", space.is_valid(group_nest(alone_)));
    EXPECT_EQ((NestDomain{0, 0}), domain(space, "serial"));
}

TEST_F(GroupNests, ThatAreSuggestedAreValidAndOthersThanPlanned) {
    const std::vector<Nest> nests = suggested_nests(graph(), pair_, CpuMachine());
    ASSERT_EQ(2u, nests.size());  // of the second stage: the first is a panel
    EXPECT_EQ(7, nests[0].parameters.at("1.task_rows"));
    EXPECT_EQ(1, nests[1].parameters.at("1.serial"));
    EXPECT_EQ(4, nests[1].parameters.at("0.task_rows"));
}

// As on a GPU, where the planner chooses among several.
TEST_F(GroupNests, OfSeveralPointsSuggestTheseWhereTheyHaveNoPanels) {
    for (PlannerOperator &op : maker_.graph.operators) {
        NestSpace &space = op.implementation.nest;
        for (const int64_t vector : {8, 4}) {
            space.points.push_back({space.preferred()});
            space.points.back().nest.parameters["vector"] = vector;
        }
    }
    const auto suggested = suggested_nests(graph(), alone_, CpuMachine());
    ASSERT_FALSE(suggested.empty());
    EXPECT_EQ(4, suggested.back().parameters.at("vector"));
    EXPECT_TRUE(suggested_nests(graph(), pair_, CpuMachine()).empty());
    for (const NestParameter &parameter : group_space(graph(), pair_).parameters) {
        EXPECT_EQ(parameter.domain.least, parameter.domain.most) << parameter.name;
    }
}

// One argument of the group's code has one layout.
TEST_F(GroupNests, KeepTheBlocksOfConstantsThatTheyShare) {
    const int weights = maker_.constant({8, 8});
    for (PlannerOperator &op : maker_.graph.operators) {
        op.implementation.nest.block_parameters = {"vector"};
        Operand operand{.value = weights};
        operand.constant_layout.order = {0, 1};
        operand.constant_layout.block_axis = 0;
        operand.constant_layout.block = 8;
        op.implementation.operands.push_back(operand);
    }
    EXPECT_EQ((NestDomain{8, 8}), domain(group_space(graph(), pair_), "1.vector"));
    EXPECT_EQ((NestDomain{4, 8}), domain(group_space(graph(), alone_), "vector"));
}

}  // namespace

}  // namespace emulsion
