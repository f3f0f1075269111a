#include "autoscheduler/templates/support/rows_model.h"

#include <algorithm>

#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

// Of sums over windows, which are stored at every tap (measured: 64 x 64 sums of 16 x 5 x 5 products for two channels,
// 0.6 ms for 0.1).
constexpr double kWindowSlowdown = 6.0;

bool sums_over_windows(const NestSubject &subject) {
    return std::any_of(subject.parts.begin(), subject.parts.end(), [](const FuncFacts &part) {
        return std::any_of(part.reduction.begin(), part.reduction.end(),
                           [](const ReductionLoop &loop) { return loop.window; });
    });
}

}  // namespace

RowsModel::RowsModel(const NestSubject &subject, bool vectorised)
    : extents_(subject.extents), element_bytes_(subject.result().type.bytes()),
      vectorised_(vectorised), has_windows_(sums_over_windows(subject)) {}

NestEstimate RowsModel::estimate(const Nest &nest, const Machine &machine) const {
    NestEstimate found;
    const double lanes = machine.lanes(element_bytes_);
    found.operation_slowdown = vectorised_ ? std::max(1.0, lanes / rows_vector(nest)) : 1.0;
    found.operation_slowdown *= has_windows_ ? kWindowSlowdown : 1.0;
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

}  // namespace emulsion
