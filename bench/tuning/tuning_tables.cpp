#include "bench/tuning/tuning_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "tuner/ansor/sketches.h"
#include "tuner/grid.h"

namespace emulsion {

void print_tuned(const TunedNetwork &tuned) {
    fmt::print("{:>9}{:>9}{:>8}{:>8}{:>12}  {}\n", "ms", "launches", "trials", "best", "in network",
               "operators");
    for (const auto &[task, found, tried] : tuned.tasks) {
        fmt::print("{:>9.4f}{:>9}{:>8}{:>8.3f}{:>12.3f}  {}\n", found.curve.planned_ms,
                   task.launches, found.trials, found.best.ratio(),
                   tuned.ratio_in_network(task.problem), task.label);
    }
}

void print_tasks(const std::vector<TuningTask> &tasks) {
    fmt::print("{:>9}{:>9}{:>9}{:>11}{:>13}{:>10}  {}\n", "predicted", "launches", "choices",
               "sketches", "grid", "suggested", "operators");
    for (const TuningTask &task : tasks) {
        const auto choices = std::count_if(
            task.space.parameters.begin(), task.space.parameters.end(),
            [](const NestParameter &p) { return p.domain.least < p.domain.most || p.is_optional; });
        const auto grid = static_cast<double>(Grid(task).size());
        fmt::print("{:>9.4f}{:>9}{:>9}{:>11.4g}{:>13.4g}{:>10}  {}\n", task.predicted_ms,
                   task.launches, choices, static_cast<double>(sketches_of(task)), grid,
                   task.suggested.size(), task.label);
    }
}

}  // namespace emulsion
