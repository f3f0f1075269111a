#include "frontend/lower/lower_unit.h"

#include <map>
#include <utility>

#include "autoscheduler/lowered/keep_statement.h"
#include "autoscheduler/lowered/program_graph.h"
#include "autoscheduler/lowered/statement_features.h"
#include "frontend/lower/group_funcs.h"
#include "frontend/lower/plugin.h"
#include "frontend/lower/smaller_unit.h"

namespace emulsion {

Halide::Target unit_target(const Unit &unit) {
    using Halide::Target;
    Target target(unit.target);
    target.set_feature(Target::NoRuntime);
    target.set_feature(Target::UserContext);
    // Halide checks on the host what kernels read, with indices that only the GPU's memory holds.
    if (!unit.checked || target.has_gpu_feature()) {
        target.set_feature(Target::NoAsserts);
        target.set_feature(Target::NoBoundsQuery);
    }
    if (target.has_feature(Target::OpenCL)) {
        target.set_feature(
            Target::CLDoubles);  // some operators count in them, whatever their tensors are
    }
    return target;
}

namespace {

// What Halide lowers.
struct ScheduledUnit {
    Halide::Pipeline pipeline;
    std::vector<Halide::Argument> arguments;
    Halide::Target target;
    std::string schedule;  // Halide's scheduling calls, as C++ text
};

ScheduledUnit schedule_as_planned(const Unit &unit) {
    std::vector<Layout> layouts;
    for (const UnitArgument &input : unit.inputs) {
        layouts.push_back(input.layout);
    }
    layouts.push_back(unit.output.layout);
    std::map<std::string, std::string> implementations;
    for (const PlannedGroup &group : unit.plan.groups) {
        for (const PlannedMember &member : group.members) {
            implementations[member.op] = member.implementation;
        }
    }
    GroupFuncs group = build_group(unit.graph, layouts, implementations);

    load_gao2025();
    ScheduledUnit scheduled{Halide::Pipeline(group.outputs), {}, unit_target(unit), {}};
    scheduled.schedule =
        apply_gao2025(scheduled.pipeline, scheduled.target, unit.plan).schedule_source;
    for (const Halide::Parameter &input : group.inputs) {
        scheduled.arguments.emplace_back(input.name(), Halide::Argument::InputBuffer, input.type(),
                                         input.dimensions(), Halide::ArgumentEstimates{});
    }
    return scheduled;
}

LoweredUnit lower_as_planned(const Unit &unit, const std::string &name) {
    ScheduledUnit scheduled = schedule_as_planned(unit);
    return {.module =
                scheduled.pipeline.compile_to_module(scheduled.arguments, name, scheduled.target),
            .schedule = std::move(scheduled.schedule),
            .plan = {}};
}

}  // namespace

LoweredUnit lower_unit(const Unit &unit, const std::string &name,
                       const std::function<void(const LoweredUnit &)> &generate) {
    int tries = 0;
    return with_nests_that_compile(unit, [&](const Unit &current) {
        tries++;
        LoweredUnit lowered = lower_as_planned(current, name);
        lowered.shrinks = tries - 1;
        lowered.plan = current.plan;
        if (generate) {
            generate(lowered);
        }
        return lowered;
    });
}

CodeFeatures unit_features(const Unit &unit) {
    ScheduledUnit scheduled = schedule_as_planned(unit);
    const KeptStatement kept(scheduled.pipeline);
    scheduled.pipeline.compile_to_module(scheduled.arguments, "lowered", scheduled.target);
    return {statement_features(kept.statement()), program_graph(kept.statement())};
}

CodeFeatureVersions unit_features_versions() {
    return {kStatementFeaturesVersion, kProgramGraphVersion};
}

}  // namespace emulsion
