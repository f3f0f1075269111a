// What Apache TVM fuses: its graph-level FuseOps (Chen et al., OSDI 2018; the algorithm of Relay and
// Relax at optimisation level 2 and above). A node joins the one that dominates it on the way to the
// outputs, if the kinds of all operators between them allow it; everything on these ways joins too.
//
//     conv, bias, relu                 -> one group
//     conv1, conv2 -> add -> relu      -> {conv1 add relu} {conv2}: a group has one heavy operator
//     conv -> relu -> transpose        -> {conv relu} {transpose}
//
// Three passes over all nodes: heavy operators take the element-wise ones that follow; element-wise ones
// join what follows them; operators that only move data join each other; and such ones join the
// concatenation that reads them. There is no cost model.
#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "fusion/policies/support/tvm_graph.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

constexpr int kMostOperators = 256;  // of a group

class Fusion {
public:
    explicit Fusion(const OperatorGraph &graph)
        : from_(graph), graph_(tvm_graph(graph)), groups_(graph_.nodes.size()) {
        for (size_t i = 0; i < groups_.size(); i++) {
            groups_[i] = {.joined = static_cast<int>(i),
                          .kind = node(static_cast<int>(i)).kind,
                          .has_anchor = node(static_cast<int>(i)).kind == TvmKind::OutputFusable};
        }
    }

    Partition run() {
        for (const auto pass :
             {&Fusion::into_following, &Fusion::into_data_movement, &Fusion::into_concatenation}) {
            for (size_t i = 0; i < groups_.size(); i++) {
                const int n = static_cast<int>(i);
                if (record(n).kind != TvmKind::Opaque && node(n).dominator >= 0 &&
                    members_with(n, node(n).dominator) <= kMostOperators) {
                    (this->*pass)(n, node(n).dominator);
                }
            }
        }
        return partition();
    }

private:
    // Of a node's group; the record of a node that has joined another one's keeps the kind that it had.
    struct Group {
        int joined = -1;  // the node whose group this one is part of, or itself
        TvmKind kind = TvmKind::Opaque;
        bool has_anchor = false;
        int count = 1;
    };

    const TvmNode &node(int n) const { return graph_.nodes[static_cast<size_t>(n)]; }
    Group &record(int n) { return groups_[static_cast<size_t>(n)]; }
    const Group &record(int n) const { return groups_[static_cast<size_t>(n)]; }

    int root(int n) const {
        while (record(n).joined != n) {
            n = record(n).joined;
        }
        return n;
    }

    // Calls `visit` for the nodes on all ways from `source` to `sink`, without `source`; ends with false
    // where `visit` gives false.
    template<typename Visit>
    bool for_each_between(int source, int sink, Visit visit) const {
        std::set<int> seen;
        std::vector<int> open{source};
        while (!open.empty()) {
            const int n = open.back();
            open.pop_back();
            if (n == sink) {
                continue;
            }
            for (const TvmEdge &edge : node(n).readers) {
                if (seen.insert(edge.reader).second) {
                    if (!visit(edge.reader)) {
                        return false;
                    }
                    open.push_back(edge.reader);
                }
            }
        }
        return true;
    }

    // Whether the groups of all nodes between are at most of `kind`.
    bool are_at_most(TvmKind kind, int source, int sink) const {
        return for_each_between(source, sink, [&](int n) { return record(root(n)).kind <= kind; });
    }

    int members_with(int source, int sink) const {
        std::set<int> roots{root(source)};
        for_each_between(source, sink, [&](int n) {
            roots.insert(root(n));
            return true;
        });
        return std::accumulate(roots.begin(), roots.end(), 0,
                               [&](int sum, int r) { return sum + record(r).count; });
    }

    void merge(int child, int parent) {
        child = root(child);
        parent = root(parent);
        if (child == parent || (record(child).has_anchor && record(parent).has_anchor)) {
            return;
        }
        record(parent).count += record(child).count;
        record(child).joined = parent;
        if (record(child).has_anchor) {
            record(parent).has_anchor = true;
            record(parent).kind = std::max(record(parent).kind, record(child).kind);
        }
    }

    // `source` and all between it and `sink`.
    void join(int source, int sink) {
        merge(source, sink);
        for_each_between(source, sink, [&](int n) {
            merge(n, sink);
            return true;
        });
    }

