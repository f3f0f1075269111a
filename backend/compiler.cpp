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

// Writes all files of the artifact but the emitted texts.
void write_artifact(const Graph &graph, const PlannedNetwork &network, const Program &program,
                    const CompileOptions &options, const BuiltUnits &units,
                    const ArtifactFolder &folder, const ContentHash &weights,
                    const std::string &name) {
    const auto gpu = gpu_runtime(network);
    const std::string header = api_header(graph, program, name);
    write_file(folder.path() / (name + ".h"), header);
    write_file(folder.scratch() / (name + ".h"), header);
    write_file(folder.scratch() / "tables.c", tables_source(graph, program,
                                                            {.name = name,
                                                             .threads = options.plan.threads,
                                                             .weights = weights,
                                                             .target = network.target,
                                                             .policy = options.plan.policy,
                                                             .plan_hash = plan_hash(network.plan),
                                                             .gpu = gpu ? gpu->symbol : ""}));
    LinkInputs link{.name = name,
                    .tables = folder.scratch() / "tables.c",
                    .units = {},
                    .halide_runtime = units.halide_runtime,
                    .gpu_runtime = gpu ? library_file(gpu->archive) : fs::path(),
                    .scratch = folder.scratch(),
                    .sanitized = network.target.find("-asan") != std::string::npos};
    for (const auto &[key, object] : units.objects) {
        link.units.push_back(object);
    }
    const fs::path library = folder.path() / ("lib" + name + ".so");
    const fs::path archive = folder.path() / ("lib" + name + ".a");
    link_artifact(link, library, archive);
    write_file(folder.path() / "manifest.json",
               manifest(graph, network, program, options,
                        {.name = name,
                         .weights = weights,
                         .unit_hashes = units.hashes,
                         .library_hash = hash_hex(read_file(library)),
                         .archive_hash = hash_hex(read_file(archive))}));
}

}  // namespace

CompileReport compile_model(const std::string &model, const std::string &output,
                            const CompileOptions &options) {
    const auto start = std::chrono::steady_clock::now();
    const InterruptGuard guard;
    check_emit(options);
    CompileReport report;
    report.folder = output;
    report.name = options.name.empty() ? artifact_name(model) : identifier(options.name);

    Graph graph = load_model(model, LoadLimits(), options.shapes);
    ArtifactFolder folder(output);
    graph = run_passes(std::move(graph), options.disabled_passes, &report.pass_times);
    check_interrupted();
    const PlannedNetwork network = plan_network(graph, options.plan);
    const LinkedNetwork linked = place(graph, network);
    const Program &program = linked.program;
    check_interrupted();

    const fs::path emit = folder.path() / "emit";
    if (!options.emit.empty()) {
        fs::create_directory(emit);
    }
    if (options.emit.count("kernels") != 0) {
        fs::create_directory(emit / "kernels");
    }
    const BuiltUnits units = build_units(graph, network, options, folder.scratch(), emit);
    if (options.emit.count("kernels") != 0) {
        emit_launches(graph, program, emit / "kernels" / "launches.json");
    }
    const ContentHash weights = write_weights(
        graph, linked, (folder.path() / (report.name + ".weights")).string(), weight_threads());
    check_interrupted();
    write_artifact(graph, network, program, options, units, folder, weights, report.name);
    check_interrupted();
    folder.commit();

    report.target = network.target;
    report.plan_hash = plan_hash(network.plan);
    report.operators = network.operator_count;
    report.groups = network.plan.launched_groups();
    report.launches = static_cast<int>(program.launches.size());
    report.units = static_cast<int>(units.objects.size());
    report.cached_units = units.cached;
    report.shrunk_units = units.shrunk;
    report.arena_bytes = program.arena_bytes;
    report.live_bytes = program.live_bytes;
    report.weights_bytes = program.weights_bytes;
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace emulsion
