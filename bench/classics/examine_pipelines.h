// classics examine, classics calibrate: how well the prices of image pipelines predict, and constants with which they
// predict better.
#pragma once

#include <string>
#include <vector>

#include "bench/classics/pipeline_samples.h"

namespace CLI {
class App;
}

namespace emulsion::classics {

struct PipelineExamination {
    std::vector<std::string> pipelines;  // none: all
    int threads = 1;
    Sampling sampling;
    std::string from;     // an earlier examination's file, instead of measuring
    std::string scatter;  // a picture to write
    std::string output;   // of calibrate: the file to write
    bool verbose = false;
};

CLI::App *add_examine(CLI::App &app, PipelineExamination &options);
CLI::App *add_calibrate(CLI::App &app, PipelineExamination &options);

// Return exit codes: 1 where a schedule computes something else. `json` is a file for all figures, or empty.
int examine(PipelineExamination &options, const std::string &json);
int calibrate(PipelineExamination &options);

}  // namespace emulsion::classics
