#include "bench/fit_constants.h"

#include <utility>

#include "backend/interrupt.h"

namespace emulsion {

namespace {

constexpr double kFactors[] = {0.5, 0.8, 0.95, 0.99, 1.01, 1.05, 1.25, 2.0};
constexpr int kMostRounds = 40;
// A round that gains less than this is the last one.
constexpr double kLeastGain = 2e-4;
// No constant ends further than this from where it started: what times hardly depend on would run away with their
// noise.
constexpr double kFarthest = 8.0;

// Constants and what each of them is multiplied by.
using Step = std::vector<std::pair<std::string, double>>;

std::vector<Step> single_steps(const std::vector<std::string> &names) {
    std::vector<Step> steps;
    for (const std::string &name : names) {
        for (const double factor : kFactors) {
            steps.push_back({{name, factor}});
        }
    }
    return steps;
}

// A faster clock with less done in a cycle is nearly the same, and better only where both change.
std::vector<Step> double_steps(const std::vector<std::string> &names) {
    std::vector<Step> steps;
    for (size_t i = 0; i < names.size(); i++) {
        for (size_t j = 0; j < i; j++) {
            for (const double factor : kFactors) {
                steps.push_back({{names[i], factor}, {names[j], factor}});
                steps.push_back({{names[i], factor}, {names[j], 1.0 / factor}});
            }
        }
    }
    return steps;
}

class Fitting {
public:
    Fitting(const MachineConstants &start, const ConstantsFit &fit)
        : start_(start), fit_(fit), best_(completed(start)), error_(fit.error(best_)) {}

    MachineConstants run() {
        // Two at a time cost more, and are tried where single ones help no more.
        const std::vector<Step> single = single_steps(fit_.names), two = double_steps(fit_.names);
        for (int round = 0; round < kMostRounds; round++) {
            if (gain_of(single) < kLeastGain && gain_of(two) < kLeastGain) {
                break;
            }
        }
        return std::move(best_);
    }

private:
    MachineConstants completed(MachineConstants constants) const {
        if (fit_.complete) {
            fit_.complete(constants);
        }
        return constants;
    }

    // Whether the step stays near the start; `changed` has it.
    bool take(const Step &step, MachineConstants &changed) const {
        for (const auto &[name, factor] : step) {
            double &value = changed[name];
            value *= factor;
            if (value > start_.at(name) * kFarthest || value < start_.at(name) / kFarthest) {
                return false;
            }
        }
        return true;
    }

    double gain_of(const std::vector<Step> &steps) {
        const double before = error_;
        for (const Step &step : steps) {
            check_interrupted();
            MachineConstants changed = best_;
            if (!take(step, changed)) {
                continue;
            }
            changed = completed(std::move(changed));
            if (const double other = fit_.error(changed); other < error_) {
                error_ = other;
                best_ = std::move(changed);
            }
        }
        fit_.progress(error_);
        return before - error_;
    }

    const MachineConstants &start_;
    const ConstantsFit &fit_;
    MachineConstants best_;
    double error_;
};

}  // namespace

MachineConstants fit_constants(const MachineConstants &start, const ConstantsFit &fit) {
    return Fitting(start, fit).run();
}

}  // namespace emulsion
