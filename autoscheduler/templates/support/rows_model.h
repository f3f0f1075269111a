// What the nests of rows.h take.
#pragma once

#include "autoscheduler/templates/template.h"
#include "fusion/nest_estimate.h"

namespace emulsion {

// Prices all of their points by how far these are from whole vectors along what lies side by side in memory, and from
// even tasks.
class RowsModel : public NestModel {
public:
    // `vectorised`: what it computes is in vectors, and not as an order demands.
    explicit RowsModel(const NestSubject &subject, bool vectorised = true);

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override;
    // Other widths of vectors, numbers of tasks and, of panels, rows.
    std::vector<Nest> suggest(const Nest &nest, const Machine &machine) const override;

private:
    std::vector<int64_t> extents_;  // of the result
    int element_bytes_;
    bool vectorised_;
    bool has_windows_;      // sums over windows
    int64_t kept_columns_;  // of sums that are computed column by column; 0: there are none
    // Operations for adding up the lanes of sums, over all others.
    double added_lanes_ = 0.0;
};

}  // namespace emulsion
