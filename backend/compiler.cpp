#include "backend/compiler.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "backend/api_header.h"
#include "backend/artifact_folder.h"
#include "backend/emit_launches.h"
#include "backend/files.h"
#include "backend/gpu_runtime.h"
#include "backend/interrupt.h"
#include "backend/manifest.h"
#include "backend/names.h"
#include "backend/program.h"
#include "backend/unit_builder.h"
#include "backend/weights.h"
#include "backend/x86/link.h"
#include "backend/x86/tables_source.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/target.h"
#include "frontend/onnx/loader.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// Threads that lay constants out while others write: more than a few only wait for the disk.
constexpr int kWeightThreads = 4;

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

int weight_threads() {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kWeightThreads);
}

// A network on its way into an artifact.
struct Compiled {
    PlannedNetwork planned;
    LinkedNetwork linked;
    BuiltUnits units;
};

// The networks of an artifact: the one that the target names, and perhaps the same one for a CPU.
using CompiledNetworks = std::vector<Compiled>;

Compiled plan_and_place(const Graph &graph, const PlanOptions &options) {
    Compiled compiled{plan_network(graph, options), {}, {}};
    compute_constants(compiled.planned);
    compiled.linked = place(compiled.planned);
    return compiled;
}

CompiledNetworks plan_networks(const Graph &graph, const CompileOptions &options) {
    CompiledNetworks networks;
    const TargetChoice target = target_choice(options.plan.target);
    networks.push_back(plan_and_place(graph, options.plan));
    if (!target.fallback.empty()) {
        PlanOptions cpu = options.plan;
        cpu.target = target.fallback;
        networks.push_back(plan_and_place(graph, cpu));
        share_weights_file(networks[0].linked, networks[1].linked);
    }
    return networks;
}

// Writes all files of the artifact but the emitted texts.
void write_artifact(const Graph &graph, const CompiledNetworks &networks,
                    const CompileOptions &options, const ArtifactFolder &folder,
                    const ContentHash &weights, const std::string &name) {
    const PlannedNetwork &network = networks[0].planned;
    const Program &program = networks[0].linked.program;
    const auto gpu = gpu_runtime(network.target);
    const std::string header = api_header(graph, program, name);
    write_file(folder.path() / (name + ".h"), header);
    write_file(folder.scratch() / (name + ".h"), header);
    LinkInputs link{.name = name,
                    .tables = {},
                    .units = {},
                    .halide_runtime = networks[0].units.halide_runtime,
                    .gpu_runtime = gpu ? archive_file(*gpu) : fs::path(),
                    .scratch = folder.scratch(),
                    .sanitized = network.target.find("-asan") != std::string::npos};
    std::map<std::string, std::string> hashes;
    std::set<fs::path> units;
    std::vector<ManifestNetwork> described;
    for (size_t i = 0; i < networks.size(); i++) {
        const bool fallback = i > 0;
        const Compiled &compiled = networks[i];
        link.tables.push_back(folder.scratch() / (fallback ? "fallback.c" : "tables.c"));
        write_file(link.tables.back(),
                   tables_source(compiled.planned.graph, compiled.linked.program,
                                 {.name = name,
                                  .threads = options.plan.threads,
                                  .weights = weights,
                                  .target = compiled.planned.target,
                                  .policy = options.plan.policy,
                                  .plan_hash = plan_hash(compiled.planned.plan),
                                  .gpu = gpu && !fallback ? gpu->symbol : "",
                                  .chips = target_choice(compiled.planned.target).chips,
                                  .has_fallback = !fallback && networks.size() > 1,
                                  .is_fallback = fallback}));
        for (const auto &[key, object] : compiled.units.objects) {
            units.insert(object);
        }
        hashes.insert(compiled.units.hashes.begin(), compiled.units.hashes.end());
        described.push_back({compiled.planned, compiled.linked.program});
    }
    link.units.assign(units.begin(), units.end());
    const fs::path library = folder.path() / ("lib" + name + ".so");
    const fs::path archive = options.archive ? folder.path() / ("lib" + name + ".a") : fs::path();
    link_artifact(link, library, archive);
    write_file(folder.path() / "manifest.json",
               manifest(graph, described, options,
                        {.name = name,
                         .weights = weights,
                         .unit_hashes = hashes,
                         .library_hash = hash_hex(read_file(library)),
                         .archive_hash = options.archive ? hash_hex(read_file(archive)) : ""}));
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
    check_emit(options);
    if (const auto gpu = gpu_runtime(options.plan.target)) {
        archive_file(*gpu);  // before anything long is done for nothing
    }
    CompileReport report;
    report.folder = output;
    report.name = options.name.empty() ? artifact_name(model) : identifier(options.name);

    const Graph graph = load_network(model, load_options(options), &report.pass_times);
    ArtifactFolder folder(output);
    check_interrupted();
    CompiledNetworks networks = naming_file(model, [&] { return plan_networks(graph, options); });
    const PlannedNetwork &network = networks[0].planned;
    const LinkedNetwork &linked = networks[0].linked;
    const Program &program = linked.program;
    check_interrupted();

    const fs::path emit = folder.path() / "emit";
    if (!options.emit.empty()) {
        fs::create_directory(emit);
    }
    if (options.emit.count("kernels") != 0) {
        fs::create_directory(emit / "kernels");
    }
    for (Compiled &compiled : networks) {
        compiled.units = naming_file(
            model, [&] { return build_units(compiled.planned, options, folder.scratch(), emit); });
        report.units += static_cast<int>(compiled.units.objects.size());
        report.cached_units += compiled.units.cached;
        report.shrunk_units += compiled.units.shrunk;
    }
    if (options.emit.count("kernels") != 0) {
        emit_launches(network.graph, program, emit / "kernels" / "launches.json");
    }
    const ContentHash weights = write_weights(
        linked, (folder.path() / (report.name + ".weights")).string(), weight_threads());
    check_interrupted();
    write_artifact(graph, networks, options, folder, weights, report.name);
    check_interrupted();
    folder.commit();

    report.target = network.target;
    report.plan_hash = plan_hash(network.plan);
    report.operators = network.operator_count;
    report.groups = network.plan.launched_groups();
    report.launches = static_cast<int>(program.launches.size());
    report.arena_bytes = program.arena_bytes;
    report.live_bytes = program.live_bytes;
    report.weights_bytes = program.weights_bytes;
    report.planned = std::move(networks[0].planned);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace emulsion
