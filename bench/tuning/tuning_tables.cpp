#include "bench/tuning/tuning_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "tuner/grid.h"

namespace emulsion {

void print_tuned(const TunedNetwork &tuned) {
    fmt::print("{:>9}{:>9}{:>8}{:>8}{:>11}  {}\n", "ms", "launches", "trials", "best", "confirmed",
               "operators");
    for (size_t i = 0; i < tuned.tasks.size(); i++) {
        const TunedTask &task = tuned.session.tasks[i];
        fmt::print("{:>9.4f}{:>9}{:>8}{:>8.3f}{:>11.3f}  {}\n", task.curve.planned_ms,
                   tuned.tasks[i].launches, task.trials, task.ratio, tuned.confirmed[i],
                   tuned.tasks[i].label);
    }
}

void print_tasks(const TunedNetwork &tuned) {
    fmt::print("{:>9}{:>9}{:>9}{:>13}{:>10}  {}\n", "predicted", "launches", "choices", "grid",
               "suggested", "operators");
    for (const TuningTask &task : tuned.tasks) {
        const auto choices = std::count_if(
            task.space.parameters.begin(), task.space.parameters.end(),
            [](const NestParameter &p) { return p.domain.least < p.domain.most || p.is_optional; });
        const auto grid = static_cast<double>(Grid(task).size());
        fmt::print("{:>9.4f}{:>9}{:>9}{:>13.4g}{:>10}  {}\n", task.predicted_ms, task.launches,
                   choices, grid, task.suggested.size(), task.label);
    }
}

}  // namespace emulsion
