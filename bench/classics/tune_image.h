// The tuning of one pipeline of images.
#pragma once

#include <map>
#include <optional>

#include "bench/classics/tune_pipelines.h"
#include "bench/progress.h"
#include "fusion/nest.h"
#include "tuner/store.h"

namespace emulsion::classics {

struct TunedPipeline {
    double planned_ms = 0.0;
    int64_t trials = 0;  // of this session
    std::map<Outcome, int64_t> outcomes;
    double ratio = 1.0;      // of the fastest, in the search
    double confirmed = 1.0;  // of what was the fastest in a second sitting; 1: nothing is worth it
    Nest best;               // that
};

// Where measurements are kept.
struct TuningStore {
    Store store;
    int64_t session = 0;
    std::string build;  // of the plugin
    int sitting = 0;
};

// `store` may be null.
TunedPipeline tune_image(const ImageTask &task, const PipelineTuning &options, TuningStore *store,
                         Progress &progress);

}  // namespace emulsion::classics
