#include "backend/planned_model.h"

#include <utility>

#include "frontend/lower/target.h"
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
    return planned;
}

}  // namespace emulsion
