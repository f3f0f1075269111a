#include "bench/fit_machine.h"

#include <cmath>

#include "backend/interrupt.h"

namespace emulsion {

namespace {

constexpr double kFactors[] = {0.5, 0.8, 0.95, 1.05, 1.25, 2.0};
constexpr int kMostRounds = 20;
// A round that gains less than this is the last one.
constexpr double kLeastGain = 1e-3;

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

MachineConstants fit_machine(const std::vector<SampledNetwork> &networks,
                             const MachineConstants &start,
                             const std::function<void(double error)> &progress) {
    MachineConstants best = start;
    double error = log_error(networks, best);
    for (int round = 0; round < kMostRounds; round++) {
        const double before = error;
        for (const auto &[name, value] : start) {
            if (name == "l2_bytes" || name == "l3_bytes") {
                continue;
            }
            const MachineConstants centre = best;
            for (const double factor : kFactors) {
                check_interrupted();
                MachineConstants changed = centre;
                changed[name] *= factor;
                if (const double other = log_error(networks, changed); other < error) {
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
