#include "bench/classics/fit_pipelines.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "bench/fit_constants.h"

namespace emulsion::classics {

namespace {

CpuMachine with(const CpuMachine &machine, const MachineConstants &constants) {
    Machine changed(machine);
    set_constants(changed, constants);
    return changed.cpu();
}

struct Predicted {
    std::vector<TimedPrediction> times;
    std::vector<DecisionPair> pairs;
};

Predicted predicted_with(const std::vector<SampledPipeline> &pipelines,
                         const MachineConstants &constants) {
    Predicted all;
    for (const SampledPipeline &pipeline : pipelines) {
        std::vector<TimedPrediction> timed =
            timed_predictions(pipeline, with(pipeline.machine, constants));
        std::ranges::move(decision_pairs(pipeline, timed), std::back_inserter(all.pairs));
        std::ranges::move(timed, std::back_inserter(all.times));
    }
    return all;
}

// What a wrong pair counts beside errors that are logarithms: what is asked of prices of schedules is which is faster,
// and schedules that take ten times as long as others would decide a mean of ratios alone.
constexpr double kWrongWeight = 20.0;

}  // namespace

CalibrationErrors calibration_errors(const std::vector<SampledPipeline> &pipelines,
                                     const MachineConstants &constants) {
    const Predicted all = predicted_with(pipelines, constants);
    return {mean_log_error(all.times), mean_log_error(all.pairs)};
}

MachineConstants fit_pipelines(const std::vector<SampledPipeline> &pipelines,
                               const MachineConstants &start,
                               const std::function<void(double error)> &progress) {
    ConstantsFit fit;
    fit.names = {
        "gigahertz",        "image_gather_cycles", "image_load_cycles", "image_operation_cycles",
        "image_row_cycles", "image_scalar_cycles", "image_task_cycles", "new_page_cycles"};
    fit.error = [&](const MachineConstants &constants) {
        Predicted all = predicted_with(pipelines, constants);
        const double errors = mean_log_error(all.times) + mean_log_error(all.pairs);
        const PredictionFigures figures = figures_of(all.times, std::move(all.pairs));
        return errors + kWrongWeight * (1.0 - figures.agreement());
    };
    fit.progress = progress;
    return fit_constants(start, fit);
}

}  // namespace emulsion::classics
