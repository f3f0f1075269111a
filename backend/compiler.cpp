#include "backend/compiler.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "backend/artifact_folder.h"
#include "backend/built_model.h"
#include "backend/gpu_runtime.h"
#include "backend/interrupt.h"
#include "backend/link_model.h"
#include "backend/manifest.h"
#include "backend/names.h"
#include "backend/planned_model.h"
#include "backend/seconds_since.h"
#include "frontend/lower/target.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

void check_emit(const CompileOptions &options) {
    for (const std::string &kind : options.emit) {
        if (kind != "stmt" && kind != "schedule" && kind != "assembly" && kind != "kernels") {
            throw Error(fmt::format(
                "--emit does not know '{}'; accepted are stmt, schedule, assembly, kernels", kind));
        }
    }
    if (options.emit.count("kernels") != 0 && target_choice(options.plan.target).chips.empty()) {
        throw Error(fmt::format("--emit kernels writes code objects of AMD GPUs, which target '{}' "
                                "has none of; give a target such as amdgpu-gfx906",
                                options.plan.target));
    }
}

// Before anything long is done for nothing.
void check_options(const CompileOptions &options) {
    check_emit(options);
    if (const auto gpu = gpu_runtime(options.plan.target)) {
        archive_file(*gpu);
    }
}

CompileReport report_of(const BuiltModel &built) {
    const PlannedNetwork &network = built[0].planned;
    const Program &program = built[0].linked.program;
    CompileReport report;
    report.target = network.target;
    report.plan_hash = plan_hash(network.plan);
    report.operators = network.operator_count;
    report.groups = network.plan.launched_groups();
    report.launches = static_cast<int>(program.launches.size());
    report.arena_bytes = program.arena_bytes;
    report.live_bytes = program.live_bytes;
    report.weights_bytes = program.weights_bytes;
    for (const BuiltNetwork &each : built) {
        report.units += static_cast<int>(each.units.units.size());
        report.cached_units += each.units.cached();
        report.shrunk_units += each.units.shrunk();
    }
    return report;
}

CompileReport link_built(const PlannedModel &model, BuiltModel built, ArtifactFolder &folder,
                         const CompileOptions &options) {
    check_interrupted();
    const std::string name =
        options.name.empty() ? artifact_name(model.model.file) : identifier(options.name);
    link_model(model.model.graph, built, options, folder, name);
    check_interrupted();
    folder.commit();
    CompileReport report = report_of(built);
    report.name = name;
    report.pass_times = model.model.pass_times;
    report.planned = std::move(built[0].planned);
    return report;
}

}  // namespace

LoadOptions load_options(const CompileOptions &options) {
    return {.shapes = options.shapes,
            .disabled_passes = options.disabled_passes,
            .exact = options.plan.exact,
            .limits = {}};
}

CompileReport compile_model(const std::string &model, const std::string &output,
                            const CompileOptions &options) {
    const auto start = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    check_options(options);
    LoadedModel loaded = loaded_model(model, options);
    ArtifactFolder folder(output);
    check_interrupted();
    const PlannedModel planned = planned_model(std::move(loaded), options);
    check_interrupted();
    CompileReport report =
        link_built(planned, built_model(planned, options, folder), folder, options);
    report.folder = output;
    report.seconds = seconds_since(start);
    return report;
}

CompileReport compile_planned(const PlannedModel &model, const std::string &output,
                              const CompileOptions &options) {
    const auto start = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    check_options(options);
    ArtifactFolder folder(output);
    CompileReport report = link_built(model, built_model(model, options, folder), folder, options);
    report.folder = output;
    report.seconds = seconds_since(start);
    return report;
}

CompileReport link_planned(const PlannedModel &model, std::vector<BuiltUnits> units,
                           const std::string &output, const CompileOptions &options) {
    const auto start = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    check_options(options);
    ArtifactFolder folder(output);
    CompileReport report = link_built(model, built_model(model, std::move(units)), folder, options);
    report.folder = output;
    report.seconds = seconds_since(start);
    return report;
}

}  // namespace emulsion
