#include "fusion/group_facts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "fusion/group_nests.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

// As many cycles as rows; as many tasks as elements of a vector.
class CyclesOfRows : public NestModel {
public:
    NestEstimate estimate(const Nest &nest, const Machine &) const override {
        return {.cycles = static_cast<double>(nest.parameters.at("task_rows")),
                .tasks = static_cast<double>(nest.parameters.at("vector"))};
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

double fact(const std::vector<Fact> &facts, const std::string &name) {
    for (const Fact &each : facts) {
        if (each.name == name) {
            return each.value;
        }
    }
    ADD_FAILURE() << "no fact " << name;
    return 0.0;
}

// Two stages, of which the second, the last, stores the result and has a model.
class GroupFacts : public testing::Test {
protected:
    GroupFacts() {
        const int in = maker_.input({1, 8, 16, 16});
        const int first = maker_.op("first", MappingType::ManyToMany, {in});
        maker_.last().nest.template_name = "rows";
        maker_.op("second", MappingType::ManyToMany, {first});
        maker_.last().nest.template_name = "tiles";
        maker_.last().nest.model = std::make_shared<CyclesOfRows>();
        maker_.last().multiply_adds = 2048.0 * 9.0;
        group_.members = {member(maker_.graph.operators[0], 0, Placement::Panel),
                          member(maker_.graph.operators[1], 1, Placement::Root)};
    }

    double of(const PointFacts &facts, const Nest &nest, const std::string &name) const {
        const std::vector<double> values = facts.of(nest);
        EXPECT_EQ(facts.names().size(), values.size());
        for (size_t i = 0; i < values.size(); i++) {
            if (facts.names()[i] == name) {
                return values[i];
            }
        }
        ADD_FAILURE() << "no fact " << name;
        return 0.0;
    }

    test::GraphMaker maker_;
    PlannedGroup group_;
};

TEST_F(GroupFacts, CountStagesFromTheLast) {
    const auto facts = group_facts(maker_.graph, group_, Machine());
    Nest nest = group_nest(group_);
    nest.parameters["1.task_rows"] = 15;
    nest.parameters["1.vector"] = 1;
    EXPECT_DOUBLE_EQ(4.0, of(*facts, nest, "s0.cycles"));
    EXPECT_DOUBLE_EQ(1.0, of(*facts, nest, "s0.tasks"));
    EXPECT_TRUE(std::isnan(of(*facts, nest, "s1.cycles"))) << "nothing is known of it";
    EXPECT_DOUBLE_EQ(4.0, of(*facts, nest, "cycles")) << "of what is known";
}

TEST_F(GroupFacts, DescribeTheProblem) {
    const auto facts = group_facts(maker_.graph, group_, Machine());
    const std::vector<Fact> &problem = facts->of_problem();
    EXPECT_DOUBLE_EQ(2.0, fact(problem, "stages"));
    EXPECT_DOUBLE_EQ(1.0, fact(problem, "s0.is_tiles"));
    EXPECT_DOUBLE_EQ(1.0, fact(problem, "s1.is_rows"));
    EXPECT_DOUBLE_EQ(std::log2(9.0), fact(problem, "s0.extent1"));
    EXPECT_DOUBLE_EQ(std::log2(2049.0), fact(problem, "s0.elements"));
    EXPECT_DOUBLE_EQ(std::log2(10.0), fact(problem, "s0.steps"));
}

TEST_F(GroupFacts, OutliveWhatTheyAreOf) {
    auto maker = std::make_unique<test::GraphMaker>(maker_);
    auto group = std::make_unique<PlannedGroup>(group_);
    const auto facts = group_facts(maker->graph, *group, Machine());
    maker.reset();
    group.reset();
    EXPECT_FALSE(facts->of(group_nest(group_)).empty());
}

}  // namespace

}  // namespace emulsion
