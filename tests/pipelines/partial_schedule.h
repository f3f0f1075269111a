// Schedules that users give some Funcs before they leave the rest to the autoscheduler.
#pragma once

#include <Halide.h>

#include <vector>

#include "tests/graphs/draw.h"
#include "tests/pipelines/random_pipeline.h"

namespace emulsion::test {

// Of some pipelines, a few of the stages.
void schedule_in_part(Draw &draw, const std::vector<Halide::Func> &stages, RandomPipeline &made);

}  // namespace emulsion::test
