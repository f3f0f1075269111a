#include "autoscheduler/apply.h"

#include <algorithm>
#include <map>
#include <set>

#include "autoscheduler/channels.h"
#include "autoscheduler/copies.h"
#include "autoscheduler/inline_only.h"
#include "autoscheduler/regions.h"
#include "autoscheduler/row_blocks.h"
#include "autoscheduler/templates/template.h"
#include "autoscheduler/user_schedule.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::Internal::as_const_int;
using Halide::Internal::Function;

constexpr const char *kImageNest = "tiles";  // the loop nest of image pipelines

std::string func_name(const PlannedMember &member, const PlannedPart &part) {
    return part.part.empty() ? member.op : member.op + "_" + part.part;
}

// Extents of a Func of which only panels are computed, -1 along the axes that these cut and where they
// are not known.
std::vector<int64_t> panel_extents(const Func &func, const std::vector<int> &cut,
                                   bool exact_estimates) {
    const Function &function = func.function();
    std::vector<int64_t> extents(static_cast<size_t>(func.dimensions()), -1);
    for (const auto &estimate : function.schedule().estimates()) {
        const auto axis = std::find(function.args().begin(), function.args().end(), estimate.var);
        if (const auto known = as_const_int(estimate.extent); known && exact_estimates) {
            extents[static_cast<size_t>(axis - function.args().begin())] = *known;
        }
    }
    for (const int axis : cut) {
        if (axis < 0 || axis >= func.dimensions()) {
            throw Error("the plan does not fit the pipeline: panels of '" + func.name() +
                        "' cut an axis that it does not have");
        }
        extents[static_cast<size_t>(axis)] = -1;
    }
    return extents;
}

// Readers may need less than all along an axis that panels do not cut (of a stride, say); the loop nest counts
// on all of it.
void compute_all(Func func, const std::vector<int64_t> &extents) {
    for (size_t axis = 0; axis < extents.size(); axis++) {
        if (extents[axis] >= 0) {
            func.bound(func.args()[axis], 0, static_cast<int>(extents[axis]));
        }
    }
}

// Throws Error for a nest outside of its template's bounds: before Halide sees any of the group.
void require_valid(const NestFuncs &funcs, const Nest &nest) {
    NestSpace bounds = find_template(nest.template_name).bounds(funcs);
    bounds.template_name = nest.template_name;
    if (nest.template_name == kImageNest) {
        add_row_blocks(funcs, bounds);
    }
    if (const std::string refusal = bounds.is_valid(nest); !refusal.empty()) {
        throw Error(refusal);
    }
}

class Applier {
public:
    Applier(const std::vector<Func> &outputs, const Plan &plan, const Halide::Target &target,
            bool exact_estimates)
        : plan_(plan), target_(target), exact_estimates_(exact_estimates), output_funcs_(outputs) {
        for (const Func &output : outputs) {
            outputs_.insert(output.name());
            env_.emplace(output.name(), output);
            for (const auto &[name, function] :
                 Halide::Internal::find_transitive_calls(output.function())) {
                env_.emplace(name, Func(function));
            }
        }
        std::map<std::string, Function> functions;
        for (const auto &[name, func] : env_) {
            functions.emplace(name, func.function());
        }
        fixed_schedules_ = user_schedules(functions);
    }

    std::map<std::string, std::string> run() {
        std::set<std::string> fixed = outputs_;
        for (const auto &[name, schedule] : fixed_schedules_) {
            fixed.insert(name);
        }
        copied_ = make_copies(plan_.copies, fixed, env_);
        for (const PlannedGroup &group : plan_.groups) {
            if (group.kind == GroupKind::Compute) {
                apply_group(group);
            }
        }
        check_placed();
        std::map<std::string, std::string> names;
        for (const auto &[name, func] : env_) {
            names[name] = func.name();
        }
        return names;
    }

private:
    void check_placed() const {
        std::set<std::string> missing;
        for (const auto &[name, func] : env_) {
            if (placed_.count(name) == 0 && !is_wrapper(func.function())) {
                missing.insert(name);
            }
        }
        if (missing.empty()) {
            return;
        }
        const std::set<std::string> inlined = inline_only(output_funcs_);
        for (const std::string &name : missing) {
            if (inlined.count(name) == 0) {
                throw Error("the plan does not fit the pipeline: it does not place Func '" + name +
                            "'");
            }
        }
    }

    Func find(const std::string &name) {
        const auto it = env_.find(name);
        if (it == env_.end()) {
            throw Error("the plan does not fit the pipeline: there is no Func '" + name + "'");
        }
        if (!placed_.insert(name).second) {
            throw Error("the plan does not fit the pipeline: it places Func '" + name + "' twice");
        }
        return it->second;
    }

