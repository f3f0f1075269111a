#include "backend/link_model.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "backend/api_header.h"
#include "backend/files.h"
#include "backend/gpu_runtime.h"
#include "backend/interrupt.h"
#include "backend/manifest.h"
#include "backend/weights.h"
#include "backend/x86/link.h"
#include "backend/x86/tables_source.h"
#include "frontend/lower/target.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// Threads that lay constants out while others write: more than a few only wait for the disk.
constexpr int kWeightThreads = 4;

int weight_threads() {
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kWeightThreads);
}

// The C source of every network. Returns the paths.
std::vector<fs::path> write_tables(const BuiltModel &model, const CompileOptions &options,
                                   const fs::path &scratch, const std::string &name,
                                   const ContentHash &weights) {
    std::vector<fs::path> tables;
    for (size_t i = 0; i < model.size(); i++) {
        const bool fallback = i > 0;
        const PlannedNetwork &planned = model[i].planned;
        const auto gpu = gpu_runtime(planned.target);
        tables.push_back(scratch / (fallback ? "fallback.c" : "tables.c"));
        write_file(tables.back(), tables_source(planned.graph, model[i].linked.program,
                                                {.name = name,
                                                 .threads = options.plan.threads,
                                                 .weights = weights,
                                                 .target = planned.target,
                                                 .policy = options.plan.policy,
                                                 .plan_hash = plan_hash(planned.plan),
                                                 .gpu = gpu && !fallback ? gpu->symbol : "",
                                                 .chips = target_choice(planned.target).chips,
                                                 .has_fallback = !fallback && model.size() > 1,
                                                 .is_fallback = fallback}));
    }
    return tables;
}

// Objects of all networks, in the order of their keys.
std::vector<fs::path> unit_objects(const BuiltModel &model) {
    std::set<fs::path> objects;
    for (const BuiltNetwork &network : model) {
        for (const auto &[key, unit] : network.units.units) {
            objects.insert(unit.object);
        }
    }
    return {objects.begin(), objects.end()};
}

std::map<std::string, std::string> unit_hashes(const BuiltModel &model) {
    std::map<std::string, std::string> hashes;
    for (const BuiltNetwork &network : model) {
        for (const auto &[key, unit] : network.units.units) {
            hashes.emplace(key, unit.hash);
        }
    }
    return hashes;
}

}  // namespace

void link_model(const Graph &graph, const BuiltModel &model, const CompileOptions &options,
                const ArtifactFolder &folder, const std::string &name) {
    const LinkedNetwork &linked = model[0].linked;
    const ContentHash weights =
        write_weights(linked, (folder.path() / (name + ".weights")).string(), weight_threads());
    check_interrupted();
    const auto gpu = gpu_runtime(model[0].planned.target);
    const std::string header = api_header(graph, linked.program, name);
    write_file(folder.path() / (name + ".h"), header);
    write_file(folder.scratch() / (name + ".h"), header);
    const fs::path library = folder.path() / ("lib" + name + ".so");
    const fs::path archive = options.archive ? folder.path() / ("lib" + name + ".a") : fs::path();
    link_artifact({.name = name,
                   .tables = write_tables(model, options, folder.scratch(), name, weights),
                   .units = unit_objects(model),
                   .halide_runtime = model[0].units.halide_runtime,
                   .gpu_runtime = gpu ? archive_file(*gpu) : fs::path(),
                   .scratch = folder.scratch(),
                   .sanitized = model[0].planned.target.find("-asan") != std::string::npos},
                  library, archive);
    std::vector<ManifestNetwork> described;
    for (const BuiltNetwork &network : model) {
        described.push_back({network.planned, network.linked.program});
    }
    write_file(folder.path() / "manifest.json",
               manifest(graph, described, options,
                        {.name = name,
                         .weights = weights,
                         .unit_hashes = unit_hashes(model),
                         .library_hash = hash_hex(read_file(library)),
                         .archive_hash = options.archive ? hash_hex(read_file(archive)) : ""}));
}

}  // namespace emulsion
