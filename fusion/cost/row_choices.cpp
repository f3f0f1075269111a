#include "fusion/cost/row_choices.h"

#include "fusion/cost/group_view.h"
#include "fusion/cost/placement_rules.h"

namespace emulsion {

namespace {

// Numbers of rows that are tried one by one; beyond them every doubled one.
constexpr int64_t kFewSteps = 8;
// Tasks for every thread, where panels share rows: powers of two up to this.
constexpr int64_t kMostTasks = 4;

// Whether two rows of the root need less of a panel than twice what one row does.
bool panels_overlap(const GroupView &group) {
    const auto one = group.tiles(1);
    const auto two = group.tiles(2);
    for (size_t i = 0; i < group.size(); i++) {
        if (group.panel(i) && element_count(two[i]) < 2 * element_count(one[i])) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::vector<RowChoice> row_choices(const OperatorGraph &graph, const PlacedGroup &placed,
                                   const CpuMachine &machine) {
    const GroupView group(graph, placed);
    if (!group.has_panels()) {
        return {{}};
    }
    const PanelLoops &loops = group.root_anchor().nest.panels;
    const int64_t all = group.result(group.root()).extents[static_cast<size_t>(loops.row_axis)];
    // More rows than the fewest have to stay in the private cache.
    const double most = most_panel_bytes(machine);
    const bool overlap = !loops.task_parameter.empty() && panels_overlap(group);
    std::vector<RowChoice> choices;
    for (const bool single_rows : {true, false}) {
        const int64_t step = single_rows ? 1 : loops.step;
        for (int64_t rows = step; rows < all + step;
             rows += rows < kFewSteps * step ? step : rows) {
            if (rows > step && group.panel_bytes(group.tiles(rows)) > most) {
                break;
            }
            choices.push_back({rows, single_rows, 1});
            const int64_t panels = (all + rows - 1) / rows;
            for (int64_t tasks = 1; overlap && tasks <= kMostTasks; tasks *= 2) {
                const int64_t all_tasks = tasks * machine.threads;
                const int64_t task_panels = (panels + all_tasks - 1) / all_tasks;
                if (task_panels > 1 && task_panels != choices.back().task_panels) {
                    choices.push_back({rows, single_rows, task_panels});
                }
            }
        }
    }
    return choices;
}

}  // namespace emulsion