    // The Funcs that one loop nest of a group computes.
    struct Stage {
        NestFuncs funcs;
        const Nest *nest = nullptr;
    };

    void apply_group(const PlannedGroup &group) {
        std::vector<Stage> stages = stages_of(group);
        if (stages.empty()) {
            throw Error("the plan does not fit the pipeline: a group has no members");
        }
        Stage &last = stages.back();
        for (Stage &stage : stages) {
            if (!stage.funcs.root.defined() || stage.nest == nullptr) {
                throw Error(
                    "the plan does not fit the pipeline: a group lacks its root or a loop nest");
            }
            if (stage.funcs.is_panel) {
                last.funcs.stages.push_back(stage.funcs.root);
            } else if (&stage != &last) {
                stage.funcs.root.compute_root();
            }
        }
        Func root = last.funcs.root;
        if (outputs_.count(root.name()) == 0) {
            const auto found = fixed_schedules_.find(root.name());
            const UserSchedule fixed =
                found == fixed_schedules_.end() ? UserSchedule() : found->second;
            if (!fixed.has_level) {
                root.compute_root();
            }
            if (group.output >= 0 && !fixed.has_storage) {
                store(root, plan_.values[static_cast<size_t>(group.output)].layout.order);
            }
        }
        last.funcs.is_output = outputs_.count(root.name()) != 0;
        last.funcs.extents = declared_extents(root);
        for (Stage &stage : stages) {
            set_extents(stage.funcs);
            stage.funcs.host = last.nest;
            stage.funcs.host_root = root;
            stage.funcs.host_extents = last.funcs.extents;
        }
        for (const Stage &stage : stages) {
            require_target(*stage.nest);
            require_valid(stage.funcs, *stage.nest);
        }
        for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
            find_template(stage->nest->template_name).apply(stage->funcs, *stage->nest);
        }
        for (const Stage &stage : stages) {
            if (stage.nest->template_name == kImageNest) {
                make_row_blocks(stage.funcs, *stage.nest);
            }
        }
        if (root.has_update_definition() && !root.update(0).get_schedule().touched()) {
            // A reduction that is the root itself, and that the template has no nest for.
            root.update(0).unscheduled();
        }
    }

    // What is known of the root's axes, when it is asked for.
    void set_extents(NestFuncs &funcs) {
        funcs.fixed_extent = [this, name = funcs.root.name()](int axis) {
            if (!fixed_) {
                fixed_ = fixed_boxes(output_funcs_);
            }
            return extent_in(*fixed_, name, axis);
        };
        funcs.estimated_extent = [this, name = funcs.root.name()](int axis) {
            if (!estimated_) {
                estimated_.emplace(output_funcs_);
            }
            return estimated_->extent(known_as(name), static_cast<size_t>(axis));
        };
        funcs.extent_with_channels = [this, name = funcs.root.name()](int axis) {
            if (!with_channels_) {
                with_channels_ = boxes_with_channels(output_funcs_);
            }
            return extent_in(*with_channels_, name, axis);
        };
        funcs.channels_as_estimated = [this] {
            return emulsion::channels_as_estimated(output_funcs_);
        };
    }

    void require_target(const Nest &nest) const {
        const bool for_gpu = find_template(nest.template_name).for_gpu;
        if (for_gpu != target_.has_gpu_feature()) {
            throw Error(std::string("the plan was made for a ") + (for_gpu ? "GPU" : "CPU") +
                        ": target '" + target_.to_string() + "' can't have its loop nest '" +
                        nest.template_name + "'");
        }
    }

    using Boxes = std::map<std::string, Halide::Internal::Box>;

    // What the Func is called that this one is a copy of, if it is one.
    const std::string &known_as(const std::string &func) const {
        const auto copied = copied_.find(func);
        return copied == copied_.end() ? func : copied->second;
    }

    int64_t extent_in(const Boxes &boxes, const std::string &func, int axis) const {
        return fixed_extent(boxes.at(known_as(func))[static_cast<size_t>(axis)]);
    }

    std::vector<Stage> stages_of(const PlannedGroup &group) {
        std::vector<Stage> stages;
        std::map<int, const PlannedMember *> results;  // by stage: what it ends in
        for (const PlannedMember &member : group.members) {
            results[member.stage] = &member;
            const auto stage = static_cast<size_t>(member.stage);
            if (stage >= group.members.size()) {
                throw Error("the plan does not fit the pipeline: '" + member.op +
                            "' is in a stage without a result");
            }
            stages.resize(std::max(stages.size(), stage + 1));
        }
        for (Stage &stage : stages) {
            stage.funcs.target = target_;
        }
        for (const PlannedMember &member : group.members) {
            Stage &stage = stages[static_cast<size_t>(member.stage)];
            const bool last = &stage == &stages.back();
            // A sum that is an operator by itself, as in foreign pipelines, may be a panel of a row of the result.
            const bool is_result = &member == results.at(member.stage);
            if (!member.nest.empty()) {
                stage.nest = &member.nest;
            }
            for (const PlannedPart &part : member.parts) {
                const Func func = find(func_name(member, part));
                require_kept(func.name(), member, part.placement);
                const bool kept =
                    part.placement == Placement::Panel || part.placement == Placement::Whole;
                if (!last && is_result && part.part.empty() && kept) {
                    set_root(func, stage.funcs);
                    store(func, member.order);
                    stage.funcs.extents = panel_extents(func, member.cut, exact_estimates_);
                    compute_all(func, stage.funcs.extents);
                    stage.funcs.is_panel = part.placement == Placement::Panel;
                } else {
                    place(func, part.placement, stage.funcs);
                }
            }
        }
        return stages;
    }

    // What the user fixed is as it was.
    void require_kept(const std::string &func, const PlannedMember &member,
                      Placement placement) const {
        const auto fixed = fixed_schedules_.find(func);
        if (fixed == fixed_schedules_.end()) {
            return;
        }
        const bool stored = placement == Placement::Root;
        if (!stored || (fixed->second.has_loops && member.nest.template_name != "kept")) {
            throw Error("the plan does not fit the pipeline: Func '" + func +
                        "' has a schedule of your own, which the plan would replace by " +
                        (stored ? "loop nest '" + member.nest.template_name + "'"
                                : std::string("computing it in the loops of another")));
        }
    }

    static void set_root(const Func &func, NestFuncs &funcs) {
        if (funcs.root.defined()) {
            throw Error("the plan does not fit the pipeline: a group has two roots");
        }
        funcs.root = func;
    }

    void place(const Func &func, Placement placement, NestFuncs &funcs) {
        const bool is_output = outputs_.count(func.name()) != 0;
        if (is_output && placement != Placement::Root) {
            throw Error("the plan does not fit the pipeline: output '" + func.name() +
                        "' must be the root of its group");
        }
        switch (placement) {
        case Placement::Root: set_root(func, funcs); return;
        case Placement::Inline:
            if (func.has_update_definition()) {
                throw Error("the plan does not fit the pipeline: '" + func.name() +
                            "' has an update and can't be inlined");
            }
            return;
        case Placement::Register:
            if (func.num_update_definitions() != 1) {
                throw Error("the plan does not fit the pipeline: '" + func.name() +
                            "' is no reduction with one update");
            }
            funcs.registers.push_back(func);
            return;
        case Placement::Panel: funcs.panels.push_back(func); return;
        case Placement::Whole:
            throw Error("the plan does not fit the pipeline: '" + func.name() +
                        "' is kept whole, but is no result of a stage of its own");
        }
    }

    // Storage of a Func that nobody outside sees: axes from outermost to innermost.
    static void store(Func func, const std::vector<int> &order) {
        if (order.size() != static_cast<size_t>(func.dimensions())) {
            throw Error("the plan does not fit the pipeline: the layout of '" + func.name() +
                        "' has " + std::to_string(order.size()) + " axes, the Func " +
                        std::to_string(func.dimensions()));
        }
        std::vector<Halide::Var> innermost_first;
        for (auto it = order.rbegin(); it != order.rend(); ++it) {
            innermost_first.push_back(func.args()[static_cast<size_t>(*it)]);
        }
        if (innermost_first.size() > 1) {
            func.reorder_storage(innermost_first);
        }
    }

    const Plan &plan_;
    const Halide::Target &target_;
    const bool exact_estimates_;
    const std::vector<Func> &output_funcs_;
    std::map<std::string, Func> env_;            // by the plan's names
    std::map<std::string, std::string> copied_;  // by Halide's names of copies: what they are of
    std::set<std::string> outputs_, placed_;
    std::map<std::string, UserSchedule> fixed_schedules_;  // before this plan
    std::optional<Boxes> fixed_, with_channels_;           // once they are asked for
    std::optional<Regions> estimated_;                     // likewise
};

}  // namespace

std::map<std::string, std::string> apply_plan(const std::vector<Func> &outputs, const Plan &plan,
                                              const Halide::Target &target, bool exact_estimates) {
    return Applier(outputs, plan, target, exact_estimates).run();
}

}  // namespace emulsion
