// How far each group of a network is from what the machine allows (Williams et al., "Roofline: An Insightful Visual
// Performance Model for Multicore Architectures", 2009): no group takes less than its operations at the peak, and none less
// than reading and writing its tensors at the bandwidth of the cache or the memory that they fit into.
#pragma once

#include <string>
#include <vector>

#include "bench/limits.h"
#include "bench/trace.h"
#include "frontend/lower/network.h"

namespace emulsion {

struct RooflineGroup {
    int launch = 0;           // position in the order of execution
    std::string label, nest;  // its operators; the templates of its loop nests
    double operations = 0.0;  // two per multiply-add, one per element of a member's result
    double bytes = 0.0;       // read and written, each tensor once
    double ms = 0.0, predicted_ms = 0.0;
    double limit_ms = 0.0;      // what the machine allows
    bool memory_bound = false;  // bytes make the limit
    std::string reason;         // what it loses its time by, one sentence

    double share() const { return ms > 0.0 ? limit_ms / ms : 0.0; }
    double lost_ms() const { return ms > limit_ms ? ms - limit_ms : 0.0; }
};

struct Roofline {
    std::string model;
    MachineLimits limits;
    std::vector<RooflineGroup> groups;  // as they run

    double ms() const;
    double limit_ms() const;
    // The `most` groups that lose most time, the worst first.
    std::vector<const RooflineGroup *> worst(size_t most) const;
};

// Of a network whose launches took `median_ms`, one for each of `facts`. `region_ms` is what starting a parallel loop takes.
Roofline make_roofline(const PlannedNetwork &network, const std::vector<LaunchFacts> &facts,
                       const std::vector<double> &median_ms, const MachineLimits &limits,
                       double region_ms);

// A table of all groups and one of the worst.
void print_roofline(const Roofline &roofline, size_t worst);
Json to_json(const Roofline &roofline);
// An SVG image: operations per second over operations per byte, a circle for each group, as large as its time, under the
// machine's limits.
std::string roofline_svg(const Roofline &roofline);

}  // namespace emulsion
