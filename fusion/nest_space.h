// Which loop nests there are for an operator: the values that a template's parameters may take, alone and together,
// and what the nests at some of these points take.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fusion/nest.h"
#include "fusion/nest_estimate.h"

namespace emulsion {

// What a parameter's value is.
enum class NestType {
    Axis,   // of the result; -1 where there may be none
    Axes,   // several: their bits
    Count,  // of what the unit says
    Flag,   // 0 or 1
};

// The values that a parameter may take, whatever the others are.
struct NestDomain {
    int64_t least = 0, most = 0;
    bool powers_of_two = false;  // only these; `least` is one

    bool contains(int64_t value) const;
    // The value of the domain that is nearest to `value` from below, or its least one.
    int64_t at_most(int64_t value) const;
    bool operator==(const NestDomain &) const = default;
};

struct NestParameter {
    std::string name;
    NestType type = NestType::Count;
    std::string unit;  // "vectors", "columns", "rows", "axis", ...
    NestDomain domain;
    int64_t preferred = 1;     // the value to use when nothing is known; in the domain
    bool is_optional = false;  // a nest may lack it, and its preferred one does
};

// What the values of several parameters must be together.
struct NestConstraint {
    enum class Rule {
        ProductAtMost,   // the product of all is at most `number`
        ProductAtLeast,  // ... at least `number`
        ProductDivides,  // ... divides `number`
        FewAboveOne,     // at most `number` of them are more than one
        Distinct,        // those that aren't negative differ
    };
    Rule rule = Rule::ProductAtMost;
    std::vector<std::string> parameters;
    int64_t number = 0;
    std::string refusal;  // ends the sentence "loop nest 'NAME' ...", where the rule is broken
    // The rule holds only where this parameter has this value.
    std::optional<std::pair<std::string, int64_t>> where{};

    // A nest that lacks one of the parameters breaks no rule.
    bool holds(const Nest &nest) const;
    // Whether these values, of the parameters in their order, keep the rule, where it holds.
    bool holds(std::span<const int64_t> values) const;
};

// Where a loop nest has room for results of other stages. On a CPU they are computed for every element along the
// outer axes and every few rows; on a GPU for every block of a workgroup. A template that can't compute others has
// neither rows nor columns.
struct PanelLoops {
    std::vector<int> outer_axes;  // of the result
    int row_axis = -1;            // of the result, or -1
    int column_axis = -1;  // on a GPU, of the result: neighbouring threads lie along it; or -1
    std::string rows_parameter;  // the parameter that says how many rows
    int64_t step = 1;            // it has to be a multiple of this
    // The parameter that says for how many panels one after the other a panel's rows are kept, so that
    // only new ones are computed; empty: the nest can't.
    std::string task_parameter{};
    // Where the nest's own result is a panel: the axes of which a panel has everything, because the nest's
    // tiles lie along them.
    std::vector<int> whole_axes{};
    // Parameters with which the nest runs on one core.
    std::map<std::string, int64_t> serial;
    // Whether the nest's own result may be a panel of another one.
    bool is_panel = false;
    // Parameters that change nothing where the nest computes no other stages; where it does; and where its own
    // result is a panel.
    std::vector<std::string> unused_alone{}, unused_hosting{}, unused_as_panel{};

    // The axis that every panel cuts, or -1 where there are none.
    int cut_axis() const { return row_axis >= 0 ? row_axis : column_axis; }

    bool operator==(const PanelLoops &) const = default;
};

// All loop nests that a template offers for one operator.
struct NestSpace {
    std::string template_name;
    // Of the template: of another version, equal points are other code. Of a space of several, the sum.
    int version = 1;
    std::vector<NestParameter> parameters;
    std::vector<NestConstraint> constraints{};
    PanelLoops panels{};
    // The parameter that says along which axis of the result to compute blocks, besides those of the vectors,
    // because an operand's cache lines lie along it; empty: the nest can't.
    std::string crossing_parameter{};
    // The parameters whose product is how many columns a block of the constants has that lie in blocks
    // (fusion/constant_blocks.h).
    std::vector<std::string> block_parameters{};
    // The nests that the planner chooses from where the operator is a group's root, the preferred one first. On a CPU
    // it is the only one.
    std::vector<NestPoint> points{};
    // Of the nest where its rows are computed one at a time: its result is a panel of another nest, which may have a
    // single row, or panels are computed for its rows. What it takes counts also where it is inlined.
    NestPoint single_rows{};
    // Prices any other point. Null: nothing is known of this template.
    std::shared_ptr<const NestModel> model{};

    // Of a valid point, whether it is one of `points` or not.
    NestEstimate estimate(const Nest &nest, const Machine &machine) const;
    // Makes the estimates of `points` and of `single_rows` those of this machine, where something is known of the
    // template. The nests stay.
    void estimate_for(const Machine &machine);
    // Of the nest that is preferred.
    const NestEstimate &usual() const;
    // The nest with every parameter at its preferred value.
    Nest preferred() const;
    // Whether the nest is a point of this space: empty, or the one sentence that says why not. A point can be put
    // into a plan, built and run. Panels are the planner's: `rows_parameter` and `task_parameter` count only where
    // the nest computes other stages.
    std::string is_valid(const Nest &nest) const;
    // The parameter of that name, or null.
    const NestParameter *find(const std::string &name) const;
    NestParameter *find(const std::string &name);
};

}  // namespace emulsion
