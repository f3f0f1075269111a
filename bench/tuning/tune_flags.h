// The flags of `emulsion tune`.
#pragma once

#include <string>

#include "bench/compile_flags.h"
#include "bench/tuning/race.h"
#include "bench/tuning/record_tasks.h"
#include "bench/tuning/tune_network.h"

namespace emulsion {

struct TuneArguments {
    std::string model, output, json, store, curve;
    std::string record, trajectory, page;  // files
    std::string model_kind, trained;       // what learns; a file with one that has learned
    bool explain = false;
    bool list = false;
    Recording recording;
    NetworkTuning tuning;
    double noise = 100.0 * RaceOptions().most_drift;  // percent
    CompileFlags flags;
};

// Those of what is measured, how and when it ends, and of what is written; not those of how the model is compiled.
void add_tune_flags(CLI::App &app, TuneArguments &given);

// Throws Error for flags that do not go together, or that say too little; then sets what others of them imply.
void settle_tune_flags(TuneArguments &given);

}  // namespace emulsion
