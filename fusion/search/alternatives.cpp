#include "fusion/search/alternatives.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fusion/preferred_orders.h"
#include "fusion/search/search.h"

namespace emulsion {

namespace {

// The operators of one alternative and the values that they touch, which come from nowhere. Nobody is said to want
// the result in some layout, and no copy is needed of what comes in.
OperatorGraph alone(const Problem &problem, const Alternative &alternative) {
    OperatorGraph graph;
    std::map<int, int> number;
    const auto numbered = [&](int v) {
        const auto [known, first] = number.emplace(v, static_cast<int>(graph.values.size()));
        if (first) {
            Value value = problem.values[static_cast<size_t>(v)];
            value.is_output = false;
            if (value.role == ValueRole::Intermediate) {
                value.role = ValueRole::Input;
            }
            graph.values.push_back(std::move(value));
        }
        return known->second;
    };
    for (PlannerOperator op : alternative.operators) {
        for (Operand &operand : op.implementation.operands) {
            operand.value = numbered(operand.value);
        }
        for (int &v : op.concatenation.values) {
            v = numbered(v);
        }
        op.result = numbered(op.result);
        graph.values[static_cast<size_t>(op.result)].role = ValueRole::Intermediate;
        graph.operators.push_back(std::move(op));
    }
    return graph;
}

double alone_cycles(const Problem &problem, const Alternative &alternative, CostSource &costs) {
    OperatorGraph graph = alone(problem, alternative);
    const MoveWays free(graph.operators.size(), MoveWay::Free);
    const std::vector<Layout> orders = preferred_orders(graph, free);
    for (size_t v = 0; v < orders.size(); v++) {
        graph.values[v].order = orders[v].order;
    }
    std::vector<bool> views;
    for (const PlannerOperator &op : graph.operators) {
        views.push_back(graph.operators.size() > 1 && is_reshape(op));
    }
    return search_groups(graph, *costs.cost_of(graph, views), views).report.cycles;
}

// What the operators of an equivalence class have in common: all that their prices depend on. Prices by
// themselves say it, as long as the same shapes come out.
std::string class_of(const Problem &problem, size_t op, const AlonePrices &alone) {
    std::string key;
    const ProblemOperator &subject = problem.operators[op];
    for (const int64_t extent : problem.values[static_cast<size_t>(subject.result())].extents) {
        key += std::to_string(extent) + " ";
    }
    for (size_t i = 0; i < subject.alternatives.size(); i++) {
        key += subject.alternatives[i].name + " " + std::to_string(alone[op][i]) + " ";
    }
    return key;
}

// Operators that take an alternative of one name together.
struct Move {
    std::vector<int> operators;
    std::string alternative;
    double promised = 0.0;  // cycles less, by itself
};

class Moves {
public:
    Moves(const Problem &problem, const AlonePrices &alone, const AlternativesSearch &search)
        : problem_(problem), alone_(alone), search_(search), readers_(problem.values.size()) {
        for (size_t i = 0; i < problem.operators.size(); i++) {
            for (const PlannerOperator &op : problem.operators[i].alternatives.front().operators) {
                for (const Operand &operand : op.implementation.operands) {
                    readers_[static_cast<size_t>(operand.value)].push_back(static_cast<int>(i));
                }
            }
        }
    }

    // What promises most first.
    std::vector<Move> all() const {
        std::map<std::pair<std::string, std::string>, Move> by_class;
        for (size_t i = 0; i < problem_.operators.size(); i++) {
            add(i, by_class);
        }
        std::vector<Move> moves;
        for (auto &[key, move] : by_class) {
            add_readers(move);
            moves.push_back(std::move(move));
        }
        std::stable_sort(moves.begin(), moves.end(), [](const Move &a, const Move &b) {
            return a.promised != b.promised ? a.promised > b.promised : a.operators < b.operators;
        });
        return moves;
    }

private:
    bool is_fixed(int op) const { return search_.fixed.count(op) != 0; }

