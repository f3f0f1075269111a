#include "fusion/image/legal_places.h"

#include <algorithm>
#include <utility>

#include "fusion/image/block_axes.h"
#include "fusion/image/stage_cost.h"

namespace emulsion {

bool LegalPlaces::is_free(int i) const {
    return !stage(i).is_output && !stage(i).is_opaque &&
           (stage(i).is_wrapper || (!facts_.is_table(i) && !facts_.sums_larger(i)));
}

bool LegalPlaces::can_inline(int i, const StageReaders &readers) {
    return is_free(i) && stage(i).is_pure() && !stage(i).has_unread_value &&
           !turns_updates(i, readers) && !bounds_updates(i, readers);
}

// A boundary condition, read by an update: inside of reduction loops nobody takes the test for the boundary out
// of the loop along the columns, and vectors are gathered.
bool LegalPlaces::bounds_updates(int i, const StageReaders &readers) const {
    return stage(i).is_wrapper && facts_.is_boundary(i) &&
           std::any_of(readers.begin(), readers.end(), [&](const auto &reader) {
               return std::any_of(reader.second.begin(), reader.second.end(), [&](int d) {
                   const Definition &definition =
                       stage(reader.first).definitions[static_cast<size_t>(d)];
                   return !definition.reduced.empty() && !definition.free.empty() &&
                          definition.free.front();
               });
           });
}

// The transpose of a stage, read by an update: only a pure definition can be cut along both axes.
bool LegalPlaces::turns_updates(int i, const StageReaders &readers) {
    const bool by_updates = std::any_of(readers.begin(), readers.end(), [](const auto &reader) {
        return reader.second.count(0) == 0 || reader.second.size() > 1;
    });
    return by_updates &&
           stage_costs(stages_.graph(), stages_.placements(), i, machine_).front().transposes &&
           is_turned_inside(i, readers);
}

// Inlined into its readers; a reduction may walk along the other axis itself.
bool LegalPlaces::is_turned_inside(int i, const StageReaders &readers) {
    const std::optional<Placement> before = std::exchange(stages_.placement(i), Placement::Inline);
    bool turned = false;
    for (const auto &[reader, definitions] : readers) {
        const auto costs = stage_costs(stages_.graph(), stages_.placements(), reader, machine_);
        for (const int d : definitions) {
            turned = turned || costs[static_cast<size_t>(d)].transposes;
        }
    }
    stages_.placement(i) = before;
    return turned;
}

// A reduction that a single pure stage reads at its own place, perhaps through inlined ones.
bool LegalPlaces::fits_registers(int i, const StageReaders &readers) const {
    const ImageStage &s = stage(i);
    if (s.definitions.size() != 2 || readers.size() != 1 || s.extents.empty()) {
        return false;
    }
    const Definition &update = s.definitions.back();
    const ImageStage &reader = stage(readers.begin()->first);
    if (!reader.is_pure() || reader.extents.size() != s.extents.size() ||
        stages_.placement(readers.begin()->first) == Placement::Register ||
        update.reduced.empty() || update.scans ||
        std::count(update.free.begin(), update.free.end(), false) > 0) {
        return false;
    }
    if (!block_axes(stages_.graph(), stages_.placements(), readers.begin()->first).front()) {
        return false;
    }
    const auto of_reader =
        stage_costs(stages_.graph(), stages_.placements(), readers.begin()->first, machine_);
    return of_reader.front().own_places.count(i) != 0 &&
           !stage_costs(stages_.graph(), stages_.placements(), i, machine_).back().reverses;
}

}  // namespace emulsion
