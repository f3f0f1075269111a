// What is tuned of a pipeline of images.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/classics/parameters.h"
#include "fusion/image/image_graph.h"
#include "fusion/machine.h"
#include "tuner/task.h"

namespace emulsion::classics {

struct ImageTask {
    std::string pipeline;
    Parameters parameters;  // of its generator; the others have their defaults
    ImageGraph graph;
    CpuMachine machine;
    TuningTask task;  // without a space: that is drawn around what is best so far
};

// Of a pipeline that is planned as images are, for this machine; nothing where it is planned as a network. Throws Error for an unknown
// pipeline, and for parameters that it hasn't got or can't be built with.
std::optional<ImageTask> image_task(const std::string &pipeline, const Parameters &parameters,
                                    int threads);

// Of a task, and the fastest point that is known of it.
struct FastestPoint {
    const ImageTask &task;
    Nest best;
};

// With spaces around the fastest points, and what the prices suggest there. Tasks are sizes of one pipeline: what is free in one space is in all, so that
// models may know them for one kind.
std::vector<TuningTask> tasks_around(const std::vector<FastestPoint> &points, size_t suggestions);

}  // namespace emulsion::classics