    // Whether `alternative` reads what lies as the caller has it, and likes what it reduces, or results, to lie so: what it
    // takes by itself leaves out the copies into other layouts that it saves.
    bool keeps_callers_layout(const Alternative &alternative) const {
        bool reads = false, likes = false;
        for (const PlannerOperator &op : alternative.operators) {
            const ImplementationChoice &choice = op.implementation;
            for (const Operand &operand : choice.operands) {
                reads = reads || value(operand.value).role == ValueRole::Input;
                likes =
                    likes || (choice.reduces && value(operand.value).role != ValueRole::Constant &&
                              is_last(operand.value, operand.innermost_axis));
            }
            likes = likes || (choice.reduces && is_last(op.result, choice.innermost_axis));
        }
        return reads && likes;
    }

    // Behind batch and channels.
    bool is_last(int v, int axis) const {
        return axis > 1 && axis + 1 == static_cast<int>(value(v).extents.size());
    }

    const Value &value(int v) const { return problem_.values[static_cast<size_t>(v)]; }

    // An operator that is fixed moves its readers.
    void add(size_t op, std::map<std::pair<std::string, std::string>, Move> &moves) const {
        const auto &alternatives = problem_.operators[op].alternatives;
        if (alternatives.size() < 2) {
            return;
        }
        const auto now = static_cast<size_t>(taken(search_.start, op));
        const std::string key = class_of(problem_, op, alone_);
        for (size_t i = 0; i < alternatives.size(); i++) {
            const double won = alone_[op][now] - alone_[op][i];
            const bool moves_by_itself = i != now && !alternatives[i].follows &&
                                         (won > 0.0 || keeps_callers_layout(alternatives[i]));
            if (is_fixed(static_cast<int>(op)) ? i == now && i > 0 : moves_by_itself) {
                Move &move = moves[{key, alternatives[i].name}];
                move.alternative = alternatives[i].name;
                move.operators.push_back(static_cast<int>(op));
                move.promised += won;
            }
        }
    }

    void add_readers(Move &move) const {
        std::set<int> members(move.operators.begin(), move.operators.end());
        for (size_t next = 0; next < move.operators.size(); next++) {
            const ProblemOperator &op =
                problem_.operators[static_cast<size_t>(move.operators[next])];
            for (const int reader : readers_[static_cast<size_t>(op.result())]) {
                const int other = problem_.alternative(reader, move.alternative);
                if (other >= 0 && !is_fixed(reader) &&
                    problem_.operators[static_cast<size_t>(reader)]
                        .alternatives[static_cast<size_t>(other)]
                        .follows &&
                    members.insert(reader).second) {
                    move.operators.push_back(reader);
                }
            }
        }
    }

    const Problem &problem_;
    const AlonePrices &alone_;
    const AlternativesSearch &search_;
    std::vector<std::vector<int>> readers_;  // by value, as the first alternatives read
};

}  // namespace

AlonePrices alone_prices(const Problem &problem, CostSource &costs) {
    AlonePrices prices(problem.operators.size());
    for (size_t i = 0; i < prices.size(); i++) {
        const auto &alternatives = problem.operators[i].alternatives;
        for (const Alternative &alternative : alternatives) {
            if (alternatives.size() > 1) {
                prices[i].push_back(alone_cycles(problem, alternative, costs));
            }
        }
    }
    return prices;
}

Decisions search_alternatives(const Problem &problem, const AlonePrices &alone,
                              const AlternativesSearch &search,
                              const std::function<double(const Decisions &)> &price) {
    Decisions best = search.start;
    best.resize(problem.operators.size(), 0);
    const std::vector<Move> moves = Moves(problem, alone, search).all();
    if (moves.empty() || search.tries < 2) {
        return best;
    }
    double least = price(best);
    int64_t asked = 1;
    for (const Move &move : moves) {
        if (asked++ >= search.tries) {
            break;
        }
        Decisions tried = best;
        for (const int op : move.operators) {
            if (search.fixed.count(op) == 0) {
                tried[static_cast<size_t>(op)] = problem.alternative(op, move.alternative);
            }
        }
        if (tried == best) {
            continue;
        }
        if (const double cycles = price(tried); cycles < least) {
            least = cycles;
            best = std::move(tried);
        }
    }
    return best;
}

}  // namespace emulsion
