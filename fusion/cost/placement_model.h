// What depends on the kind of machine when a group's members are placed: which places there are, and what a
// placement costs.
#pragma once

#include <memory>

#include "fusion/group_cost.h"
#include "fusion/machine.h"
#include "fusion/operator_graph.h"
#include "fusion/placement.h"

namespace emulsion {

class PlacementModel {
public:
    PlacementModel() = default;
    PlacementModel(const PlacementModel &) = delete;
    PlacementModel &operator=(const PlacementModel &) = delete;
    virtual ~PlacementModel() = default;

    // Places that price() refuses in every placement: not worth a try. `bytes` are those of the whole value.
    virtual bool may_keep_whole(double bytes) const = 0;
    // Whether a panel has to be less than all of its value.
    virtual bool cuts_panels() const = 0;
    // With everything of the placement that follows from its panels and wholes filled in; refused where the
    // group can't be computed so.
    virtual GroupPrice price(const PlacedGroup &group) const = 0;
};

// That of `machine`. Both arguments must live as long.
std::unique_ptr<PlacementModel> placement_model(const OperatorGraph &graph, const Machine &machine);

}  // namespace emulsion
