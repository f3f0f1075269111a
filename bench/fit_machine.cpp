#include "bench/fit_machine.h"

#include <cmath>
#include <string>
#include <utility>

#include "backend/interrupt.h"
#include "bench/cost_examination.h"

namespace emulsion {

namespace {

constexpr double kFactors[] = {0.5, 0.8, 0.95, 0.99, 1.01, 1.05, 1.25, 2.0};
constexpr int kMostRounds = 40;
constexpr double kDecisionWeight = 4.0;
// A round that gains less than this is the last one.
constexpr double kLeastGain = 2e-4;

// Rates. What it takes to start something can't be told from what else a short kernel waits for, and the
// caches' sizes are known.
constexpr const char *kFitted[] = {"gigahertz",
                                   "memory_bytes_per_cycle",
                                   "nest_slowdown",
                                   "operations_per_cycle",
                                   "private_bytes_per_cycle",
                                   "shared_bytes_per_cycle"};

// No constant ends further than this from where it started: what times hardly depend on would run away with their
// noise.
constexpr double kFarthest = 8.0;

// Constants and what each of them is multiplied by.
using Step = std::vector<std::pair<std::string, double>>;

// Those that a machine of its kind has.
std::vector<std::string> fitted_of(const MachineConstants &constants) {
    std::vector<std::string> names;
    for (const char *name : kFitted) {
        if (constants.count(name) != 0) {
            names.emplace_back(name);
        }
    }
    return names;
}

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

Machine with(Machine machine, const MachineConstants &constants) {
    set_constants(machine, constants);
    return machine;
}

// By network and sample, in milliseconds.
using Predictions = std::vector<std::vector<double>>;

Predictions predicted_with(const std::vector<SampledNetwork> &networks,
                           const MachineConstants &constants) {
    Predictions predictions;
    for (const SampledNetwork &network : networks) {
        predictions.push_back(predicted_ms(network, with(network.machine, constants)));
    }
    return predictions;
}

double log_error(const std::vector<SampledNetwork> &networks, const Predictions &predictions) {
    double sum = 0.0;
    int count = 0;
    for (size_t n = 0; n < networks.size(); n++) {
        const std::vector<double> &predicted = predictions[n];
        for (size_t i = 0; i < predicted.size(); i++) {
            const double measured = networks[n].samples[i].ms;
            if (std::isfinite(predicted[i]) && predicted[i] > 0.0 && measured > 0.0) {
                sum += std::fabs(std::log(predicted[i] / measured));
                count++;
            }
        }
    }
    return count == 0 ? 0.0 : sum / count;
}

double decision_error(const std::vector<SampledNetwork> &networks, const Predictions &predictions) {
    constexpr double kDecisive = 0.05;
    double sum = 0.0;
    int count = 0;
    for (size_t n = 0; n < networks.size(); n++) {
        for (const DecisionPair &pair : decision_pairs(networks[n], predictions[n])) {
            const double ratio = pair.predicted_fused_ms / pair.predicted_apart_ms;
            if (pair.difference() > kDecisive && std::isfinite(ratio) && ratio > 0.0) {
                sum += std::fabs(std::log(ratio * pair.apart_ms / pair.fused_ms));
                count++;
            }
        }
    }
    return count == 0 ? 0.0 : sum / count;
}

}  // namespace

double log_error(const std::vector<SampledNetwork> &networks, const MachineConstants &constants) {
    return log_error(networks, predicted_with(networks, constants));
}

double decision_error(const std::vector<SampledNetwork> &networks,
                      const MachineConstants &constants) {
    return decision_error(networks, predicted_with(networks, constants));
}

MachineConstants fit_machine(const std::vector<SampledNetwork> &networks,
                             const MachineConstants &start, double region_seconds,
                             const std::function<void(double error)> &progress) {
    const auto with_region = [&](MachineConstants constants) {
        if (region_seconds > 0.0) {
            constants["region_cycles"] = region_seconds * constants.at("gigahertz") * 1e9;
        }
        return constants;
    };
    MachineConstants best = with_region(start);
    const auto error_of = [&](const MachineConstants &constants) {
        const Predictions predictions = predicted_with(networks, constants);
        return log_error(networks, predictions) +
               kDecisionWeight * decision_error(networks, predictions);
    };
    double error = error_of(best);
    const auto gain_of = [&](const std::vector<Step> &steps) {
        const double before = error;
        for (const Step &step : steps) {
            check_interrupted();
            MachineConstants changed = best;
            bool near = true;
            for (const auto &[name, factor] : step) {
                double &value = changed[name];
                value *= factor;
                near = near && value <= start.at(name) * kFarthest &&
                       value >= start.at(name) / kFarthest;
            }
            if (!near) {
                continue;
            }
            changed = with_region(std::move(changed));
            if (const double other = error_of(changed); other < error) {
                error = other;
                best = std::move(changed);
            }
        }
        progress(error);
        return before - error;
    };
    // Two at a time cost more, and are tried where single ones help no more.
    const std::vector<std::string> names = fitted_of(start);
    const std::vector<Step> single = single_steps(names), two = double_steps(names);
    for (int round = 0; round < kMostRounds; round++) {
        if (gain_of(single) < kLeastGain && gain_of(two) < kLeastGain) {
            break;
        }
    }
    return best;
}

}  // namespace emulsion
