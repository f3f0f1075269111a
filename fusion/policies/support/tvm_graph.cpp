#include "fusion/policies/support/tvm_graph.h"

#include <algorithm>

namespace emulsion {

namespace {

class Builder {
public:
    explicit Builder(const OperatorGraph &graph)
        : from_(graph), producers_(graph.producers()), node_of_(graph.operators.size(), -1),
          tuple_of_(graph.operators.size(), -1) {}

    TvmGraph run() {
        for (size_t v = 0; v < from_.values.size(); v++) {
            if (from_.values[v].is_output && producers_[v] >= 0) {
                walk(producers_[v]);
            }
        }
        for (size_t op = 0; op < from_.operators.size(); op++) {
            walk(static_cast<int>(op));  // what no output needs
        }
        for (size_t op = 0; op < from_.operators.size(); op++) {
            connect(static_cast<int>(op));
        }
        for (size_t i = graph_.nodes.size(); i-- > 0;) {
            find_dominator(graph_.nodes[i]);
        }
        return std::move(graph_);
    }

private:
    const PlannerOperator &op(int i) const { return from_.operators[static_cast<size_t>(i)]; }
    TvmNode &node(int i) { return graph_.nodes[static_cast<size_t>(i)]; }

    const std::vector<Operand> &operands(int i) const { return op(i).implementation.operands; }

    // Depth first, operands in order, without recursion: networks are deep.
    void walk(int start) {
        std::vector<std::pair<int, size_t>> path;  // operator, next operand
        const auto enter = [&](int i) {
            if (!entered(i)) {
                node_of_[static_cast<size_t>(i)] = kEntered;
                path.emplace_back(i, 0);
            }
        };
        enter(start);
        while (!path.empty()) {
            auto &[i, next] = path.back();
            if (next == operands(i).size()) {
                add(i);
                path.pop_back();
                continue;
            }
            const int producer = producers_[static_cast<size_t>(operands(i)[next++].value)];
            if (producer >= 0) {
                enter(producer);
            }
        }
    }

    bool entered(int i) const { return node_of_[static_cast<size_t>(i)] != -1; }

    void add(int i) {
        if (op(i).concatenation.axis >= 0) {
            tuple_of_[static_cast<size_t>(i)] = static_cast<int>(graph_.nodes.size());
            graph_.nodes.push_back({.kind = TvmKind::Tuple});
        }
        node_of_[static_cast<size_t>(i)] = static_cast<int>(graph_.nodes.size());
        graph_.nodes.push_back(
            {.op = i,
             .kind = tvm_kind(op(i)),
             .is_output = from_.values[static_cast<size_t>(op(i).result)].is_output});
    }

    void connect(int i) {
        const int reader = node_of_[static_cast<size_t>(i)];
        const int tuple = tuple_of_[static_cast<size_t>(i)];
        if (tuple >= 0) {
            node(tuple).readers.push_back({reader, node(reader).kind});
        }
        for (const Operand &operand : operands(i)) {
            const int producer = producers_[static_cast<size_t>(operand.value)];
            if (producer < 0) {
                continue;
            }
            TvmEdge edge{reader, node(reader).kind};
            if (tuple >= 0) {
                edge = {tuple, TvmKind::Tuple};
            } else if (edge.kind == TvmKind::Broadcast && same_shape(operand.value, op(i).result)) {
                edge.kind = TvmKind::ElementWise;
            }
            node(node_of_[static_cast<size_t>(producer)]).readers.push_back(edge);
        }
    }

    bool same_shape(int a, int b) const {
        return from_.values[static_cast<size_t>(a)].extents ==
               from_.values[static_cast<size_t>(b)].extents;
    }

    // Readers come after what they read, so theirs are known.
    void find_dominator(TvmNode &n) {
        if (n.is_output || n.readers.empty()) {
            n.pattern = TvmKind::Opaque;
            return;
        }
        n.dominator = n.readers.front().reader;
        for (const TvmEdge &edge : n.readers) {
            n.dominator = common_dominator(n.dominator, edge.reader, n.pattern);
            n.pattern = std::max(n.pattern, edge.kind);
        }
        n.depth = n.dominator < 0 ? 1 : node(n.dominator).depth + 1;
    }

    // Climbs from both nodes until the ways meet; `pattern` takes up what is met.
    int common_dominator(int a, int b, TvmKind &pattern) {
        while (a != b) {
            if (a < 0 || b < 0) {
                return -1;
            }
            const int depth_a = node(a).depth, depth_b = node(b).depth;
            if (depth_a >= depth_b) {
                pattern = std::max(pattern, node(a).pattern);
                a = node(a).dominator;
            }
            if (depth_b >= depth_a) {
                pattern = std::max(pattern, node(b).pattern);
                b = node(b).dominator;
            }
        }
        return a;
    }

    static constexpr int kEntered = -2;

    const OperatorGraph &from_;
    std::vector<int> producers_;
    std::vector<int> node_of_, tuple_of_;  // per operator: index of its node, or -1
    TvmGraph graph_;
};

}  // namespace

TvmGraph tvm_graph(const OperatorGraph &graph) { return Builder(graph).run(); }

}  // namespace emulsion
