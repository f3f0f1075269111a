// What an element of a stored stage costs with everything that is inlined into it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "fusion/image/decisions.h"
#include "fusion/image/tap_offsets.h"
#include "fusion/machine.h"

namespace emulsion {

constexpr int64_t kAnyNumber = std::numeric_limits<int64_t>::max();

// Vectors of partial sums that an update adds up in, along its lane loop.
struct SumLanes {
    int64_t elements = 1;  // of a vector; 1: it doesn't
    int64_t vectors = 1;   // side by side
};

// Of one definition.
struct DefinitionCost {
    double cycles =
        0.0;  // per element, arithmetic and loads from the first-level cache, the best way
    double columns_cycles = 0.0;  // ... without lanes
    SumLanes lanes;               // the best way
    int vector_axis = 0;          // ... of the stage, which is turned where it isn't the first
    double operations = 0.0;      // per element, loads among them: how long its code is
    std::map<int, int> taps;      // of stages that are not inlined: how many
    std::map<int, std::vector<Offsets>> offsets;  // ... and how far, per axis of theirs
    std::set<int>
        own_places;  // ... and those of them that are read at the place of the element alone
    // What compilers end with, whatever machines take (fusion/image/unrolled_code.h): lanes of a vector, and elements side
    // by side.
    int64_t most_lanes = kAnyNumber, most_side_by_side = kAnyNumber;
    bool reads_bare_inputs = false;  // not only through boundary conditions
    bool gathers = false;            // elements of a vector are read from unrelated places
    // Vectors would be read backwards. Halide can't where a part of them is masked, as in loops that aren't shifted
    // inwards at their end: those of updates.
    bool reverses = false;
    bool transposes = false;  // a read is transposed, so that vectors want both axes
    bool unrolls = false;     // it pays to unroll the channel axis; the cycles are those then
};

// Inlining stops being counted, and is as good as forbidden, when so many taps come together.
constexpr size_t kMostTaps = 2048;

std::vector<DefinitionCost> stage_costs(const ImageGraph &graph, const StagePlacements &placements,
                                        int stage, const CpuMachine &machine);

// The axis of a stage with these costs that is unrolled, or -1.
int unrolled_axis(const ImageStage &stage, const std::vector<DefinitionCost> &costs);

}  // namespace emulsion
