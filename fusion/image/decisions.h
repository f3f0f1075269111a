// What is decided of the stages of an image graph: which are inlined, which are stored, and which of the
// stored ones are computed tile by tile of another.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
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

// What the loops of a stage are to have in the place of what plan_images() takes, as far as there is room; 0: nothing.
struct StageLoops {
    int64_t vector = 0;   // elements of a vector, where it has the columns of one row
    int64_t vectors = 0;  // side by side
    int64_t rows = 0;     // side by side, of sums in registers
    int64_t block = 0;    // rows side by side, of what is no sum
    int64_t aligned = 0;  // 1: rows of what is stored begin at whole vectors
    bool operator==(const StageLoops &) const = default;
};

struct ImageDecisions {
    ImageGraph graph;                               // with the copies that were made of stages
    StagePlacements placements;                     // per stage
    std::vector<std::vector<StageChoice>> choices;  // per stage; empty: there was nothing to choose
    std::vector<ImageGroup> groups;                 // by ascending root
    std::map<std::string, StageLoops> loops{};      // by name of the stage

    StageLoops loops_of(int stage) const {
        const auto found = loops.find(graph.stages[static_cast<size_t>(stage)].name);
        return found == loops.end() ? StageLoops() : found->second;
    }
};

}  // namespace emulsion
