#include "fusion/cost/placement_model.h"

#include "fusion/cost/gpu_price.h"
#include "fusion/cost/placed_cost.h"
#include "fusion/cost/placement_rules.h"

namespace emulsion {

namespace {

class CpuPlacement : public PlacementModel {
public:
    CpuPlacement(const OperatorGraph &graph, const CpuMachine &machine)
        : graph_(graph), machine_(machine) {}

    bool may_keep_whole(double bytes) const override { return bytes <= most_whole_bytes(machine_); }
    bool cuts_panels() const override { return true; }
    GroupPrice price(const PlacedGroup &group) const override {
        if (std::string reason = unplaceable_because(graph_, group, machine_); !reason.empty()) {
            return {std::move(reason), 0.0, {}};
        }
        return placed_price(graph_, group, row_choices(graph_, group, machine_), machine_);
    }

private:
    const OperatorGraph &graph_;
    const CpuMachine &machine_;
};

class GpuPlacement : public PlacementModel {
public:
    GpuPlacement(const OperatorGraph &graph, const GpuMachine &machine)
        : graph_(graph), machine_(machine) {}

    // One kernel has no place between its workgroups.
    bool may_keep_whole(double) const override { return false; }
    bool cuts_panels() const override { return false; }
    GroupPrice price(const PlacedGroup &group) const override {
        return gpu_price(graph_, group, machine_);
    }

private:
    const OperatorGraph &graph_;
    const GpuMachine &machine_;
};

}  // namespace

std::unique_ptr<PlacementModel> placement_model(const OperatorGraph &graph,
                                                const Machine &machine) {
    if (machine.is_gpu()) {
        return std::make_unique<GpuPlacement>(graph, machine.gpu());
    }
    return std::make_unique<CpuPlacement>(graph, machine.cpu());
}

}  // namespace emulsion
