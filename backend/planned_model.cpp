#include "backend/planned_model.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "frontend/lower/target.h"
#include "frontend/lower/tuned_nests.h"
#include "fusion/error.h"

namespace emulsion {

LoadedModel loaded_model(const std::string &file, const CompileOptions &options) {
    LoadedModel model{file, {}, {}};
    model.graph = load_network(file, load_options(options), &model.pass_times);
    return model;
}

LoadedModel loaded_model(const ModelBytes &bytes, const CompileOptions &options) {
    LoadedModel model{bytes.name, {}, {}};
    model.graph = load_network(bytes, load_options(options), &model.pass_times);
    return model;
}

PlannedModel planned_model(LoadedModel model, const CompileOptions &options) {
    PlannedModel planned{std::move(model), {}};
    const TargetChoice target = target_choice(options.plan.target);
    const auto add = [&](const PlanOptions &plan) {
        planned.networks.push_back(naming_file(
            planned.model.file, [&] { return plan_network(planned.model.graph, plan); }));
    };
    add(options.plan);
    if (!target.fallback.empty()) {
        PlanOptions cpu = options.plan;
        cpu.target = target.fallback;
        cpu.replay.reset();  // which is a plan for the GPU
        add(cpu);
    }
    const auto &tuned = options.plan.tuned;
    const auto has_none = [](const PlannedNetwork &network) { return network.tuned_groups == 0; };
    if (tuned && !tuned->nests.empty() && options.warning &&
        std::all_of(planned.networks.begin(), planned.networks.end(), has_none)) {
        options.warning(fmt::format(
            "{} has no loop nest for a group of {}, as it is planned for {}: it was tuned for another model, other "
            "options, or {}",
            tuned->file, planned.model.file, planned.networks.front().target, tuned->target));
    }
    return planned;
}

}  // namespace emulsion
