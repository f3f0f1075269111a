// What is decided of the stages of an image graph: which are inlined, which are stored, and which of the
// stored ones are computed tile by tile of another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fusion/image/image_graph.h"
#include "fusion/nest.h"

namespace emulsion {

// Where each stage is computed: in registers for every vector of its only reader, as a panel for every tile of its
// group's root or for a row of one. Nothing: that is not decided yet, and it counts as stored, in a cache.
using StagePlacements = std::vector<std::optional<Placement>>;

// How the root of a group is cut into tiles, and where its members are computed.
struct Shape {
    std::vector<int64_t> block;  // per axis of the root; 0: not cut
    // Members are computed row by row along this axis, and kept as long as a later row needs them; -1:
    // for whole tiles.
    int slide_axis = -1;
    // The definition of the root that reads the members; and whether they are computed in every
    // iteration of its reduction loops.
    int host = 0;
    bool sweep = false;
    // Iterations of the outermost reduction loop of the root's update that a task adds up; 0: all.
    int64_t share = 0;
    bool operator==(const Shape &) const = default;
};

struct ImageGroup {
    int root = -1;
    std::vector<int> members;  // ascending, without the root: panels and registers
    Shape shape;
    double cycles = 0.0;
};

// What a place for a stage was predicted to cost when it was decided: cycles of all groups that it touches.
struct StageChoice {
    Placement placement = Placement::Root;
    double cycles = 0.0;
};

struct ImageDecisions {
    ImageGraph graph;                               // with the copies that were made of stages
    StagePlacements placements;                     // per stage
    std::vector<std::vector<StageChoice>> choices;  // per stage; empty: there was nothing to choose
    std::vector<ImageGroup> groups;                 // by ascending root
};

}  // namespace emulsion
