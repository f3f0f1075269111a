#include "bench/classics/fit_pipelines.h"

#include <algorithm>
#include <iterator>

#include "bench/fit_constants.h"

namespace emulsion::classics {

namespace {

CpuMachine with(const CpuMachine &machine, const MachineConstants &constants) {
    Machine changed(machine);
    set_constants(changed, constants);
    return changed.cpu();
}

}  // namespace

CalibrationErrors calibration_errors(const std::vector<SampledPipeline> &pipelines,
                                     const MachineConstants &constants) {
    std::vector<TimedPrediction> predictions;
    std::vector<DecisionPair> pairs;
    for (const SampledPipeline &pipeline : pipelines) {
        std::vector<TimedPrediction> timed =
            timed_predictions(pipeline, with(pipeline.machine, constants));
        std::ranges::move(decision_pairs(pipeline, timed), std::back_inserter(pairs));
        std::ranges::move(timed, std::back_inserter(predictions));
    }
    return {mean_log_error(predictions), mean_log_error(pairs)};
}

MachineConstants fit_pipelines(const std::vector<SampledPipeline> &pipelines,
                               const MachineConstants &start,
                               const std::function<void(double error)> &progress) {
    ConstantsFit fit;
    fit.names = {"image_gather_cycles", "image_load_cycles", "image_operation_cycles",
                 "image_row_cycles",    "image_scalar_cycles", "image_task_cycles",
                 "new_page_cycles"};
    fit.error = [&](const MachineConstants &constants) {
        const CalibrationErrors errors = calibration_errors(pipelines, constants);
        return errors.times + kDecisionWeight * errors.decisions;
    };
    fit.progress = progress;
    return fit_constants(start, fit);
}

}  // namespace emulsion::classics
