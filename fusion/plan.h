// A plan: which operators form a group, how each is implemented and where each is computed, the loop
// nest of each group, the layout of every tensor in memory. Plans are data: made here, printed,
// stored as JSON, applied by autoscheduler/, replayed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fusion/layout.h"
#include "fusion/move_way.h"
#include "fusion/nest.h"
#include "fusion/search/report.h"

namespace emulsion {

struct PlannedPart {
    std::string part;  // "" is the operator's result; Func name = OPERATOR or OPERATOR_PART
    Placement placement = Placement::Inline;
    bool operator==(const PlannedPart &) const = default;
};

// A place where a member could be computed: predicted cycles of all groups that it touches.
struct PlannedChoice {
    Placement placement = Placement::Root;
    double cycles = 0.0;
    bool operator==(const PlannedChoice &) const = default;
};

// Of a stage of an image pipeline, what people want to know of its placement. Nothing depends on it when the plan is
// applied.
struct PlannedReasons {
    std::vector<std::string> reads;  // members, of whatever group
    // What was chosen among, with what was taken; one or none where there was nothing to choose.
    std::vector<PlannedChoice> choices;
    std::string why;  // where there was nothing to choose
    bool operator==(const PlannedReasons &) const = default;
};

struct PlannedMember {
    std::string op;              // operator name
    std::string implementation;  // chosen implementation
    std::vector<PlannedPart> parts;
    // Which of the group's loop nests it is computed in. The last one writes the group's output; the
    // results of the others are panels, computed at the rows of the last one.
    int stage = 0;
    Nest nest;  // of the stage's anchor; empty for the other members
    // How a panel lies in memory: axes from outermost to innermost. Empty where the result is none.
    std::vector<int> order;
    // The axes of which a panel has a part only.
    std::vector<int> cut;
    PlannedReasons reasons;
    bool operator==(const PlannedMember &) const = default;
};

// A tensor in memory. A graph's value may have several: one per layout that it is wanted in.
struct PlannedValue {
    std::string name;  // of the graph's value
    Layout layout;
    // An earlier planned value in whose memory this one lies: it is a slice of it, or the same bytes
    // in another shape (a Reshape that moves no data). -1: it has memory of its own.
    int alias_of = -1;
    bool operator==(const PlannedValue &) const = default;
};

enum class GroupKind {
    Compute,  // operators, one kernel
    Convert,  // a copy from one layout to another, one kernel
    View,     // operators that move no data: no kernel
};

struct PlannedGroup {
    GroupKind kind = GroupKind::Compute;
    // Topological order, the root last. Of a conversion: the copy (LaidOutGraph::copies), alone.
    std::vector<PlannedMember> members;
    std::vector<int> inputs;  // planned values that are read, in first-use order
    int output = -1;          // planned value that is written
    double cycles = 0.0;      // predicted; 0: nobody asked
    bool operator==(const PlannedGroup &) const = default;
};

// Why two neighbours are not in one group.
struct Refusal {
    std::string producer;
    std::string consumer;
    std::string reason;
    bool operator==(const Refusal &) const = default;
};

// Operators that are computed in every group that reads them, instead of being stored once: members of
// several groups. Where one of these groups ends in them, their result is stored for others as well.
struct PlannedDuplication {
    std::vector<std::string> ops;  // topological order; all but the last are read by them only
    double cycles_won = 0.0;       // predicted, over the plan without
    bool operator==(const PlannedDuplication &) const = default;
};

// Of a stage of an image pipeline: some of its readers compute it for themselves, and elsewhere than for the others.
// The copy is a stage of its own, and a member of a group.
struct PlannedCopy {
    std::string name, of;
    std::vector<std::string> readers;  // stages or copies
    bool operator==(const PlannedCopy &) const = default;
};

// Of an operator of the model that takes another implementation than its first one.
struct PlannedImplementation {
    std::string op;  // as users know it
    std::string implementation;
    bool operator==(const PlannedImplementation &) const = default;
};

// What becomes of an operator that only moves or merges axes, or makes a result for the caller
// (fusion/preferred_orders.h).
struct PlannedMove {
    std::string op;
    MoveWay way = MoveWay::Moved;
    bool operator==(const PlannedMove &) const = default;
};

struct Plan {
    std::string policy;
    std::vector<PlannedImplementation> implementations;
    // Operands of concatenations are written to their places in the result (Policy::absorbs_copies).
    bool absorbs_copies = false;
    std::vector<PlannedMove> moves;  // of operators that are not Free, where copies are absorbed
    std::vector<PlannedValue> values;
    std::vector<PlannedGroup> groups;  // in execution order
    std::vector<Refusal> refusals;
    std::vector<PlannedDuplication> duplications;
    std::vector<PlannedCopy> copies;  // readers' before those of what they read
    SearchReport search;              // of a policy that searches
    bool operator==(const Plan &) const = default;

    // Groups that launch a kernel: all but views, conversions included.
    int launched_groups() const;
    // Of all groups, one after the other.
    double predicted_cycles() const;
    // The planned value that `value` lies in and that has memory of its own.
    int owner(int value) const;
    // Elements between the start of that memory and the start of `value`'s buffer. `extents` are
    // those of the planned values.
    int64_t start(int value, const std::function<std::vector<int64_t>(int value)> &extents) const;
};

// JSON text of a plan (stable key order, so equal plans give equal bytes) and back. Parsing throws
// Error, with what is missing or wrong, for anything that to_json would not have written.
std::string to_json(const Plan &plan, int indent = -1);
Plan plan_from_json(const std::string &text);

// The same as a file of its own (schema emulsion-plan), and back. `place` is what messages call the text.
std::string plan_document(const Plan &plan);
Plan plan_from_document(const std::string &text, const std::string &place);

}  // namespace emulsion
