#include "fusion/plan.h"

#include <algorithm>
#include <numeric>

namespace emulsion {

int Plan::launched_groups() const {
    return static_cast<int>(std::count_if(groups.begin(), groups.end(), [](const PlannedGroup &g) {
        return g.kind != GroupKind::View;
    }));
}

double Plan::predicted_cycles() const {
    return std::accumulate(
        groups.begin(), groups.end(), 0.0,
        [](double cycles, const PlannedGroup &group) { return cycles + group.cycles; });
}

int Plan::owner(int value) const {
    while (values.at(static_cast<size_t>(value)).alias_of >= 0) {
        value = values[static_cast<size_t>(value)].alias_of;
    }
    return value;
}

int64_t Plan::start(int value,
                    const std::function<std::vector<int64_t>(int value)> &extents) const {
    int64_t start = 0;
    // Surroundings of a slice reach to the ends of what is no slice itself.
    for (int v = value; values.at(static_cast<size_t>(v)).alias_of >= 0;) {
        const auto planned = [&](int i) -> const PlannedValue & {
            return values[static_cast<size_t>(i)];
        };
        if (planned(v).layout.has_surroundings()) {
            start += slice_offset(extents(v), planned(v).layout);
            while (planned(v).layout.has_surroundings() && planned(v).alias_of >= 0) {
                v = planned(v).alias_of;
            }
        } else {
            v = planned(v).alias_of;
        }
    }
    return start;
}

}  // namespace emulsion
