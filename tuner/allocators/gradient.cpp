#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tuner/allocator.h"

namespace emulsion {

namespace {

// Ansor's task scheduler (OSDI 2020, section 6): the next batch is for the task of which a batch is expected to make the network
// faster by most, judged by how much the last ones did, and by how fast tasks alike have become. Of equal ones the first, so that
// equal curves give equal choices (the paper's code draws).
class Gradient : public Allocator {
public:
    int next(const std::vector<TuningCurve> &curves) override {
        leave_groups(curves);
        int best = -1;
        double most = -1.0;
        for (size_t i = 0; i < curves.size(); i++) {
            if (curves[i].ended) {
                continue;
            }
            // Every task has a batch before any has a second one.
            const double gain = curves[i].best.empty() ? std::numeric_limits<double>::infinity()
                                                       : expected_gain(curves, i);
            if (gain > most) {
                most = gain;
                best = static_cast<int>(i);
            }
        }
        return best;
    }

private:
    // As in Ansor's code: weight of the past, batches that it is judged by, trust in tasks that are alike, and batches after
    // which a task that is still slower than them is not like them.
    static constexpr double kPast = 0.2, kTrust = 2.0;
    static constexpr size_t kWindow = 3, kPatience = 5;

    // Milliseconds of a run, of one batch more.
    double expected_gain(const std::vector<TuningCurve> &curves, size_t i) const {
        const TuningCurve &curve = curves[i];
        const size_t batches = curve.best.size();
        const double now = curve.weighted_ms(batches);
        const size_t window = std::min(kWindow, batches - 1);
        const double past =
            window == 0 ? 0.0
                        : (curve.weighted_ms(batches - window) - now) / static_cast<double>(window);
        const double optimistic = now / static_cast<double>(batches);
        const double future = std::max(optimistic, now - reachable_ms(curves, i));
        return kPast * past + (1.0 - kPast) * future;
    }

    // Were it as fast as the fastest task of its group, and trusting that only so far; where there is no such task, what it takes now.
    double reachable_ms(const std::vector<TuningCurve> &curves, size_t i) const {
        const double fastest = fastest_alike(curves, i);
        const TuningCurve &curve = curves[i];
        return fastest > 0.0 ? kTrust * curve.operations * curve.launches / fastest
                             : curve.weighted_ms(curve.best.size());
    }

    // Operations in a millisecond, of another task of its group; 0: there is none.
    double fastest_alike(const std::vector<TuningCurve> &curves, size_t i) const {
        double fastest = 0.0;
        if (curves[i].operations <= 0.0 || has_left(i)) {
            return fastest;
        }
        for (size_t j = 0; j < curves.size(); j++) {
            const double ms = curves[j].weighted_ms(curves[j].best.size());
            if (j != i && curves[j].kind == curves[i].kind && !has_left(j) &&
                !curves[j].best.empty() && ms > 0.0) {
                fastest = std::max(fastest, curves[j].operations * curves[j].launches / ms);
            }
        }
        return fastest;
    }

    void leave_groups(const std::vector<TuningCurve> &curves) {
        for (size_t i = 0; i < curves.size(); i++) {
            const size_t batches = curves[i].best.size();
            if (batches == 0) {
                continue;
            }
            if (curves[i].weighted_ms(batches) <= reachable_ms(curves, i)) {
                slow_since_[i] = batches;  // it is as fast as it should be
            } else if (slow_since_.emplace(i, batches).first->second + kPatience <= batches) {
                has_left_[i] = true;
            }
        }
    }

    bool has_left(size_t i) const { return has_left_.count(i) != 0; }

    std::map<size_t, size_t> slow_since_;  // batches, of tasks in a group
    std::map<size_t, bool> has_left_;
};

}  // namespace

const AllocatorKind &tuning_allocator_gradient() {
    static const AllocatorKind kind = {
        "gradient", "the task of which the next batch is expected to win most (Ansor)",
        [] { return std::make_unique<Gradient>(); }};
    return kind;
}

}  // namespace emulsion
