#include "fusion/problem.h"

#include <algorithm>
#include <numeric>

namespace emulsion {

namespace {

class Decider {
public:
    explicit Decider(const Problem &problem)
        : problem_(problem), stand_in_(problem.values.size()), copied_(problem.values.size(), -1) {
        std::iota(stand_in_.begin(), stand_in_.end(), 0);
    }

    DecidedGraph run(const Decisions &decisions) {
        for (size_t i = 0; i < problem_.operators.size(); i++) {
            const auto &alternatives = problem_.operators[i].alternatives;
            const auto choice = static_cast<size_t>(taken(decisions, i));
            for (const PlannerOperator &op : alternatives.at(choice).operators) {
                add(op);
            }
        }
        leave_out_unread_copies();
        return numbered();
    }

private:
    const Value &value(int v) const { return problem_.values[static_cast<size_t>(v)]; }

    static void rename(PlannerOperator &op, const std::vector<int> &names) {
        for (Operand &operand : op.implementation.operands) {
            operand.value = names[static_cast<size_t>(operand.value)];
        }
        for (int &v : op.concatenation.values) {
            v = names[static_cast<size_t>(v)];
        }
    }

    // A Reshape of a Reshape to the first one's shape is what that one read.
    void add(PlannerOperator op) {
        rename(op, stand_in_);
        const auto result = static_cast<size_t>(op.result);
        if (is_reshape(op)) {
            const int before = copied_[static_cast<size_t>(copied_value(op))];
            if (before >= 0 && !value(op.result).is_output &&
                value(before).extents == value(op.result).extents) {
                stand_in_[result] = before;
                return;
            }
            copied_[result] = copied_value(op);
        }
        operators_.push_back(std::move(op));
    }

    void leave_out_unread_copies() {
        std::vector<bool> read(problem_.values.size(), false);
        std::vector<PlannerOperator> kept;
        for (auto op = operators_.rbegin(); op != operators_.rend(); ++op) {
            if (is_reshape(*op) && !read[static_cast<size_t>(op->result)] &&
                !value(op->result).is_output) {
                continue;
            }
            for (const Operand &operand : op->implementation.operands) {
                read[static_cast<size_t>(operand.value)] = true;
            }
            kept.push_back(std::move(*op));
        }
        operators_.assign(std::make_move_iterator(kept.rbegin()),
                          std::make_move_iterator(kept.rend()));
    }

    DecidedGraph numbered() {
        std::vector<bool> used(problem_.values.size(), false);
        for (size_t v = 0; v < used.size(); v++) {
            used[v] = problem_.values[v].role == ValueRole::Input;
        }
        for (const PlannerOperator &op : operators_) {
            used[static_cast<size_t>(op.result)] = true;
            for (const Operand &operand : op.implementation.operands) {
                used[static_cast<size_t>(operand.value)] = true;
            }
            for (const int v : op.concatenation.values) {
                used[static_cast<size_t>(v)] = true;
            }
        }
        DecidedGraph decided;
        std::vector<int> number(used.size(), -1);
        for (size_t v = 0; v < used.size(); v++) {
            if (used[v]) {
                number[v] = static_cast<int>(decided.value_of.size());
                decided.value_of.push_back(static_cast<int>(v));
                decided.graph.values.push_back(problem_.values[v]);
            }
        }
        for (size_t v = 0; v < number.size(); v++) {
            const int other = number[static_cast<size_t>(stand_in_[v])];
            if (other >= 0 && !decided.graph.values[static_cast<size_t>(other)].copy) {
                // Its extents are the same.
                decided.graph.values[static_cast<size_t>(other)].copy =
                    value(static_cast<int>(v)).copy;
            }
        }
        for (PlannerOperator &op : operators_) {
            rename(op, number);
            op.result = number[static_cast<size_t>(op.result)];
        }
        decided.graph.operators = std::move(operators_);
        decided.stand_in = std::move(stand_in_);
        return decided;
    }

    const Problem &problem_;
    std::vector<int> stand_in_;
    std::vector<int> copied_;  // by value: what it is a Reshape of, or -1
    std::vector<PlannerOperator> operators_;
};

}  // namespace

int Problem::alternative(int op, const std::string &name) const {
    const auto &all = operators[static_cast<size_t>(op)].alternatives;
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const auto &each) { return each.name == name; });
    return it == all.end() ? -1 : static_cast<int>(it - all.begin());
}

int taken(const Decisions &decisions, size_t op) {
    return op < decisions.size() ? decisions[op] : 0;
}

DecidedGraph decide(const Problem &problem, const Decisions &decisions) {
    return Decider(problem).run(decisions);
}

Problem without_alternatives(OperatorGraph graph) {
    Problem problem{std::move(graph.values), {}};
    for (PlannerOperator &op : graph.operators) {
        const std::string name = op.name;
        const std::string implementation = op.implementation.name;
        problem.operators.push_back({name, {{implementation, {std::move(op)}}}});
    }
    return problem;
}

}  // namespace emulsion
