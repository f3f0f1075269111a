#include "fusion/image/placement_reasons.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace emulsion {

namespace {

// Of a stage without a choice.
std::string only_reason(const ImageStage &stage, bool inlined) {
    if (stage.is_output) {
        return "it is an output";
    }
    if (stage.is_inline_only) {
        return "it is read without bounds and can't be stored";
    }
    if (stage.is_opaque) {
        return stage.definitions.empty()
                   ? "code of the user's computes it"
                   : "code of the user's reads it, its schedule wants it stored, or Halide fails "
                     "where it is inlined";
    }
    if (stage.is_wrapper) {
        return inlined ? "it does nothing but read an input"
                       : "reduction loops read it, in which its bounds would be tested every time";
    }
    if (stage.extents.size() < 2) {
        return "it is a table";
    }
    return "its updates, or readers in several groups, leave no other place";
}

}  // namespace

PlannedReasons reasons_of(const ImageDecisions &decisions, int stage) {
    const auto i = static_cast<size_t>(stage);
    PlannedReasons reasons;
    std::set<int> read;
    for (const Definition &definition : decisions.graph.stages[i].definitions) {
        for (const ImageRead &r : definition.reads) {
            if (r.producer >= 0 && r.producer != stage && read.insert(r.producer).second) {
                reasons.reads.push_back(
                    decisions.graph.stages[static_cast<size_t>(r.producer)].name);
            }
        }
    }
    for (const StageChoice &choice : decisions.choices[i]) {
        if (std::isfinite(choice.cycles)) {  // else no shape of the group allows it
            reasons.choices.push_back({choice.placement, choice.cycles});
        }
    }
    if (reasons.choices.size() < 2) {
        reasons.why =
            only_reason(decisions.graph.stages[i], decisions.placements[i] == Placement::Inline);
    }
    return reasons;
}

}  // namespace emulsion
