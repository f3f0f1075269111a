// What a tile of a stage needs of the stages that it is computed from.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "fusion/image/decisions.h"

namespace emulsion {

using Extents = std::vector<double>;  // innermost axis first

double product(const Extents &extents);

// How often `definition` is computed for a region of its stage.
double evaluations(const Definition &definition, const Extents &region);
// How often the loop along the columns begins for that: of a scan, for each of its steps.
double column_loops(const Definition &definition, const Extents &region);

struct TileOfRoot {
    int root = -1;
    Extents extents;
    int step =
        -1;  // the definition of the root of which one iteration of the reduction loops counts; -1: none
};

// By stage, elements along each axis of what is needed of those that the group reads or computes. `stored`: the root
// and the members of its group.
std::map<int, Extents> needed_regions(const ImageGraph &graph, const StagePlacements &placements,
                                      const std::set<int> &stored, const TileOfRoot &tile);

// Bytes of inputs that such a tile reads, where `needed` is what it needs; without what is read at places that data
// decides. However far apart they are, no more elements than are asked for.
double input_bytes(const ImageGraph &graph, const StagePlacements &placements,
                   const std::set<int> &stored, const std::map<int, Extents> &needed);

// ... and by stage that it reads and does not compute, elements of these.
std::map<int, double> read_elements(const ImageGraph &graph, const StagePlacements &placements,
                                    const std::set<int> &stored,
                                    const std::map<int, Extents> &needed);

}  // namespace emulsion
