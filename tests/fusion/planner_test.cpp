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
#include "fusion/preferred_orders.h"
#include "tests/fusion/graphs.h"

namespace emulsion {

namespace {

using test::GraphMaker;
using test::groups_of;
using test::refusal_between;

// On a machine whose caches have no room for values inside of a group, unless it is given: groups
// are single loop nests.
Plan plan(const OperatorGraph &graph, const std::string &policy = "gao2025", bool owns = true,
          int64_t l2_bytes = 512) {
    PlannerOptions options;
    options.machine.cpu().l2_bytes = options.machine.cpu().l3_bytes = l2_bytes;
    // Of operators that take hardly any time: whatever can be one group is one.
    options.machine.cpu().launch_cycles = 10000.0;
    options.policy = policy;
    options.owns_layouts = owns;
    return make_plan(graph, options);
}

// Every operator a group by itself, views where copies can be absorbed.
Plan plan_apart(const OperatorGraph &graph) {
    Policy apart = find_policy("none");
    apart.absorbs_copies = true;
    return make_plan(graph, {}, apart);
}

// Where `value` lies in the first place.
const PlannedValue &value_named(const Plan &p, const OperatorGraph &graph, int value) {
    const auto it = std::find_if(p.values.begin(), p.values.end(), [&](const PlannedValue &v) {
        return v.name == graph.values[static_cast<size_t>(value)].name;
    });
    EXPECT_NE(p.values.end(), it);
    return *it;
}

// A group's operators as indices into the graph; none of a conversion.
std::vector<int> members_of(const OperatorGraph &graph, const PlannedGroup &group) {
    std::vector<int> members;
    if (group.kind == GroupKind::Convert) {
        return members;
    }
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
    std::vector<std::vector<int>> all_members;
    for (const PlannedGroup &group : plan.groups) {
        all_members.push_back(members_of(graph, group));
    }
    const std::vector<bool> duplicated = duplicated_operators(graph, all_members);
    for (const PlannedGroup &group : plan.groups) {
        for (int input : group.inputs) {
            EXPECT_TRUE(written.at(static_cast<size_t>(input)));
        }
        const auto output = static_cast<size_t>(group.output);
        // A concatenation's operands have been written when its turn comes.
        const bool in_place = std::all_of(group.inputs.begin(), group.inputs.end(), [&](int input) {
            return plan.owner(input) == plan.owner(group.output);
        });
        EXPECT_TRUE(!written.at(output) || (group.kind == GroupKind::View && in_place));
        written[static_cast<size_t>(group.output)] = true;
        int roots = 0, nests = 0, kept = 0;
        for (const PlannedMember &member : group.members) {
            placed[member.op] += group.kind == GroupKind::Convert ? 0 : 1;
            nests += member.nest.empty() ? 0 : 1;
            for (const PlannedPart &part : member.parts) {
                roots += part.placement == Placement::Root ? 1 : 0;
                kept += part.placement == Placement::Root || part.placement == Placement::Panel ||
                                part.placement == Placement::Whole
                            ? 1
                            : 0;
            }
        }
        EXPECT_EQ(1, roots);
        EXPECT_EQ(kept, nests);
        if (group.kind != GroupKind::Convert) {
            const std::vector<int> members = members_of(graph, group);
            EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
            EXPECT_EQ("", illegal_because(graph, graph.consumers(), members, duplicated));
        }
    }
    for (const PlannerOperator &op : graph.operators) {
        const bool listed = std::any_of(
            plan.duplications.begin(), plan.duplications.end(), [&](const PlannedDuplication &d) {
                return std::find(d.ops.begin(), d.ops.end(), op.name) != d.ops.end();
            });
        EXPECT_GE(placed[op.name], listed ? 2 : 1) << op.name;
        EXPECT_TRUE(listed || placed[op.name] == 1) << op.name;
    }
    for (const Value &value : graph.values) {
        const bool as_caller =
            std::any_of(plan.values.begin(), plan.values.end(), [&](const PlannedValue &p) {
                return p.name == value.name && is_dense_row_major(value.extents, p.layout);
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

TEST(Planner, ReadersOfAValueJoinItTogether) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(m.add("mul", y, m.relu("sigmoid", y)));
    EXPECT_EQ("conv sigmoid mul", groups_of(plan(m.graph)));
}

TEST(Planner, ADiamondThatDoesNotCloseLeavesWhatWasClosed) {
    GraphMaker m;
    const int y = m.relu("relu", m.conv("conv", m.input()));
    m.output(m.add("add", m.relu("side", y), m.conv("next", y)));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv relu | next side add", groups_of(p));
    EXPECT_NE("", refusal_between(p, "relu", "next"));
}

TEST(Planner, AnElementWiseOperatorStartsAGroupWhereNoReductionDoes) {
    GraphMaker m;
    const int x = m.input();
    m.output(m.relu("relu", m.add("add", x, m.input())));
    EXPECT_EQ("add relu", groups_of(plan(m.graph)));
}

TEST(Planner, APartOfAValueIsNoEpilogue) {
    GraphMaker m;
    const int y = m.conv("conv", m.input({1, 8, 6, 6}));
    m.output(m.op("part", MappingType::OneToOne, {y}, {1, 4, 6, 6}));
    EXPECT_EQ("conv | part", groups_of(plan(m.graph)));
}

TEST(Planner, OperandsOfAConcatenationAreWrittenInPlace) {
    GraphMaker m;
    const int x = m.input({1, 8, 6, 6});
    const int a = m.conv("a", x), b = m.relu("b_relu", m.conv("b", x));
    const int both = m.concat("concat", {a, b}, 1);
    m.output(m.conv("last", m.relu("relu", both)));
    const Plan p = plan(m.graph);
    EXPECT_EQ("a | b b_relu | [concat] | relu last", groups_of(p));
    const PlannedGroup &view = p.groups.at(2);
    ASSERT_EQ(2U, view.inputs.size());
    const auto extents = [](int) { return std::vector<int64_t>{1, 8, 6, 6}; };
    for (int input : view.inputs) {
        EXPECT_EQ(view.output, p.owner(input));
    }
    EXPECT_EQ(0, p.start(view.inputs[0], extents));
    EXPECT_EQ(8 * 36, p.start(view.inputs[1], extents));
    EXPECT_EQ("a | b | b_relu | concat | relu | last", groups_of(plan(m.graph, "none")));
}

// As an exclusive CumSum of one element, which is zero.
TEST(Planner, AResultThatReadsNothingIsWrittenIntoAConcatenation) {
    GraphMaker m;
    const int zero = m.op("zero", MappingType::OneToOne, {}, {1, 8, 6, 6});
    m.output(m.concat("concat", {m.conv("a", m.input()), zero}, 1));
    EXPECT_EQ("zero | a | [concat]", groups_of(plan(m.graph)));
    EXPECT_EQ("zero | a | concat", groups_of(plan(m.graph, "none")));
}

TEST(Planner, OperandsThatCanNotBeWrittenInPlaceAreCopied) {
    GraphMaker m;
    const int x = m.input();
    const int a = m.conv("a", x);
    // An input, the same value twice, a constant; a value in two concatenations.
    const int first = m.concat("first", {x, a, a, m.constant({1, 8, 6, 6})}, 1);
    const int second = m.concat("second", {a, m.conv("b", x)}, 1);
    m.output(m.relu("relu1", first));
    m.output(m.relu("relu2", second));
    EXPECT_EQ("a | convert | convert | convert | [first] | b | convert | [second] | relu1 | relu2",
              groups_of(plan_apart(m.graph)));
}

TEST(Planner, ConcatenationsOfConcatenationsLieInOneAnother) {
    GraphMaker m;
    const int x = m.input({1, 8, 6, 6});
    const int inner = m.concat("inner", {m.conv("a", x), m.conv("b", x)}, 1);
    const int outer = m.concat("outer", {m.conv("c", x), inner}, 1);
    m.output(m.conv("last", outer));
    const Plan p = plan(m.graph);
    EXPECT_EQ("a | b | [inner] | c | [outer] | last", groups_of(p));
    const std::vector<int> inputs = p.groups.at(2).inputs;
    const auto extents = [&](int v) {
        for (const Value &value : m.graph.values) {
            if (value.name == p.values[static_cast<size_t>(v)].name) {
                return value.extents;
            }
        }
        return std::vector<int64_t>();
    };
    EXPECT_EQ(8 * 36, p.start(inputs[0], extents));
    EXPECT_EQ(16 * 36, p.start(inputs[1], extents));
}

TEST(Planner, ASliceIsReadWhereTheWholeLies) {
    GraphMaker m;
    const int y = m.conv("conv", m.input({1, 8, 6, 6}));
    const int half = m.slice("half", y, {0, 4, 0, 0}, {1, 4, 6, 6});
    m.output(m.conv("next", half));
    m.output(m.conv("other", y));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | [half] | next | other", groups_of(p));
    EXPECT_EQ(4 * 36, p.start(p.groups[1].output, [&](int v) {
        return v == p.groups[1].output ? std::vector<int64_t>{1, 4, 6, 6}
                                       : std::vector<int64_t>{1, 8, 6, 6};
    }));
}

TEST(Planner, ATransposeIsReadWithItsAxesInAnotherOrder) {
    GraphMaker m;
    const int y = m.relu("relu", m.conv("conv", m.input({1, 4, 6, 8})));
    const int z = m.transpose("transpose", y, {0, 2, 3, 1});
    m.output(m.op("product", MappingType::ManyToMany, {z}));
    for (AxisReach &reach : m.last().operands.front().footprint.axes) {
        reach = {.whole = true};  // no vectors of it
    }
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv relu | [transpose] | product", groups_of(p));
    const PlannedValue &moved = value_named(p, m.graph, z);
    EXPECT_EQ(m.graph.values[static_cast<size_t>(y)].name,
              p.values.at(static_cast<size_t>(moved.alias_of)).name);
    EXPECT_EQ((std::vector<int>{0, 3, 1, 2}), moved.layout.order);
}

// A reader that takes vectors of every element, nine times and more, and a producer without a wish.
TEST(Planner, ATransposeIsWrittenWhereReadingAcrossWouldBeDearer) {
    GraphMaker m;
    const int y = m.relu("relu", m.input({1, 64, 56, 56}));
    m.last().innermost_axis = 3;
    const int z = m.transpose("transpose", y, {0, 2, 3, 1});
    m.output(m.op("product", MappingType::ManyToMany, {z}));
    const Plan p = plan(m.graph);
    EXPECT_EQ("relu | [transpose] | product", groups_of(p));
    EXPECT_EQ(row_major(4).order, value_named(p, m.graph, z).layout.order);
    EXPECT_GT(p.search.layouts, 1);
}

// The same with a producer whose loop nest can't compute blocks: a kernel that can is faster.
TEST(Planner, ATransposeIsMovedWhereBothSidesWouldPayMore) {
    GraphMaker m;
    const int y = m.conv("conv", m.input({1, 256, 56, 56}));
    m.last().innermost_axis = 1;
    const int z = m.transpose("transpose", y, {0, 1, 3, 2});
    m.last().nest.crossing_parameter = "crossing";
    m.output(m.op("product", MappingType::ManyToMany, {z}));
    m.last().innermost_axis = m.last().operands.front().innermost_axis = 3;
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | transpose | product", groups_of(p));
    // The kernel's own loops know along which axis its operand's lines lie.
    EXPECT_EQ(1, p.groups.at(1).members.front().nest.parameters.at("crossing"));
}

TEST(Planner, WhatIsTransposedForTheCallerIsWrittenInItsPlace) {
    GraphMaker m;
    const int y = m.relu("relu", m.conv("conv", m.input({1, 4, 6, 8})));
    const int z = m.transpose("transpose", y, {0, 2, 3, 1});
    m.output(z);
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv relu | [transpose]", groups_of(p));
    const PlannedValue &written = value_named(p, m.graph, y);
    EXPECT_EQ(m.graph.values[static_cast<size_t>(z)].name,
              p.values.at(static_cast<size_t>(written.alias_of)).name);
    EXPECT_EQ((std::vector<int>{0, 2, 3, 1}), written.layout.order);
    // A policy that leaves copies to kernels has one more.
    EXPECT_EQ("conv | relu | transpose", groups_of(plan(m.graph, "none")));
}

// Elements that are written one by one cost more than to turn blocks of them in registers later.
TEST(Planner, AResultForTheCallerIsConvertedWhereWritingItInTheCallersOrderWouldBeDearer) {
    const auto groups = [](int64_t size, const std::string &policy) {
        GraphMaker m;
        m.output(m.conv("conv", m.input({1, 64, size, size})));
        m.last().innermost_axis = 1;
        PlannerOptions options;
        options.policy = policy;
        return groups_of(make_plan(m.graph, options));
    };
    EXPECT_EQ("conv | convert", groups(128, "gao2025"));
    EXPECT_EQ("conv", groups(2, "gao2025"));
    // A policy that leaves copies to kernels writes as it always has.
    EXPECT_EQ("conv", groups(128, "none"));
}

TEST(Planner, AnOutputIsNoSlice) {
    GraphMaker m;
    const int y = m.conv("conv", m.input({1, 8, 6, 6}));
    m.output(m.slice("half", y, {0, 4, 0, 0}, {1, 4, 6, 6}));
    const int z = m.conv("part", m.input({1, 8, 6, 6}));
    m.output(z);
    m.output(m.conv("last", m.concat("concat", {y, z}, 1)));
    EXPECT_EQ("conv | half | part | convert | [concat] | last", groups_of(plan_apart(m.graph)));
}

TEST(Planner, AHaloLiesAroundTheWholeAndAllItsSlices) {
    GraphMaker m;
    const int x = m.input({1, 8, 6, 6});
    const int a = m.conv("a", x), b = m.conv("b", x);
    const int y = m.conv("last", m.concat("concat", {a, b}, 1));
    m.last().operands.front().halo = {{}, {1, 1}, {1, 1}, {2, 2}};
    m.output(y);
    const Plan p = plan(m.graph);
    const PlannedGroup &view = p.groups.at(2);
    for (int v : {view.inputs[0], view.inputs[1], view.output}) {
        const Layout &layout = p.values[static_cast<size_t>(v)].layout;
        EXPECT_EQ((Margin{1, 1}), layout.margin(2));
        EXPECT_EQ((Margin{2, 2}), layout.margin(3));
        // Beyond one part lies the other.
        EXPECT_EQ(v == view.output ? (Margin{1, 1}) : Margin{}, layout.margin(1));
    }
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
    const int x = m.input({1, 64, 56, 56});  // too large to be kept whole
    const int first = m.conv("first", x);
    const int second = m.conv("second", x);
    m.output(m.relu("relu", m.add("add", second, first)));
    const Plan p = plan(m.graph);
    EXPECT_EQ("first | second add relu", groups_of(p));
    EXPECT_NE("", refusal_between(p, "first", "add"));
}

TEST(Planner, AnOutputBetweenIsMaterialised) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(y);
    m.output(m.relu("relu", y));
    EXPECT_NE(std::string::npos,
              refusal_between(plan(m.graph), "conv", "relu").find("output of the pipeline"));
    EXPECT_EQ("conv | relu", groups_of(plan(m.graph)));
}

TEST(Planner, APoolTakesItsActivationButNoConvolution) {
    GraphMaker m;
    const int pool = m.op("pool", MappingType::ManyToMany, {m.conv("conv", m.input())});
    m.output(m.relu("relu", pool));
    EXPECT_EQ("conv | pool relu", groups_of(plan(m.graph)));
}

TEST(Planner, OnlyOneToOneEdgesAreEpilogues) {
    for (MappingType type : {MappingType::OneToMany, MappingType::Shuffle, MappingType::Opaque}) {
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
    EXPECT_EQ("conv | flatten gemm", groups_of(plan(m.graph, "gao2025", false)));
}

TEST(Planner, AReshapeOfPixelsMovesNothingWhereChannelsLieInnermost) {
    GraphMaker m;
    const int y = m.op("conv", MappingType::ManyToMany, {m.input()}, {1, 512, 13, 13});
    m.last().innermost_axis = 1;
    const int flat = m.op("flatten", MappingType::Reorganize, {y}, {1, 512, 169});
    m.output(m.op("product", MappingType::ManyToMany, {flat}, {1, 512, 169}));
    m.last().operands[0].innermost_axis = 1;
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | [flatten] | product", groups_of(p));
    EXPECT_EQ((std::vector<int>{0, 2, 3, 1}), value_named(p, m.graph, y).layout.order);
    EXPECT_EQ((std::vector<int>{0, 2, 1}), value_named(p, m.graph, flat).layout.order);
    expect_consistent(m.graph, p);
}

TEST(Planner, WhatIsReshapedForTheCallerIsWrittenInItsPlace) {
    GraphMaker m;
    const int y = m.conv("conv", m.input());
    m.output(m.op("flatten", MappingType::Reorganize, {y}, {1, 288}));
    const Plan p = plan(m.graph);
    EXPECT_EQ("conv | [flatten]", groups_of(p));
    EXPECT_EQ(row_major(4), value_named(p, m.graph, y).layout);
    EXPECT_GE(value_named(p, m.graph, y).alias_of, 0);
    // Two of them can't lie in two places.
    m.output(m.op("again", MappingType::Reorganize, {y}, {2, 144}));
    EXPECT_EQ("conv | flatten | again", groups_of(plan(m.graph)));
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
    const uint64_t count = replay != nullptr ? 1 : 700;
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
