// What the planner made of a network, in the model's own names: what `emulsion explain` shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/launch_work.h"
#include "backend/program.h"
#include "frontend/graph/graph.h"
#include "frontend/lower/network.h"

namespace emulsion {

struct ExplainedOperator {
    std::string name, type;  // node and ONNX operator of the model
    std::string mapping;     // mapping type
    std::string implementation;
    std::vector<std::string> alternatives;  // implementations that could have been chosen, this too
    double multiply_adds = 0.0;             // 0: none, or not known
    int group = -1;
};

// A tensor that a group reads or writes through memory.
struct ExplainedTensor {
    std::string name, type;
    std::vector<int64_t> shape;
    Layout layout;
    std::string storage;    // "arena", "weights", "input", "output"; "view" for that of a view
    std::string view_of;    // tensor whose memory this one shows
    int64_t bytes = 0;      // of the elements
    int64_t allocated = 0;  // with halo and rounding; 0 for a view
};

// Where a Func is computed; `part` is empty for the operator's result.
struct ExplainedPlacement {
    int op = -1;  // index into Explanation::operators
    std::string part, placement;
};

struct ExplainedGroup {
    std::string kind;  // "compute", "convert", "view"
    std::string label;
    std::vector<int> members;  // indices into Explanation::operators, the root last
    std::vector<ExplainedPlacement> placement;
    Nest nest;
    std::vector<ExplainedTensor> inputs;
    ExplainedTensor output;
    LaunchWork work;
    std::string unit;  // key; empty for a view
    int launch =
        -1;  // number of the kernel, as profiles and `verify --per-group` have it; -1: none

    bool launched() const { return launch >= 0; }
};

struct Explanation {
    std::string model, target, policy;
    int threads = 1;
    int operator_count = 0;  // N0 of the fusion ratio
    int launched = 0, units = 0;
    int64_t bytes_moved = 0;  // read and written by all launches of a run
    double multiply_adds = 0.0;
    int64_t arena_bytes = 0, live_bytes = 0, weights_bytes = 0;
    std::vector<ExplainedOperator> operators;  // those of the graph after the passes
    std::vector<ExplainedGroup> groups;        // in execution order
    std::vector<Refusal> refusals;             // between nodes of the model

    double fusion_ratio() const;
};

Explanation explain_network(const Graph &graph, const PlannedNetwork &network);

std::string to_string(Placement placement);
// "channels last, halo 0 0 1 1", "row-major".
std::string describe(const Layout &layout);

}  // namespace emulsion
