// The tuning of one pipeline of images, of one size or of several together.
#pragma once

#include <map>
#include <vector>

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

// What was found of each task. Tasks are sizes of one pipeline, which are searched in one session. `store` may be null.
std::vector<TunedPipeline> tune_image(const std::vector<ImageTask> &sizes,
                                      const PipelineTuning &options, TuningStore *store,
                                      Progress &progress);

}  // namespace emulsion::classics
