#include "bench/cost_examination.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "bench/statistics.h"

namespace emulsion {

namespace {

// The samples of `policy` that are parts of `whole`, by position, if they are all of it together.
std::vector<size_t> parts_of(const std::vector<CostSample> &samples, const CostSample &whole,
                             const std::string &policy) {
    std::vector<size_t> parts;
    size_t members = 0;
    for (size_t i = 0; i < samples.size(); i++) {
        const CostSample &part = samples[i];
        if (part.policy == policy && std::includes(whole.members.begin(), whole.members.end(),
                                                   part.members.begin(), part.members.end())) {
            parts.push_back(i);
            members += part.members.size();
        }
    }
    return members == whole.members.size() ? parts : std::vector<size_t>();
}

}  // namespace

std::vector<DecisionPair> decision_pairs(const SampledNetwork &network,
                                         const std::vector<double> &predicted) {
    std::set<std::string> policies;
    for (const CostSample &sample : network.samples) {
        policies.insert(sample.policy);
    }
    std::vector<DecisionPair> pairs;
    std::set<std::vector<std::vector<std::string>>>
        known;  // partitions of a group that were looked at
    for (size_t i = 0; i < network.samples.size(); i++) {
        const CostSample &whole = network.samples[i];
        for (const std::string &policy : policies) {
            const std::vector<size_t> parts = parts_of(network.samples, whole, policy);
            std::vector<std::vector<std::string>> partition;
            DecisionPair pair{network.model, whole.label, whole.ms, 0.0, predicted[i], 0.0};
            for (const size_t part : parts) {
                partition.push_back(network.samples[part].members);
                pair.second_ms += network.samples[part].ms;
                pair.predicted_second_ms += predicted[part];
            }
            if (parts.size() > 1 && known.insert(partition).second) {
                pairs.push_back(pair);
            }
        }
    }
    return pairs;
}

std::vector<TimedPrediction> timed_predictions(const SampledNetwork &network,
                                               const std::vector<double> &predicted) {
    std::vector<TimedPrediction> timed;
    for (size_t i = 0; i < predicted.size(); i++) {
        timed.push_back({network.model, network.samples[i].ms, predicted[i]});
    }
    return timed;
}

CostExamination examine(const std::vector<SampledNetwork> &networks, const Machine &machine) {
    std::vector<double> measured, operations, bytes;
    std::vector<DecisionPair> pairs;
    CostExamination result;
    for (const SampledNetwork &network : networks) {
        const std::vector<double> predicted = predicted_ms(network, machine);
        for (const CostSample &sample : network.samples) {
            measured.push_back(sample.ms);
            operations.push_back(sample.operations);
            bytes.push_back(sample.bytes);
        }
        std::ranges::move(timed_predictions(network, predicted),
                          std::back_inserter(result.predictions));
        std::ranges::move(decision_pairs(network, predicted), std::back_inserter(pairs));
    }
    result.figures = figures_of(result.predictions, std::move(pairs));
    result.operations_spearman = spearman(measured, operations);
    result.bytes_spearman = spearman(measured, bytes);
    return result;
}

}  // namespace emulsion