    bool is_joined(int n, int dominator) const {
        return root(n) == root(dominator) || record(dominator).kind == TvmKind::Tuple;
    }

    void into_following(int n, int dominator) {
        if (is_joined(n, dominator)) {
            return;
        }
        if (record(n).kind == TvmKind::OutputFusable) {
            if (node(n).pattern == TvmKind::ElementWise &&
                are_at_most(TvmKind::Broadcast, n, dominator)) {
                join(n, dominator);
            }
        } else {
            join_element_wise(n, dominator);
        }
    }

    void join_element_wise(int n, int dominator) {
        if (record(n).kind > TvmKind::Broadcast || node(n).pattern > TvmKind::Reduction) {
            return;
        }
        const bool possible = for_each_between(n, dominator, [&](int between) {
            const TvmKind kind = record(root(between)).kind;
            return kind <= (between == dominator ? TvmKind::OutputFusable : TvmKind::Injective);
        });
        if (possible) {
            join(n, dominator);
        }
    }

    void into_data_movement(int n, int dominator) {
        if (is_joined(n, dominator)) {
            return;
        }
        const TvmKind kind = record(n).kind;
        if (kind != TvmKind::Injective && kind != TvmKind::Tuple) {
            join_element_wise(n, dominator);
        } else if (are_at_most(TvmKind::Injective, n, dominator)) {
            join(n, dominator);
        }
    }

    // The tuple may have joined the concatenation meanwhile.
    void into_concatenation(int n, int dominator) {
        if (record(n).kind <= TvmKind::Injective && record(dominator).kind == TvmKind::Tuple &&
            record(root(dominator)).kind <= TvmKind::Injective &&
            are_at_most(TvmKind::Injective, n, dominator)) {
            join(n, dominator);
        }
    }

    Partition partition() const {
        std::vector<std::vector<int>> members(groups_.size());
        for (size_t i = 0; i < groups_.size(); i++) {
            if (graph_.nodes[i].op >= 0) {
                members[static_cast<size_t>(root(static_cast<int>(i)))].push_back(
                    graph_.nodes[i].op);
            }
        }
        Partition result;
        for (std::vector<int> &group : members) {
            if (!group.empty()) {
                std::sort(group.begin(), group.end());
                result.groups.push_back(std::move(group));
            }
        }
        std::sort(result.groups.begin(), result.groups.end(),
                  [](const auto &a, const auto &b) { return a.back() < b.back(); });
        result.refusals = refusals();
        return result;
    }

    std::vector<Refusal> refusals() const {
        std::vector<Refusal> result;
        for (size_t i = 0; i < groups_.size(); i++) {
            const int n = static_cast<int>(i);
            for (const TvmEdge &edge : node(n).readers) {
                const bool tuple = node(edge.reader).op < 0;  // its one reader is the concatenation
                const int reader = tuple ? node(edge.reader).readers.front().reader : edge.reader;
                if (node(n).op >= 0 && root(n) != root(reader)) {
                    result.push_back({name(n), name(reader), reason(n)});
                }
            }
        }
        return result;
    }

    const std::string &name(int n) const {
        return from_.operators[static_cast<size_t>(node(n).op)].name;
    }

    // Why `n` joined no reader.
    std::string reason(int n) const {
        if (record(n).kind == TvmKind::Opaque) {
            return "TVM fuses no operator of the producer's kind";
        }
        if (node(n).is_output) {
            return "the value is an output of the pipeline";
        }
        if (node(n).dominator < 0) {
            return "the value leads to several outputs";
        }
        switch (record(n).kind) {
        case TvmKind::OutputFusable:
            return "the producer's group has a heavy operator, which only element-wise readers join";
        case TvmKind::Reduction: return "the producer is a reduction, which no reader joins";
        case TvmKind::Injective:
            return "the producer moves data, and an operator on the way to its dominator does more";
        default: return "an operator on the way to the producer's dominator is too complex";
        }
    }

    const OperatorGraph &from_;
    TvmGraph graph_;
    std::vector<Group> groups_;  // per node
};

}  // namespace

const Policy &fusion_policy_tvm() {
    static const Policy policy{
        .name = "tvm",
        .description = "Apache TVM's fusion by kinds of operators and dominators",
        .partition = [](const PolicyInput &input) { return Fusion(input.graph).run(); }};
    return policy;
}

}  // namespace emulsion
