#include "bench/fit_machine.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "bench/cost_examination.h"
#include "bench/fit_constants.h"

namespace emulsion {

namespace {

// Rates. What it takes to start something can't be told from what else a short kernel waits for, and the
// caches' sizes are known.
constexpr const char *kFitted[] = {"gigahertz",
                                   "memory_bytes_per_cycle",
                                   "nest_slowdown",
                                   "operations_per_cycle",
                                   "private_bytes_per_cycle",
                                   "shared_bytes_per_cycle"};

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

Machine with(Machine machine, const MachineConstants &constants) {
    set_constants(machine, constants);
    return machine;
}

struct Errors {
    double times = 0.0, decisions = 0.0;
};

Errors errors_with(const std::vector<SampledNetwork> &networks, const MachineConstants &constants) {
    std::vector<TimedPrediction> predictions;
    std::vector<DecisionPair> pairs;
    for (const SampledNetwork &network : networks) {
        const std::vector<double> predicted =
            predicted_ms(network, with(network.machine, constants));
        std::ranges::move(timed_predictions(network, predicted), std::back_inserter(predictions));
        std::ranges::move(decision_pairs(network, predicted), std::back_inserter(pairs));
    }
    return {mean_log_error(predictions), mean_log_error(pairs)};
}

}  // namespace

double log_error(const std::vector<SampledNetwork> &networks, const MachineConstants &constants) {
    return errors_with(networks, constants).times;
}

double decision_error(const std::vector<SampledNetwork> &networks,
                      const MachineConstants &constants) {
    return errors_with(networks, constants).decisions;
}

MachineConstants fit_machine(const std::vector<SampledNetwork> &networks,
                             const MachineConstants &start, double region_seconds,
                             const std::function<void(double error)> &progress) {
    ConstantsFit fit;
    fit.names = fitted_of(start);
    fit.error = [&](const MachineConstants &constants) {
        const Errors errors = errors_with(networks, constants);
        return errors.times + kDecisionWeight * errors.decisions;
    };
    fit.complete = [&](MachineConstants &constants) {
        if (region_seconds > 0.0) {
            constants["region_cycles"] = region_seconds * constants.at("gigahertz") * 1e9;
        }
    };
    fit.progress = progress;
    return fit_constants(start, fit);
}

}  // namespace emulsion
