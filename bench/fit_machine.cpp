#include "bench/fit_machine.h"

#include <cmath>

#include "backend/interrupt.h"
#include "bench/cost_examination.h"

namespace emulsion {

namespace {

constexpr double kFactors[] = {0.5, 0.8, 0.95, 1.05, 1.25, 2.0};
constexpr int kMostRounds = 20;
constexpr double kDecisionWeight = 4.0;
// A round that gains less than this is the last one.
constexpr double kLeastGain = 1e-3;

// Rates. What it takes to start something can't be told from what else a short kernel waits for, and the
// caches' sizes are known.
bool is_fitted(const std::string &name) {
    for (const char *fitted :
         {"gigahertz", "memory_bytes_per_cycle", "nest_slowdown", "operations_per_cycle",
          "private_bytes_per_cycle", "shared_bytes_per_cycle"}) {
        if (name == fitted) {
            return true;
        }
    }
    return false;
}

Machine with(Machine machine, const MachineConstants &constants) {
    set_constants(machine, constants);
    return machine;
}

}  // namespace

double log_error(const std::vector<SampledNetwork> &networks, const MachineConstants &constants) {
    double sum = 0.0;
    int count = 0;
    for (const SampledNetwork &network : networks) {
        const std::vector<double> predicted =
            predicted_ms(network, with(network.machine, constants));
        for (size_t i = 0; i < predicted.size(); i++) {
            if (std::isfinite(predicted[i]) && predicted[i] > 0.0 && network.samples[i].ms > 0.0) {
                sum += std::fabs(std::log(predicted[i] / network.samples[i].ms));
                count++;
            }
        }
    }
    return count == 0 ? 0.0 : sum / count;
}

double decision_error(const std::vector<SampledNetwork> &networks,
                      const MachineConstants &constants) {
    constexpr double kDecisive = 0.05;
    double sum = 0.0;
    int count = 0;
    for (const SampledNetwork &network : networks) {
        const std::vector<double> predicted =
            predicted_ms(network, with(network.machine, constants));
        for (const DecisionPair &pair : decision_pairs(network, predicted)) {
            const double ratio = pair.predicted_fused_ms / pair.predicted_apart_ms;
            if (pair.difference() > kDecisive && std::isfinite(ratio) && ratio > 0.0) {
                sum += std::fabs(std::log(ratio * pair.apart_ms / pair.fused_ms));
                count++;
            }
        }
    }
    return count == 0 ? 0.0 : sum / count;
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
        return log_error(networks, constants) +
               kDecisionWeight * decision_error(networks, constants);
    };
    double error = error_of(best);
    for (int round = 0; round < kMostRounds; round++) {
        const double before = error;
        for (const auto &[name, value] : start) {
            if (!is_fitted(name)) {
                continue;
            }
            const MachineConstants centre = best;
            for (const double factor : kFactors) {
                check_interrupted();
                MachineConstants changed = centre;
                changed[name] *= factor;
                changed = with_region(std::move(changed));
                if (const double other = error_of(changed); other < error) {
                    error = other;
                    best = changed;
                }
            }
            progress(error);
        }
        if (before - error < kLeastGain) {
            break;
        }
    }
    return best;
}

}  // namespace emulsion
