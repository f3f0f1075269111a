// What is decided of the stages of an image graph: which are inlined, which are stored, and which of the
// stored ones are computed tile by tile of another.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/image/image_graph.h"

namespace emulsion {

enum class Fate {
    Open,      // not decided yet: counts as stored, in a cache
    Inline,    // in the expressions that read it
    Register,  // for every vector of its only reader
    Member,    // for every tile, or row of a tile, of its group's root
    Root,      // stored whole
};

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
};

struct ImageGroup {
    int root = -1;
    std::vector<int> members;  // ascending, without the root: Member and Register
    Shape shape;
    double cycles = 0.0;
};

struct ImageDecisions {
    std::vector<Fate> fate;          // per stage
    std::vector<ImageGroup> groups;  // by ascending root
};

}  // namespace emulsion
