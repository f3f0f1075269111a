// Compiles units in worker processes. A unit's bytes must not depend on what was compiled before it,
// so each is compiled by a fresh child of a server process that has loaded everything but has made no
// Funcs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/compile_unit.h"
#include "frontend/lower/unit.h"

namespace emulsion {

// What one child is to do.
struct WorkerTask {
    const Unit *unit = nullptr;  // null: Halide's own runtime, for `target`
    std::string target;
    UnitOutputs outputs;
    CompileUnitOptions options;
    std::string label;  // operators in it, for messages
};

struct WorkerOptions {
    std::string program;  // run as "PROGRAM worker"
    int jobs = 1;
    double timeout_seconds = 600;  // for one task
};

// Compiles all tasks; `done` is called after each with its index and what became of it. Throws the Error of the first that
// failed, and when we are interrupted; all processes have ended by then.
void run_workers(const std::vector<WorkerTask> &tasks, const WorkerOptions &options,
                 const std::function<void(size_t, const CompiledUnit &)> &done);

}  // namespace emulsion
