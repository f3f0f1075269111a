// Edges between groups and their reasons, also where a plan records none; and drawings of networks that
// are too large to be drawn as they are.

#include <map>
#include <set>

#include "bench/explain/explain_network.h"
#include "bench/explain/picture.h"
#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/zoo/zoo.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

struct Planned {
    Graph graph;
    PlannedNetwork network;
};

// A machine on which no group keeps a value: groups are single loop nests.
const MachineConstants kNoRoom = {
    {"l2_bytes", 1024}, {"region_cycles", 0.0}, {"launch_cycles", 0.0}};

Planned planned(const std::string &zoo_name, const std::string &policy,
                const MachineConstants &machine = {}) {
    const auto folder = make_scratch_folder();
    const std::string path = folder->path() / "model.onnx";
    write_zoo_model(zoo_name, path);
    PlanOptions options;
    options.policy = policy;
    options.machine = machine;
    options.exact = true;  // the model's own operators, and no implementation's
    Planned result{run_passes(load_model(path)), {}};
    result.network = plan_network(result.graph, options);
    return result;
}

TEST(ExplainEdges, EveryValueThatPassesFromGroupToGroupHasAReason) {
    for (const char *policy : {"gao2025", "dnnfusion", "priority", "tvm", "none"}) {
        const Planned plan = planned("tiny_concat", policy);
        const Explanation explained = explain_network(plan.network);
        std::set<std::pair<std::string, std::string>> refused;
        for (const Refusal &refusal : explained.refusals) {
            refused.emplace(refusal.producer, refusal.consumer);
        }
        size_t reads = 0;
        for (const Node &node : plan.graph.nodes) {
            std::set<TensorId> operands;
            for (const TensorId id : node.inputs) {
                if (id != kNoTensor && !plan.graph.tensor(id).is_constant()) {
                    operands.insert(id);
                }
            }
            reads += operands.size();
        }
        EXPECT_EQ(explained.edges.size(), reads + plan.graph.outputs.size());
        for (const ExplainedEdge &edge : explained.edges) {
            EXPECT_EQ(edge.reason.empty(), !edge.between_groups()) << edge.tensor;
            if (edge.between_groups()) {
                EXPECT_EQ(refused.count({explained.operators[edge.producer].name,
                                         explained.operators[edge.consumer].name}),
                          1U);
            }
        }
    }
}

TEST(ExplainEdges, APlanWithoutReasonsIsExplainedByWhatItsGroupsAre) {
    Planned plan = planned("tiny_concat", "gao2025", kNoRoom);
    plan.network.plan.refusals.clear();
    const Explanation explained = explain_network(plan.network);
    std::map<std::string, std::string> reasons;
    for (const ExplainedEdge &edge : explained.edges) {
        if (edge.between_groups()) {
            reasons[explained.operators[edge.producer].name + " " +
                    explained.operators[edge.consumer].name] = edge.reason;
        }
    }
    EXPECT_EQ(reasons.at("inception.branch3.relu inception.concat"),
              "the consumer moves no data: it is a view, which no kernel computes");
    EXPECT_EQ(reasons.at("inception.concat down.conv"),
              "the producer moves no data: it is a view, which no kernel computes");
    EXPECT_EQ(reasons.at("coarse upsample"),
              "the value is an output of the network, which has to be in memory");
    EXPECT_EQ(reasons.at("stem.relu inception.reduce3.conv"), "the value is read by 4 groups");
    EXPECT_EQ(reasons.at("inception.reduce3.relu inception.branch3.conv"),
              "policy 'gao2025' records no reason");
}

// `operators` in a chain, `each` of them in a group.
Explanation chain(int operators, int each) {
    Explanation explained;
    for (int i = 0; i < operators; i++) {
        const int group = i / each;
        if (i % each == 0) {
            explained.groups.push_back({.kind = "compute", .label = "group", .launch = group});
        }
        explained.operators.push_back({.name = "op" + std::to_string(i),
                                       .type = "Relu",
                                       .mapping = "One-to-One",
                                       .groups = {group}});
        explained.groups.back().members.push_back(i);
        explained.edges.push_back({.producer = i - 1,
                                   .consumer = i,
                                   .from = i == 0 ? -1 : (i - 1) / each,
                                   .to = group,
                                   .tensor = "value" + std::to_string(i),
                                   .type = "f32",
                                   .shape = {1},
                                   .bytes = 4});
    }
    return explained;
}

int count(const std::string &text, const std::string &part) {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        found++;
    }
    return found;
}

TEST(ExplainDrawing, ANetworkOfTooManyOperatorsIsDrawnByGroups) {
    const Picture all = draw(chain(200, 50));
    EXPECT_EQ(count(all.svg, "data-operator="), 200);
    EXPECT_TRUE(all.note.empty());
    const Picture groups = draw(chain(5000, 50));
    EXPECT_EQ(count(groups.svg, "data-operator="), 0);
    EXPECT_EQ(count(groups.svg, "<g class=\"node\""), 100);
    EXPECT_EQ(count(groups.svg, "<g class=\"edge\""), 100);
    EXPECT_NE(groups.note.find("operators and 5000 edges are too many for a drawing"),
              std::string::npos)
        << groups.note;
    const Picture none = draw(chain(5000, 1));
    EXPECT_TRUE(none.svg.empty());
    EXPECT_NE(none.note.find("groups and 5000 edges are too many"), std::string::npos) << none.note;
}

}  // namespace
}  // namespace emulsion
