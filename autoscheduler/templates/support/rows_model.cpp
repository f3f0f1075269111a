#include "autoscheduler/templates/support/rows_model.h"

#include <algorithm>

#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "autoscheduler/work.h"
#include "fusion/ceil_div.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

// Of sums over windows, which are stored at every tap (measured: 64 x 64 sums of 16 x 5 x 5 products for two channels,
// 0.6 ms for 0.1).
constexpr double kWindowSlowdown = 6.0;

// Operations on whole vectors that beginning a sum in lanes and adding these up take.
constexpr double kLaneSumOperations = 12.0;

// Whether vectors run along a sum, as its operand of most axes is written down: where it lies side by side in memory.
bool is_summed_in_lanes(const FuncFacts &part, bool innermost_first) {
    const TensorAccess *read = nullptr;
    for (const TensorAccess &access : part.accesses) {
        if (access.in_update && access.callee != part.name &&
            (read == nullptr || access.args.size() > read->args.size())) {
            read = &access;
        }
    }
    if (read == nullptr || read->args.empty()) {
        return false;
    }
    const Halide::Expr &index = innermost_first ? read->args.front() : read->args.back();
    return std::any_of(part.reduction.begin(), part.reduction.end(),
                       [&](const ReductionLoop &loop) {
                           return Halide::Internal::expr_uses_var(index, loop.name);
                       });
}

bool is_innermost_first(const NestSubject &subject) {
    const std::vector<int> &order = subject.natural_order;
    return order.size() > 1 && order.back() == 0;
}

// Operations for sums in lanes, over all others.
double added_lanes(const NestSubject &subject) {
    const int64_t lanes = subject.machine.lanes(subject.result().type.bytes());
    const bool innermost_first = is_innermost_first(subject);
    double sums = 0.0;
    for (const FuncFacts &part : subject.parts) {
        if (is_summed_in_lanes(part, innermost_first)) {
            sums += element_count(part, subject.result(), subject.extents);
        }
    }
    const double others = operation_count(subject.parts, subject.extents);
    return sums * kLaneSumOperations * static_cast<double>(lanes) / std::max(others, 1.0);
}

bool sums_over_windows(const NestSubject &subject) {
    return std::any_of(subject.parts.begin(), subject.parts.end(), [](const FuncFacts &part) {
        return std::any_of(part.reduction.begin(), part.reduction.end(),
                           [](const ReductionLoop &loop) { return loop.window; });
    });
}

// Of sums whose vectors run along the columns of the result; 0: there are none.
int64_t kept_columns(const NestSubject &subject) {
    const bool in_lanes =
        std::any_of(subject.parts.begin(), subject.parts.end(), [&](const FuncFacts &part) {
            return part.is_reduction() && is_summed_in_lanes(part, is_innermost_first(subject));
        });
    return !in_lanes && sums_keep_columns(subject)
               ? subject.extents[static_cast<size_t>(subject.natural_order.back())]
               : 0;
}

// Lanes that are computed over those that are asked for, in vectors of a row that overlap at its end.
double overlap(int64_t columns, int vector) {
    const int64_t taken = std::min<int64_t>(vector, floor_power_of_two(columns));
    return static_cast<double>(ceil_div(columns, taken) * vector) / static_cast<double>(columns);
}

}  // namespace

RowsModel::RowsModel(const NestSubject &subject, bool vectorised)
    : extents_(subject.extents), element_bytes_(subject.result().type.bytes()),
      vectorised_(vectorised), has_windows_(sums_over_windows(subject)),
      kept_columns_(vectorised ? kept_columns(subject) : 0),
      added_lanes_(vectorised ? added_lanes(subject) : 0.0) {}

NestEstimate RowsModel::estimate(const Nest &nest, const Machine &machine) const {
    NestEstimate found;
    const double lanes = machine.lanes(element_bytes_);
    found.operation_slowdown = vectorised_ ? std::max(1.0, lanes / rows_vector(nest)) : 1.0;
    found.operation_slowdown *= (has_windows_ ? kWindowSlowdown : 1.0) * (1.0 + added_lanes_);
    if (kept_columns_ > 0) {
        found.operation_slowdown *= overlap(kept_columns_, rows_vector(nest));
    }
    found.column_axis = parameter(nest, "column_axis");
    // Blocks of rows are walked side by side: as many streams, which the caches follow less well.
    const int crossing = parameter(nest, "crossing_axis");
    if (crossing >= 0 && crossing != found.column_axis &&
        extents_[static_cast<size_t>(crossing)] > 1) {
        found.reread_bytes = 2.0 * static_cast<double>(element_count(extents_) * element_bytes_);
    }
    const int tasks = rows_tasks(nest);
    found.imbalance = tasks > 0 ? 1.0 : machine.cpu().threads;
    found.tasks = std::max(tasks, 1);
    return found;
}

std::vector<Nest> RowsModel::suggest(const Nest &nest, const Machine &machine) const {
    std::vector<Nest> suggested;
    const auto add = [&](const char *name, int64_t value) {
        if (nest.parameters.count(name) != 0 && nest.parameters.at(name) != value) {
            suggested.push_back(nest);
            suggested.back().parameters[name] = value;
        }
    };
    const int64_t cores = machine.cores(), vector = rows_vector(nest);
    const int64_t rows = parameter(nest, "task_rows", 1);
    for (const int64_t per_core : {1, 2, 8, 0, 4, 16}) {
        add("tasks", per_core * cores);
    }
    for (const int64_t other : {vector / 2, vector * 2, vector / 4}) {
        add("vector", other);
    }
    for (const int64_t other : {rows / 2, rows * 2, rows / 4, rows * 4, int64_t{1}}) {
        add("task_rows", other);
    }
    return suggested;
}

}  // namespace emulsion
