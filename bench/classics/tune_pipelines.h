// classics tune: searches faster schedules of image pipelines by measuring them.
#pragma once

#include <string>
#include <vector>

#include "bench/classics/image_measurer.h"
#include "tuner/session.h"

namespace CLI {
class App;
}

namespace emulsion::classics {

struct PipelineTuning {
    std::vector<std::string> pipelines;  // none: all
    // Of generators (parameters.h): each makes another size of every pipeline. None: as their defaults are.
    std::vector<std::string> sizes;
    int threads = 1;
    // Of each size of a pipeline; trials of all rounds together.
    SessionOptions session;
    // The space is drawn anew around the fastest point so often.
    int rounds = 3;
    ImageMeasuring measuring;
    std::string store;   // file, or empty: keep nothing
    std::string output;  // the file to write
};

CLI::App *add_tune(CLI::App &app, PipelineTuning &options);

// Returns the exit code.
int tune(PipelineTuning &options);

}  // namespace emulsion::classics
