#include "backend/unit_features.h"

#include "backend/unit_builder.h"
#include "backend/workers.h"

namespace emulsion {

std::vector<CodeFeatures> features_of_units(std::span<const Unit *const> units,
                                            const CompileOptions &options) {
    std::vector<WorkerTask> tasks;
    for (const Unit *unit : units) {
        tasks.push_back({.unit = unit, .lowers_only = true, .label = unit_key(*unit)});
    }
    std::vector<CodeFeatures> all(units.size());
    run_workers(tasks, worker_options(options),
                [&](size_t i, const WorkerOutcome &outcome) { all[i] = outcome.features; });
    return all;
}

}  // namespace emulsion
