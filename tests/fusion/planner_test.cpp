#include "fusion/planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>

#include "fusion/error.h"
#include "fusion/legality.h"
#include "fusion/policy.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;
using test::groups_of;
using test::refusal_between;

Plan plan(const OperatorGraph &graph, const std::string &policy = "gao2025", bool owns = true) {
    PlannerOptions options;
    options.policy = policy;
    options.owns_layouts = owns;
    return make_plan(graph, options);
}

// A group's operators as indices into the graph.
std::vector<int> members_of(const OperatorGraph &graph, const PlannedGroup &group) {
    std::vector<int> members;
    for (const PlannedMember &member : group.members) {
        const auto it =
            std::find_if(graph.operators.begin(), graph.operators.end(),
                         [&](const PlannerOperator &op) { return op.name == member.op; });
        EXPECT_NE(graph.operators.end(), it);
        members.push_back(static_cast<int>(it - graph.operators.begin()));
    }
    return members;
}

// What every plan promises: each operator once, legal groups, in an order in which values are written
// before they are read, one root and one loop nest per group, outputs as the caller has them.
void expect_consistent(const OperatorGraph &graph, const Plan &plan) {
    std::map<std::string, int> placed;
    std::vector<bool> written(plan.values.size());
    for (size_t v = 0; v < plan.values.size(); v++) {
        const auto value =
            std::find_if(graph.values.begin(), graph.values.end(),
                         [&](const Value &g) { return g.name == plan.values[v].name; });
        ASSERT_NE(graph.values.end(), value);
        written[v] = value->role == ValueRole::Constant;
    }
    for (const Value &value : graph.values) {
        const auto first =
            std::find_if(plan.values.begin(), plan.values.end(),
                         [&](const PlannedValue &p) { return p.name == value.name; });
        if (value.role == ValueRole::Input) {
            ASSERT_NE(plan.values.end(), first);
            written[static_cast<size_t>(first - plan.values.begin())] = true;
        }
    }
    for (const PlannedGroup &group : plan.groups) {
        for (int input : group.inputs) {
            EXPECT_TRUE(written.at(static_cast<size_t>(input)));
        }
        EXPECT_FALSE(written.at(static_cast<size_t>(group.output)));
        written[static_cast<size_t>(group.output)] = true;
        int roots = 0, nests = 0;
        for (const PlannedMember &member : group.members) {
            placed[member.op]++;
            nests += member.nest.empty() ? 0 : 1;
            for (const PlannedPart &part : member.parts) {
                roots += part.placement == Placement::Root ? 1 : 0;
            }
        }
        if (group.kind != GroupKind::Convert) {
            EXPECT_EQ(1, roots);
            EXPECT_EQ(1, nests);
            const std::vector<int> members = members_of(graph, group);
            EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
            EXPECT_EQ("", illegal_because(graph, members));
        }
    }
    for (const PlannerOperator &op : graph.operators) {
        EXPECT_EQ(1, placed[op.name]) << op.name;
    }
    for (const Value &value : graph.values) {
        const bool as_caller =
            std::any_of(plan.values.begin(), plan.values.end(), [&](const PlannedValue &p) {
                return p.name == value.name &&
                       p.layout == row_major(static_cast<int>(value.extents.size()));
            });
        EXPECT_TRUE(!value.is_output || as_caller) << value.name;
    }
}

}  // namespace

TEST(Planner, AConvolutionTakesTheElementWiseOperatorsBehindIt) {
    GraphMaker m;
    m.output(m.relu("clip", m.relu("relu", m.conv("conv", m.input()))));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv relu clip", groups_of(p));
    const PlannedGroup &group = p.groups.at(0);
    EXPECT_EQ((std::vector<PlannedPart>{{"sum", Placement::Register}, {"", Placement::Inline}}),
              group.members[0].parts);
    EXPECT_EQ((std::vector<PlannedPart>{{"", Placement::Root}}), group.members[2].parts);
    EXPECT_EQ("nest_of_conv", group.members[0].nest.template_name);
    EXPECT_EQ("conv | relu | clip", groups_of(plan(m.graph, "none")));
}

TEST(Planner, AValueWithTwoReadersStays) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(m.relu("one", y));
    m.output(m.relu("two", y));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | one | two", groups_of(p));
    EXPECT_NE("", refusal_between(p, "conv", "one"));
}

TEST(Planner, AnAdditionJoinsTheLaterConvolution) {
    GraphMaker m;
    const int x = m.input();
    const int first = m.conv("first", x);
    const int second = m.conv("second", x);
    m.output(m.relu("relu", m.add("add", second, first)));
    const Plan p = plan(m.graph);
    EXPECT_EQ("first | second add relu", groups_of(p));
    EXPECT_NE(std::string::npos, refusal_between(p, "first", "add").find("'second'"));
}

TEST(Planner, AnOutputBetweenIsMaterialised) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(y);
    m.output(m.relu("relu", y));
    EXPECT_NE(std::string::npos,
              refusal_between(plan(m.graph), "conv", "relu").find("output of the pipeline"));
    EXPECT_EQ("conv | convert | relu", groups_of(plan(m.graph)));
}

