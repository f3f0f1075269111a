#include "fusion/search/moves.h"

#include <map>
#include <set>
#include <span>
#include <string>

namespace emulsion {

namespace {

void write(std::string &out, const std::vector<int64_t> &list) {
    for (const int64_t item : list) {
        out += std::to_string(item) + " ";
    }
}

constexpr MoveWay kWaysOfMovers[] = {MoveWay::Moved, MoveWay::Free, MoveWay::Read,
                                     MoveWay::Written};
constexpr MoveWay kWaysOfResults[] = {MoveWay::Free, MoveWay::Converted};

// Operators that go one way together.
struct Kind {
    std::span<const MoveWay> ways;
    std::vector<size_t> operators;
};

// What operators of a kind have in common.
std::string kind_of(const OperatorGraph &graph, const PlannerOperator &op,
                    const std::vector<int> &producers,
                    const std::vector<std::vector<int>> &consumers) {
    const auto from = static_cast<size_t>(copied_value(op));
    const auto nest = [&](int other) {
        return graph.operators[static_cast<size_t>(other)].implementation.nest;
    };
    std::string kind;
    write(kind, graph.values[from].extents);
    kind += "> ";
    write(kind, graph.values[static_cast<size_t>(op.result)].extents);
    for (const int axis : moved_axes(graph, op)) {
        kind += std::to_string(axis) + " ";
    }
    kind += producers[from] < 0 ? "input" : nest(producers[from]).template_name;
    for (const int reader : consumers[static_cast<size_t>(op.result)]) {
        kind += "|" + nest(reader).template_name;
    }
    return kind;
}

std::string kind_of_result(const OperatorGraph &graph, const PlannerOperator &op) {
    std::string kind = "result ";
    write(kind, graph.values[static_cast<size_t>(op.result)].extents);
    return kind + op.implementation.nest.template_name;
}

// In the order of their first operators.
std::vector<Kind> kinds_of(const OperatorGraph &graph) {
    const std::vector<int> producers = graph.producers();
    const std::vector<std::vector<int>> consumers = graph.consumers();
    std::map<std::string, size_t> number;
    std::vector<Kind> kinds;
    const auto add = [&](size_t op, const std::string &kind, std::span<const MoveWay> ways) {
        const auto [known, first] = number.emplace(kind, kinds.size());
        if (first) {
            kinds.push_back({ways, {}});
        }
        kinds[known->second].operators.push_back(op);
    };
    for (size_t i = 0; i < graph.operators.size(); i++) {
        const PlannerOperator &op = graph.operators[i];
        if (only_moves(graph, op)) {
            add(i, kind_of(graph, op, producers, consumers), kWaysOfMovers);
        } else if (makes_callers_result(graph, op, consumers)) {
            add(i, kind_of_result(graph, op), kWaysOfResults);
        }
    }
    return kinds;
}

std::vector<std::vector<int>> orders_of(const OperatorGraph &graph, const MoveWays &ways) {
    std::vector<std::vector<int>> orders;
    for (Layout &layout : preferred_orders(graph, ways)) {
        orders.push_back(std::move(layout.order));
    }
    return orders;
}

}  // namespace

MoveWays search_moves(const OperatorGraph &graph, const MoveWays &start, int64_t tries,
                      const std::function<double(const MoveWays &)> &price) {
    MoveWays best = start;
    best.resize(graph.operators.size(), MoveWay::Moved);
    const std::vector<Kind> kinds = kinds_of(graph);
    if (kinds.empty()) {
        price(best);
        return best;
    }
    std::set<std::vector<std::vector<int>>> known{orders_of(graph, best)};
    double least = price(best);
    for (const Kind &kind : kinds) {
        const MoveWays before = best;
        for (const MoveWay way : kind.ways) {
            MoveWays ways = before;
            for (const size_t op : kind.operators) {
                ways[op] = way;
            }
            if (static_cast<int64_t>(known.size()) >= tries ||
                !known.insert(orders_of(graph, ways)).second) {
                continue;
            }
            if (const double cycles = price(ways); cycles < least) {
                least = cycles;
                best = std::move(ways);
            }
        }
    }
    return best;
}

}  // namespace emulsion
