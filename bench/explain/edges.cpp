#include "bench/explain/edges.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "frontend/graph/output_flags.h"

namespace emulsion {

namespace {

// A reason in the plan's words, or one that can be read off the groups.
class Reasons {
public:
    Reasons(const Explanation &explained, const std::vector<ExplainedEdge> &edges)
        : explained_(explained), readers_(explained.groups.size()) {
        for (const Refusal &refusal : explained.refusals) {
            std::string &text = recorded_[{refusal.producer, refusal.consumer}];
            if (text.empty()) {
                text = refusal.reason;
            }
        }
        for (const ExplainedEdge &edge : edges) {
            if (edge.between_groups()) {
                readers_[static_cast<size_t>(edge.from)].insert(edge.to);
                groups_reading_[edge.tensor].insert(edge.to);
            }
        }
    }

    std::string of(const ExplainedEdge &edge, bool is_output) const {
        const auto found = recorded_.find({name(edge.producer), name(edge.consumer)});
        if (found != recorded_.end() && !found->second.empty()) {
            return found->second;
        }
        if (!group(edge.from).launched()) {
            return "the producer moves no data: it is a view, which no kernel computes";
        }
        if (!group(edge.to).launched()) {
            return "the consumer moves no data: it is a view, which no kernel computes";
        }
        if (is_output) {
            return "the value is an output of the network, which has to be in memory";
        }
        if (leads_round(edge.from, edge.to)) {
            return "what lies on another way from the producer to the consumer is in neither group";
        }
        if (const size_t count = groups_reading_.at(edge.tensor).size(); count > 1) {
            return fmt::format("the value is read by {} groups", count);
        }
        return fmt::format("policy '{}' records no reason", explained_.policy);
    }

private:
    const std::string &name(int op) const {
        return explained_.operators[static_cast<size_t>(op)].name;
    }
    const ExplainedGroup &group(int g) const { return explained_.groups[static_cast<size_t>(g)]; }

    // Whether a path of two edges or more leads from group to group. Groups are in execution order.
    bool leads_round(int from, int to) const {
        std::vector<int> todo;
        std::set<int> seen;
        const auto visit = [&](int g) {
            for (const int reader : readers_[static_cast<size_t>(g)]) {
                if (reader <= to && !(g == from && reader == to) && seen.insert(reader).second) {
                    todo.push_back(reader);
                }
            }
        };
        visit(from);
        while (!todo.empty() && seen.count(to) == 0) {
            const int g = todo.back();
            todo.pop_back();
            visit(g);
        }
        return seen.count(to) != 0;
    }

    const Explanation &explained_;
    std::map<std::pair<std::string, std::string>, std::string> recorded_;
    std::vector<std::set<int>> readers_;                   // of each group's results
    std::map<std::string, std::set<int>> groups_reading_;  // each tensor
};

class EdgeFinder {
public:
    EdgeFinder(const Graph &graph, const PlannedNetwork &network, const Explanation &explained)
        : graph_(graph), network_(network), explained_(explained), producers_(graph.producers()),
          writer_(network.plan.values.size(), -1) {
        for (size_t g = 0; g < network.plan.groups.size(); g++) {
            writer_[static_cast<size_t>(network.plan.groups[g].output)] = static_cast<int>(g);
        }
    }

    std::vector<ExplainedEdge> run() {
        for (size_t i = 0; i < graph_.nodes.size(); i++) {
            std::set<TensorId> seen;
            for (const TensorId id : graph_.nodes[i].inputs) {
                if (id != kNoTensor && !graph_.tensor(id).is_constant() && seen.insert(id).second) {
                    add(id, static_cast<int>(i));
                }
            }
        }
        for (const TensorId id : graph_.outputs) {
            add(id, -1);
        }
        const std::vector<bool> is_output = output_flags(graph_);
        const Reasons reasons(explained_, edges_);
        for (size_t i = 0; i < edges_.size(); i++) {
            if (edges_[i].between_groups()) {
                edges_[i].reason =
                    reasons.of(edges_[i], is_output[static_cast<size_t>(tensors_[i])]);
            }
        }
        return std::move(edges_);
    }

private:
    // An edge to every group that computes the consumer, or to the caller (-1).
    void add(TensorId id, int consumer) {
        const Tensor &tensor = graph_.tensor(id);
        ExplainedEdge edge{.producer = producers_[static_cast<size_t>(id)],
                           .consumer = consumer,
                           .tensor = tensor.name,
                           .type = std::string(to_string(tensor.type)),
                           .shape = tensor.extents(),
                           .bytes = tensor.element_count() * size_of(tensor.type),
                           .reason = ""};
        std::vector<int> readers = groups_of(consumer);
        readers.resize(std::max<size_t>(readers.size(), 1), -1);
        for (const int reader : readers) {
            edge.to = reader;
            edge.from = is_member(edge.producer, edge.to) ? edge.to : group_of(edge.producer);
            edge.conversion = edge.from != edge.to || edge.from < 0 ? conversion(id, edge.to) : -1;
            edges_.push_back(edge);
            tensors_.push_back(id);
        }
    }

    std::vector<int> groups_of(int op) const {
        return op < 0 ? std::vector<int>() : explained_.operators[static_cast<size_t>(op)].groups;
    }

    int group_of(int op) const {
        return op < 0 ? -1 : explained_.operators[static_cast<size_t>(op)].group();
    }

    bool is_member(int op, int group) const {
        if (op < 0 || group < 0) {
            return false;
        }
        const std::vector<int> &members = explained_.groups[static_cast<size_t>(group)].members;
        return std::find(members.begin(), members.end(), op) != members.end();
    }

    // The group that copies the tensor into the layout in which `reader`, or the caller (-1), has it.
    int conversion(TensorId id, int reader) const {
        std::vector<int> values;
        if (reader >= 0) {
            values = network_.plan.groups[static_cast<size_t>(reader)].inputs;
        } else {
            for (size_t v = 0; v < network_.value_tensor.size(); v++) {
                values.push_back(static_cast<int>(v));
            }
        }
        for (const int value : values) {
            const int writer = writer_[static_cast<size_t>(value)];
            if (network_.value_tensor[static_cast<size_t>(value)] != id || writer < 0 ||
                network_.plan.groups[static_cast<size_t>(writer)].kind != GroupKind::Convert) {
                continue;
            }
            if (reader >= 0 ||
                explained_.groups[static_cast<size_t>(writer)].output.storage == "output") {
                return writer;
            }
        }
        return -1;
    }

    const Graph &graph_;
    const PlannedNetwork &network_;
    const Explanation &explained_;
    const std::vector<int> producers_;
    std::vector<int> writer_;  // group that writes each planned value
    std::vector<ExplainedEdge> edges_;
    std::vector<TensorId> tensors_;  // of the edges
};

}  // namespace

std::vector<ExplainedEdge> explain_edges(const Graph &graph, const PlannedNetwork &network,
                                         const Explanation &explained) {
    return EdgeFinder(graph, network, explained).run();
}

}  // namespace emulsion
