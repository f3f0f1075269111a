// Schedules of pipelines of images as they were measured, to fit the prices of image pipelines to and to hold them
// against.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Halide.h>

#include "bench/classics/run_step.h"
#include "bench/json_file.h"
#include "bench/prediction_figures.h"
#include "fusion/image/decisions.h"
#include "fusion/image/image_points.h"
#include "fusion/machine.h"

namespace emulsion {
class Progress;
}

namespace emulsion::classics {

struct PipelineSample {
    std::string label;
    ImageDecisions decisions;
    double ms = 0.0;  // median over the runs
};

struct SampledPipeline {
    std::string pipeline;
    ImageGraph graph;
    CpuMachine machine;  // that the samples were made for
    std::vector<PipelineSample> samples;
    std::vector<std::string> failures;  // of other schedules: which, and why there is no time
    bool is_wrong = false;              // one of these computes something else
};

struct Sampling {
    PointDrawing drawing;
    double seconds = 10.0;  // of measuring for each pipeline
    int jobs = 1;           // schedules that are compiled at the same time
    StepLimits limits{300, 8};
    std::string folder;   // for libraries
    bool reuse = false;   // libraries of the same schedules that lie there
    std::string machine;  // file of constants; empty: none
};

// What the plugin plans for: the target's machine, with the constants of a file unless `constants` is empty.
CpuMachine image_machine(const Halide::Target &target, int threads, const std::string &constants);

// The pipeline without samples; nothing if it is planned as a network is.
std::optional<SampledPipeline> analysed(const std::string &pipeline, const CpuMachine &machine);

// Builds other schedules of it (fusion/image/image_points.h), checks each against the pipeline computed Func by Func,
// and measures them in turns.
void measure_points(SampledPipeline &pipeline, const Sampling &sampling, Progress &progress);

// Of every sample, with its tiles, on a machine with other constants.
std::vector<TimedPrediction> timed_predictions(const SampledPipeline &pipeline,
                                               const CpuMachine &machine);
// All pairs of schedules of the pipeline; predictions as above.
std::vector<DecisionPair> decision_pairs(const SampledPipeline &pipeline,
                                         const std::vector<TimedPrediction> &predictions);

// Samples as the file of an examination has them, and back: those of every pipeline that it names. Throws Error where
// they don't fit the pipelines.
Json samples_json(const SampledPipeline &pipeline, const std::vector<TimedPrediction> &predictions);
std::vector<SampledPipeline> samples_from(const Json &examination, const std::string &machine);

}  // namespace emulsion::classics
