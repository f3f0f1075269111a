// What the planner made of a network, in the model's own names: what `emulsion explain` shows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/kernel_report.h"
#include "backend/launch_work.h"
#include "fusion/layout.h"
#include "fusion/nest.h"
#include "fusion/plan.h"

namespace emulsion {

struct ExplainedOperator {
    std::string name, type;  // node and ONNX operator of the model
    std::string mapping;     // mapping type
    std::string implementation;
    double multiply_adds = 0.0;  // 0: none, or not known
    // Several if it is duplicated; first the one that stores its result, if one does.
    std::vector<int> groups{};

    int group() const { return groups.empty() ? -1 : groups.front(); }
};

// An operator of the model that has several implementations.
struct ExplainedChoice {
    std::string name, type;
    std::string implementation;  // the one taken
    std::map<std::string, double>
        alone_ms;  // predicted, by implementation: what it takes by itself
};

// Operators that several groups compute, each for itself.
struct ExplainedDuplication {
    std::vector<int> members;  // indices into Explanation::operators
    double predicted_won_ms = 0.0;
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

// A loop nest of a group and the operators that are computed in it.
struct ExplainedNest {
    Nest nest;
    std::vector<int> members;  // indices into Explanation::operators
};

struct ExplainedGroup {
    std::string kind;  // "compute", "convert", "view"
    std::string label;
    std::vector<int> members;  // indices into Explanation::operators, the root last
    std::vector<ExplainedPlacement> placement;
    std::vector<ExplainedNest> nests;  // in execution order; the last writes the result
    std::vector<ExplainedTensor> inputs;
    ExplainedTensor output;
    LaunchWork work;
    std::string unit;           // key; empty for a view
    double predicted_ms = 0.0;  // by the cost model; 0: it was not asked
    double measured_ms = 0.0;   // where a profile is given
    int launch =
        -1;  // number of the kernel, as profiles and `verify --per-group` have it; -1: none

    bool launched() const { return launch >= 0; }
    std::string number() const { return launched() ? std::to_string(launch) : "view"; }
    // The template of the loop nest that writes the result, or the kind of a group that has none.
    const std::string &what() const;
};

// A value that an operator reads, or the network's caller.
struct ExplainedEdge {
    int producer = -1, consumer = -1;  // indices into Explanation::operators; -1: the caller
    int from = -1, to = -1;            // groups these are in
    int conversion = -1;  // group that copies the value into the layout that `to` reads
    std::string tensor, type;
    std::vector<int64_t> shape;
    int64_t bytes = 0;
    std::string reason;  // why two groups are not one; empty for other edges

    bool between_groups() const { return from >= 0 && to >= 0 && from != to; }
};

struct Explanation {
    std::string model, target, policy;
    int threads = 1;
    int operator_count = 0;  // N0 of the fusion ratio
    int launched = 0, units = 0;
    int64_t bytes_moved = 0;  // read and written by all launches of a run
    double multiply_adds = 0.0;
    int64_t arena_bytes = 0, live_bytes = 0, weights_bytes = 0;
    double predicted_ms = 0.0;                 // of all launches
    double measured_ms = 0.0;                  // the same, where a profile is given
    std::string profile;                       // its file; empty: there is none
    SearchReport search;                       // of a policy that searches
    std::vector<ExplainedOperator> operators;  // those of the implementations that were taken
    std::vector<ExplainedChoice> choices;      // in the model's order
    std::vector<ExplainedGroup> groups;        // in execution order
    std::vector<ExplainedEdge> edges;          // in the order of the readers
    std::vector<ExplainedDuplication> duplications;
    std::vector<KernelReport> kernels;  // of AMD GPUs: of the largest groups
    // Between nodes of the model: what the plan records, then pairs that only the edges have.
    std::vector<Refusal> refusals;

    double fusion_ratio() const;
    bool is_measured() const { return !profile.empty(); }
};

std::string to_string(Placement placement);
// Milliseconds as "0.0123", and predicted over measured ones as "1.25"; "-" where there are none.
std::string time_text(double ms);
std::string ratio_text(double predicted_ms, double measured_ms);
// "channels last, halo 0 0 1 1", "row-major".
std::string describe(const Layout &layout);
// "convolution columns=4 vectors=2".
std::string describe(const Nest &nest);
// "f32 1x3x224x224", "f32 scalar".
std::string describe(const std::string &type, const std::vector<int64_t> &shape);
// "up1, relu1 in groups 3, 4".
std::string describe(const Explanation &explanation, const ExplainedDuplication &duplication);
// Where the Funcs of operator `op` are computed: "padded panel, result register".
std::string describe_placement(const ExplainedGroup &group, int op);

}  // namespace emulsion
