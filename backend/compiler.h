// From a model file to an artifact on disk: loads, plans, compiles the distinct units in worker
// processes (or takes them from the cache), links and writes the folder. Each step is a function of its own:
// backend/planned_model.h, built_model.h, link_model.h.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "frontend/graph/pass.h"
#include "frontend/lower/load_network.h"
#include "frontend/lower/network.h"
#include "frontend/onnx/loader.h"

namespace emulsion {

struct CompileOptions {
    PlanOptions plan;
    InputShapes shapes;  // sizes that the model leaves open
    std::set<std::string> disabled_passes;
    int jobs = 0;              // worker processes; 0: one per core
    std::string cache_folder;  // empty: the default, $XDG_CACHE_HOME/emulsion or ~/.cache/emulsion
    bool use_cache = true;
    // Of "stmt", "schedule", "assembly" and, for AMD GPUs, "kernels": written into DIR/emit/.
    std::set<std::string> emit;
    bool archive =
        true;          // write libNAME.a; not for a network that is loaded at once and thrown away
    std::string name;  // of the library; empty: from the model's file name
    // The program that worker processes run, as "PROGRAM worker": it must pass this on to worker_main.
    // Empty: this program itself.
    std::string worker_program;
    // Called as units get done, for progress: (done, total, label).
    std::function<void(int, int, const std::string &)> progress;
    // Called with a sentence about what goes on in a lesser way than was asked for.
    std::function<void(const std::string &)> warning;
};

struct CompileReport {
    std::string folder;
    std::string name;
    std::string target;
    std::string plan_hash;
    double seconds = 0.0;
    int operators = 0, groups = 0;
    int launches = 0;                 // launched groups
    int units = 0, cached_units = 0;  // distinct units; of these from the cache
    int shrunk_units = 0;  // with smaller loop nests than planned (backend/unit_builder.h)
    int64_t arena_bytes = 0, live_bytes = 0, weights_bytes = 0;
    std::vector<PassTime> pass_times;
    PlannedNetwork planned;  // what was compiled
};

// What of the options is about loading the model.
LoadOptions load_options(const CompileOptions &options);

// Compiles MODEL into folder `output` (created or replaced as a whole: written under a temporary name
// beside it, then renamed). Throws Error, of a model that is not supported an UnsupportedModel; nothing is
// left behind then.
CompileReport compile_model(const std::string &model, const std::string &output,
                            const CompileOptions &options);

struct PlannedModel;

// The same from plans (backend/planned_model.h), which are built and linked as they are: of options.plan, only the
// policy, threads and the target are read, which have to be those that were planned for.
CompileReport compile_planned(const PlannedModel &model, const std::string &output,
                              const CompileOptions &options);

struct BuiltUnits;

// The same where the units of its networks were compiled before, perhaps with those of other models
// (units_of_models in backend/built_model.h): places, links and writes the folder.
CompileReport link_planned(const PlannedModel &model, std::vector<BuiltUnits> units,
                           const std::string &output, const CompileOptions &options);

// Entry point of a worker process: argv after the hidden sub-command "worker". Returns its exit code.
int worker_main(int argc, char **argv);

}  // namespace emulsion
