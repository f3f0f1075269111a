#include <limits>
#include <map>

#include "tuner/allocator.h"
#include "tuner/learning_curve.h"

namespace emulsion {

namespace {

// DynaTune (M. Zhang et al., ICLR 2021): tasks are the arms of a bandit, whose reward is by how much a batch makes the network faster. Of what a
// belief about every task's curve expects, and of how unsure it is, the next batch goes where the sum is largest (optimism in the
// face of uncertainty).
class DynaTune : public Allocator {
public:
    int next(const std::vector<TuningCurve> &curves) override {
        int best = -1;
        double most = -1.0;
        for (size_t i = 0; i < curves.size(); i++) {
            if (curves[i].ended) {
                continue;
            }
            // Every task has a batch before any has a second one.
            const double gain = curves[i].best.empty() ? std::numeric_limits<double>::infinity()
                                                       : hoped_gain(i, curves[i]);
            if (gain > most) {
                most = gain;
                best = static_cast<int>(i);
            }
        }
        return best;
    }

private:
    struct Known {
        size_t batches = 0;
        CurveForecast forecast;
    };

    // Milliseconds of a run, of one batch more.
    double hoped_gain(size_t i, const TuningCurve &curve) {
        constexpr double kOptimism = 1.0;  // deviations
        Known &known = known_[i];
        if (known.batches != curve.best.size()) {
            known = {curve.best.size(), next_of_curve(curve.best)};
        }
        const double gain = curve.best.back() - known.forecast.mean;
        return curve.planned_ms * curve.launches * (gain + kOptimism * known.forecast.deviation);
    }

    std::map<size_t, Known> known_;  // by task
};

}  // namespace

const AllocatorKind &tuning_allocator_dynatune() {
    static const AllocatorKind kind = {
        "dynatune", "the task whose learning curve promises most, doubts included (DynaTune)",
        [] { return std::make_unique<DynaTune>(); }};
    return kind;
}

}  // namespace emulsion
