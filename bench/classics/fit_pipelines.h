// The constants of a machine from measured schedules of pipelines of images.
#pragma once

#include <functional>
#include <vector>

#include "bench/calibration_verdict.h"
#include "bench/classics/pipeline_samples.h"
#include "fusion/machine_constants.h"

namespace emulsion::classics {

CalibrationErrors calibration_errors(const std::vector<SampledPipeline> &pipelines,
                                     const MachineConstants &constants);

// Constants that make both errors small, and the pairs whose faster schedule is named many, from `start`
// (bench/fit_constants.h). Fitted are those that image pipelines alone have, and the clock, on which no plan depends.
// `progress` is told the error so far.
MachineConstants fit_pipelines(const std::vector<SampledPipeline> &pipelines,
                               const MachineConstants &start,
                               const std::function<void(double error)> &progress);

}  // namespace emulsion::classics
