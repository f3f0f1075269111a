// Loop nests and plans that were found by measuring: what `emulsion tune` writes, and what plans take in the place of the
// planner's (schema emulsion-tuned; docs/json.md).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "fusion/nest.h"
#include "fusion/plan.h"

namespace emulsion {

struct PlannedNetwork;

struct TunedNest {
    std::string label;   // operators, for people
    Nest nest;           // of the whole group (fusion/group_nests.h)
    double ratio = 1.0;  // its time over that of the planner's nest
    bool operator==(const TunedNest &) const = default;
};

// A plan that measured prices have led to, with the planner's loop nests.
struct TunedPlan {
    std::string structure;  // of the graph that it is of (structure_hash)
    Plan plan;
    bool operator==(const TunedPlan &) const = default;
};

struct TunedNests {
    // What they were measured for and on: of another processor, or for as many other threads, they say nothing.
    std::string target;  // resolved Halide target
    int threads = 1;
    std::string machine;                     // fingerprint of the processor
    std::map<std::string, TunedNest> nests;  // by problem_key
    std::optional<TunedPlan> plan{};         // none: the planner's
    std::string file{};                      // for messages
    bool operator==(const TunedNests &) const = default;
};

// As a document, and back; `file` is what messages call the text. Reading throws Error for anything that writing would
// not have written.
std::string to_json(const TunedNests &tuned);
TunedNests tuned_from_json(const std::string &text, const std::string &file);

// Puts the tuned nests of its groups into a planned network, and has their cycles be those that are expected then. Returns how many groups
// have one. Throws Error, naming the file, for a nest that its group can't have.
int take_tuned(PlannedNetwork &network, const TunedNests &tuned);

}  // namespace emulsion
