// What is tuned of a pipeline of images.
#pragma once

#include <optional>
#include <string>

#include "fusion/image/image_graph.h"
#include "fusion/machine.h"
#include "tuner/task.h"

namespace emulsion::classics {

struct ImageTask {
    std::string pipeline;
    ImageGraph graph;
    CpuMachine machine;
    TuningTask task;  // without a space: that is drawn around what is best so far
};

// Of a pipeline that is planned as images are, for this machine; nothing where it is planned as a network.
std::optional<ImageTask> image_task(const std::string &pipeline, int threads);

// With the space around `best`, and what the prices suggest there.
TuningTask task_around(const ImageTask &task, const Nest &best, size_t suggestions);

}  // namespace emulsion::classics