TEST(Planner, APoolTakesItsActivationButNoConvolution) {
    GraphMaker m;
    const int pool = m.op("pool", MappingType::ManyToMany, {m.conv("conv", m.input())});
    m.output(m.relu("relu", pool));
    EXPECT_EQ("conv | pool relu", groups_of(plan(m.graph)));
}

TEST(Planner, OnlyOneToOneEdgesAreEpilogues) {
    for (MappingType type : {MappingType::OneToMany, MappingType::Shuffle, MappingType::Reorganize,
                             MappingType::Opaque}) {
        GraphMaker m;
        m.output(m.op("consumer", type, {m.conv("conv", m.input())}));
        EXPECT_EQ("conv | consumer", groups_of(plan(m.graph)));
    }
}

TEST(Planner, AnInputIsConvertedOnceForAllReaders) {
    GraphMaker m;
    const int x = m.input();
    for (const char *name : {"one", "two"}) {
        m.output(m.conv(name, x));
        m.last().operands[0].innermost_axis = 1;
    }
    const Plan p = plan(m.graph);
    EXPECT_EQ("convert | one | two", groups_of(p));
    EXPECT_EQ(p.groups[0].output, p.groups[1].inputs[0]);
    EXPECT_EQ(p.groups[1].inputs, p.groups[2].inputs);
    EXPECT_EQ("one | two", groups_of(plan(m.graph, "gao2025", false)));
}

TEST(Planner, AReshapeOfARowMajorValueMovesNothing) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.last().innermost_axis = 1;
    const int flat = m.op("flatten", MappingType::Reorganize, {y}, {1, 288});
    m.output(m.op("gemm", MappingType::ManyToMany, {flat}));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | [flatten] | gemm", groups_of(p));
    EXPECT_EQ(2, p.launched_groups());
    const PlannedGroup &view = p.groups[1];
    EXPECT_EQ(view.inputs[0], p.values[static_cast<size_t>(view.output)].alias_of);
    EXPECT_EQ("conv | flatten | gemm", groups_of(plan(m.graph, "gao2025", false)));
}

TEST(Planner, AReshapeThatTheCallerSeesIsAKernel) {
    GraphMaker m;
    m.output(m.op("flatten", MappingType::Reorganize, {m.conv("conv", m.input())}, {1, 288}));
    EXPECT_EQ("conv | flatten", groups_of(plan(m.graph)));
}

TEST(Planner, AnOutputThatIsReadAgainExistsTwice) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.last().innermost_axis = 1;
    m.output(y);
    m.output(m.conv("next", y));
    m.last().operands[0].halo = {{}, {}, {1, 1}, {1, 1}};
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | convert | next", groups_of(p));
    expect_consistent(m.graph, p);
}

TEST(Planner, AGroupReadsAConstantInOneLayout) {
    const Layout blocked{{1, 0}, {}, 0.0, 0, 4};
    GraphMaker m;
    const int w = m.constant({8, 3});
    const int y = m.op("conv", MappingType::ManyToMany, {m.input(), w});
    m.last().operands[1].constant_layout = blocked;
    m.output(m.add("add", y, w));
    m.output(m.op("other", MappingType::OneToOne, {w}));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv add | other", groups_of(p));
    ASSERT_EQ(2U, p.groups[0].inputs.size());
    EXPECT_EQ(blocked, p.values[static_cast<size_t>(p.groups[0].inputs[1])].layout);
    EXPECT_EQ(row_major(2), p.values[static_cast<size_t>(p.groups[1].inputs[0])].layout);
}

TEST(Planner, AnUnknownPolicyIsRefusedAndTheKnownOnesAreNamed) {
    try {
        plan(GraphMaker().graph, "magic");
        FAIL();
    } catch (const Error &e) {
        EXPECT_EQ(2, e.exit_code());
        for (const char *word : {"magic", "gao2025", "none"}) {
            EXPECT_NE(std::string::npos, std::string(e.what()).find(word)) << e.what();
        }
    }
}

// With EMULSION_TEST_SEED in the environment, that seed alone.
TEST(Planner, PlansOfRandomGraphsAreLegalPartitions) {
    const char *replay = std::getenv("EMULSION_TEST_SEED");
    const uint64_t first =
        replay != nullptr ? std::strtoull(replay, nullptr, 10) : std::random_device()();
    const uint64_t count = replay != nullptr ? 1 : 2000;
    for (uint64_t seed = first; seed < first + count && !HasFailure(); seed++) {
        SCOPED_TRACE("EMULSION_TEST_SEED=" + std::to_string(seed));
        const OperatorGraph graph = test::random_graph(seed, 1 + static_cast<int>(seed % 14));
        for (const Policy *policy : all_policies()) {
            SCOPED_TRACE(policy->name);
            const Plan p = plan(graph, policy->name);
            expect_consistent(graph, p);
            EXPECT_EQ(p, plan(graph, policy->name));
            expect_consistent(graph, plan(graph, policy->name, false));
        }
    }
    std::cout << count << " graphs from EMULSION_TEST_SEED=" << first << "\n";
}

}  // namespace emulsion
