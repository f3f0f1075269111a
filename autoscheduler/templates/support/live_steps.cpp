#include "autoscheduler/templates/support/live_steps.h"

#include <algorithm>
#include <optional>

#include "autoscheduler/reach.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr int64_t kMostSteps = int64_t{1} << 20;  // that are tried

struct StepLoop {
    std::string name;
    int64_t extent;
};

// A sum of loops' variables, each times a number, that is to be at least 0.
struct StepCondition {
    int64_t constant = 0;
    std::vector<int64_t> factors;
};

// What `condition` wants to be at least 0.
std::optional<Expr> at_least_zero(const Expr &condition) {
    if (const auto *le = condition.as<LE>()) {
        return le->b - le->a;
    }
    if (const auto *lt = condition.as<LT>()) {
        return lt->b - lt->a - 1;
    }
    if (const auto *ge = condition.as<GE>()) {
        return ge->a - ge->b;
    }
    if (const auto *gt = condition.as<GT>()) {
        return gt->a - gt->b - 1;
    }
    return std::nullopt;
}

std::optional<StepCondition> step_condition(const Expr &expr, const std::vector<StepLoop> &loops) {
    const auto wanted = at_least_zero(expr);
    if (!wanted) {
        return std::nullopt;
    }
    StepCondition condition;
    Expr rest = *wanted;
    for (const StepLoop &loop : loops) {
        const auto factor = coefficient(*wanted, loop.name);
        if (!factor) {
            return std::nullopt;
        }
        condition.factors.push_back(*factor);
        rest = substitute(loop.name, 0, rest);
    }
    const auto constant = as_const_int(simplify(rest));
    if (!constant) {
        return std::nullopt;
    }
    condition.constant = *constant;
    return condition;
}

// The loops that `conditions` depend on.
std::vector<StepLoop> conditional_loops(const NestSubject &subject, const FuncFacts &reduction) {
    std::vector<StepLoop> loops;
    const auto add = [&](const std::string &name, int64_t extent) {
        if (std::any_of(reduction.conditions.begin(), reduction.conditions.end(),
                        [&](const Expr &condition) { return expr_uses_var(condition, name); })) {
            loops.push_back({name, extent});
        }
    };
    for (size_t axis = 0; axis < reduction.args.size() && axis < subject.extents.size(); axis++) {
        add(reduction.args[axis], subject.extents[axis]);
    }
    for (const ReductionLoop &loop : reduction.reduction) {
        add(loop.name, loop.extent);
    }
    return loops;
}

// How many of the steps from `next` on hold, of those that the outer loops leave at `values`.
int64_t count_live(const std::vector<StepLoop> &loops, size_t next,
                   const std::vector<StepCondition> &conditions,
                   const std::vector<int64_t> &values) {
    if (next == loops.size()) {
        return std::all_of(values.begin(), values.end(), [](int64_t v) { return v >= 0; }) ? 1 : 0;
    }
    int64_t live = 0;
    std::vector<int64_t> at = values;
    for (int64_t i = 0; i < loops[next].extent; i++) {
        live += count_live(loops, next + 1, conditions, at);
        for (size_t c = 0; c < conditions.size(); c++) {
            at[c] += conditions[c].factors[next];
        }
    }
    return live;
}

}  // namespace

double live_share(const NestSubject &subject, const FuncFacts &reduction) {
    if (reduction.conditions.empty() || reduction.args.size() != subject.extents.size()) {
        return 1.0;
    }
    const std::vector<StepLoop> loops = conditional_loops(subject, reduction);
    int64_t steps = 1;
    for (const StepLoop &loop : loops) {
        if (loop.extent < 1 || loop.extent > kMostSteps / steps) {
            return 1.0;
        }
        steps *= loop.extent;
    }
    std::vector<StepCondition> conditions;
    std::vector<int64_t> constants;
    for (const Expr &expr : reduction.conditions) {
        const auto condition = step_condition(expr, loops);
        if (!condition) {
            return 1.0;
        }
        conditions.push_back(*condition);
        constants.push_back(condition->constant);
    }
    return static_cast<double>(count_live(loops, 0, conditions, constants)) /
           static_cast<double>(steps);
}

}  // namespace emulsion
