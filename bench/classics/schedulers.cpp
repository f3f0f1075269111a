#include "bench/classics/schedulers.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "backend/files.h"
#include "bench/classics/manual_schedule.h"
#include "fusion/error.h"

namespace emulsion::classics {

namespace {

// Path of the plugin of an autoscheduler.
std::string plugin(const std::string &scheduler) {
    std::string file = scheduler;
    std::transform(file.begin(), file.end(), file.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string folder = scheduler == "Gao2025" ? EMULSION_PLUGINS : EMULSION_HALIDE_PLUGINS;
    return folder + "/libautoschedule_" + file + ".so";
}

void store_all(const Halide::Pipeline &pipeline) {
    for (const Halide::Func &output : pipeline.outputs()) {
        for (const auto &[name, function] :
             Halide::Internal::find_transitive_calls(output.function())) {
            Halide::Func(function).compute_root();
        }
    }
}

void schedule_by_hand(const std::string &pipeline, const Halide::Pipeline &funcs,
                      const Halide::Target &target) {
    const ManualSchedule *schedule = find_manual_schedule(pipeline);
    if (schedule == nullptr) {
        throw Error("nobody has scheduled the pipeline '" + pipeline + "' by hand");
    }
    schedule->apply(NamedFuncs(funcs, target));
}

}  // namespace

const std::vector<std::string> &autoschedulers() {
    static const std::vector<std::string> names{"Gao2025", "Mullapudi2016", "Li2018", "Adams2019"};
    return names;
}

Scheduled built(const std::string &pipeline, const Halide::Target &target,
                const Parameters &parameters) {
    const Halide::GeneratorContext context(target);
    auto generator = Halide::Internal::GeneratorRegistry::create(pipeline, context);
    if (generator == nullptr) {
        throw Error("there is no pipeline '" + pipeline + "'");
    }
    Scheduled result;
    try {
        for (const auto &[name, value] : parameters) {
            generator->set_generatorparam_value(name, value);
        }
        result.pipeline = generator->build_pipeline();
    } catch (const Halide::Error &error) {
        throw Error(fmt::format("the pipeline '{}' can't be built{}{}: {}", pipeline,
                                parameters.empty() ? "" : " with ", text_of(parameters),
                                error.what()));
    }
    result.generator = std::move(generator);
    return result;
}

void autoschedule(Scheduled &built, const std::string &scheduler, const Halide::Target &target,
                  const Parameters &parameters) {
    Halide::load_plugin(plugin(scheduler));
    const auto begin = std::chrono::steady_clock::now();
    const auto told = built.pipeline.apply_autoscheduler(target, {scheduler, parameters});
    built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    built.source = told.schedule_source;
}

Scheduled schedule(const std::string &pipeline, const std::string &scheduler,
                   const Halide::Target &target, int threads, const Parameters &parameters) {
    Scheduled result = built(pipeline, target, parameters);
    if (scheduler == kStored) {
        store_all(result.pipeline);
    } else if (scheduler == kManual) {
        schedule_by_hand(pipeline, result.pipeline, target);
    } else if (scheduler != kPlain) {
        autoschedule(result, scheduler, target, {{"parallelism", std::to_string(threads)}});
    }
    return result;
}

}  // namespace emulsion::classics
