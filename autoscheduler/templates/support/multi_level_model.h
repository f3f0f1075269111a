// What multi-level tiles take.
#pragma once

#include "autoscheduler/templates/support/multi_level.h"
#include "fusion/nest_estimate.h"

namespace emulsion {

// Prices them by their lanes, by sums that wait for themselves, by the cache that a local tile fits into, and by how
// evenly tasks share the work.
class MultiLevelModel : public NestModel {
public:
    MultiLevelModel(const NestSubject &subject, const UpdateRoles &roles);

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override;
    // Other tiles, widths and numbers of vectors, and other tasks: one of them changed at a time, and tiles together
    // with the axis of the vectors.
    std::vector<Nest> suggest(const Nest &nest, const Machine &machine) const override;

private:
    int64_t size(const MultiLevelTile &t, int axis) const;
    double slowdown(const MultiLevelTile &t, const Machine &machine) const;

    std::vector<int64_t> extents_;  // of the result
    UpdateRoles roles_;
    int element_bytes_;
    double operations_ = 0.0;  // of the reductions
    int column_axis_;          // innermost in memory, as the program thinks of it
    bool reads_data_ = false;  // a scatter's places differ from lane to lane
};

// Whether the places of a scatter depend on its step along the axis: vectors along it have no common row.
bool has_places_of_its_own(const FuncFacts &scatter, const UpdateRoles &roles, int axis);

}  // namespace emulsion
