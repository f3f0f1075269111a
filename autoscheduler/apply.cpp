#include "autoscheduler/apply.h"

#include <algorithm>
#include <map>
#include <set>

#include "autoscheduler/templates/template.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::Internal::as_const_int;
using Halide::Internal::Function;

std::string func_name(const PlannedMember &member, const PlannedPart &part) {
    return part.part.empty() ? member.op : member.op + "_" + part.part;
}

// Extents of a Func where its schedule or its output buffer fixes them, else -1.
std::vector<int64_t> fixed_extents(const Func &func) {
    const Function &function = func.function();
    std::vector<int64_t> extents(static_cast<size_t>(func.dimensions()), -1);
    const auto buffers = function.output_buffers();
    for (int axis = 0; axis < func.dimensions(); axis++) {
        auto &extent = extents[static_cast<size_t>(axis)];
        if (!buffers.empty() && buffers.front().extent_constraint(axis).defined()) {
            if (const auto known = as_const_int(buffers.front().extent_constraint(axis))) {
                extent = *known;
            }
        }
        for (const auto &bound : function.schedule().bounds()) {
            if (bound.var == function.args()[static_cast<size_t>(axis)] && bound.extent.defined()) {
                if (const auto known = as_const_int(bound.extent)) {
                    extent = *known;
                }
            }
        }
    }
    return extents;
}

class Applier {
public:
    Applier(const std::vector<Func> &outputs, const Plan &plan, const Halide::Target &target)
        : plan_(plan), target_(target) {
        for (const Func &output : outputs) {
            outputs_.insert(output.name());
            env_.emplace(output.name(), output);
            for (const auto &[name, function] :
                 Halide::Internal::find_transitive_calls(output.function())) {
                env_.emplace(name, Func(function));
            }
        }
    }

    void run() {
        for (const PlannedGroup &group : plan_.groups) {
            if (group.kind == GroupKind::Compute) {
                apply_group(group);
            }
        }
        for (const auto &[name, func] : env_) {
            if (placed_.count(name) == 0 && !is_wrapper(func.function())) {
                throw Error("the plan does not fit the pipeline: it does not place Func '" + name +
                            "'");
            }
        }
    }

private:
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

    void apply_group(const PlannedGroup &group) {
        NestFuncs funcs;
        funcs.target = target_;
        const Nest *nest = nullptr;
        for (const PlannedMember &member : group.members) {
            if (!member.nest.empty()) {
                nest = &member.nest;
            }
            for (const PlannedPart &part : member.parts) {
                place(find(func_name(member, part)), part.placement, funcs);
            }
        }
        if (!funcs.root.defined() || nest == nullptr) {
            throw Error(
                "the plan does not fit the pipeline: a group lacks its root or its loop nest");
        }
        if (outputs_.count(funcs.root.name()) == 0) {
            funcs.root.compute_root();
            store(funcs.root, group);
        }
        funcs.extents = fixed_extents(funcs.root);
        find_template(nest->template_name).apply(funcs, *nest);
        if (funcs.root.has_update_definition() && !funcs.root.update(0).get_schedule().touched()) {
            // A reduction that is the root itself, and that the template has no nest for.
            funcs.root.update(0).unscheduled();
        }
    }

    void place(const Func &func, Placement placement, NestFuncs &funcs) {
        const bool is_output = outputs_.count(func.name()) != 0;
        if (is_output && placement != Placement::Root) {
            throw Error("the plan does not fit the pipeline: output '" + func.name() +
                        "' must be the root of its group");
        }
        switch (placement) {
        case Placement::Root:
            if (funcs.root.defined()) {
                throw Error("the plan does not fit the pipeline: a group has two roots");
            }
            funcs.root = func;
            return;
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
        }
    }

    // Storage order of a root that nobody outside sees.
    void store(Func root, const PlannedGroup &group) {
        if (group.output < 0) {
            return;
        }
        const Layout &layout = plan_.values[static_cast<size_t>(group.output)].layout;
        if (layout.order.size() != static_cast<size_t>(root.dimensions())) {
            throw Error("the plan does not fit the pipeline: the layout of '" + root.name() +
                        "' has " + std::to_string(layout.order.size()) + " axes, the Func " +
                        std::to_string(root.dimensions()));
        }
        std::vector<Halide::Var> innermost_first;
        for (auto it = layout.order.rbegin(); it != layout.order.rend(); ++it) {
            innermost_first.push_back(root.args()[static_cast<size_t>(*it)]);
        }
        if (innermost_first.size() > 1) {
            root.reorder_storage(innermost_first);
        }
    }

    const Plan &plan_;
    const Halide::Target &target_;
    std::map<std::string, Func> env_;
    std::set<std::string> outputs_, placed_;
};

}  // namespace

void apply_plan(const std::vector<Func> &outputs, const Plan &plan, const Halide::Target &target) {
    Applier(outputs, plan, target).run();
}

}  // namespace emulsion
