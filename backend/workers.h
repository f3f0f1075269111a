// Compiles units in worker processes. A unit's bytes must not depend on what was compiled before it,
// so each is compiled by a fresh child of a server process that has loaded everything but has made no
// Funcs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/compile_unit.h"
#include "frontend/lower/unit.h"
#include "fusion/code_features.h"
#include "fusion/error.h"

namespace emulsion {

// What one child is to do.
struct WorkerTask {
    const Unit *unit = nullptr;  // null: Halide's own runtime, for `target`
    bool lowers_only = false;    // for the features of its code; there is no object then
    std::string target;
    UnitOutputs outputs;
    CompileUnitOptions options;
    std::string label;  // operators in it, for messages
};

// What became of a task.
struct WorkerOutcome {
    CompiledUnit compiled;
    CodeFeatures features;       // where it only lowers
    std::optional<Error> error;  // why there is no object; it names the task
};

struct WorkerOptions {
    std::string program;  // run as "PROGRAM worker"
    int jobs = 1;
    double timeout_seconds = 600;  // for one task
};

// Works on all tasks, also where some fail; `done` is called after each with its index and what became of it. Throws
// Error where no worker can be started, and when we are interrupted; all processes have ended by then.
void run_workers(const std::vector<WorkerTask> &tasks, const WorkerOptions &options,
                 const std::function<void(size_t, const WorkerOutcome &)> &done);

}  // namespace emulsion
