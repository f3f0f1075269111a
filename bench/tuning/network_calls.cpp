#include "bench/tuning/network_calls.h"

#include "bench/network_inputs.h"
#include "bench/trace.h"
#include "bench/tuning/in_network.h"
#include "frontend/lower/problem_key.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

int launch_of(const PlannedNetwork &network, const std::string &problem) {
    int launch = 0;
    while (problem_key(network.launches.at(static_cast<size_t>(launch)).unit) != problem) {
        launch++;
    }
    return launch;
}

}  // namespace

NetworkCalls::NetworkCalls(const PlannedModel &planned, const CompileOptions &options,
                           const std::string &problem, const std::vector<Nest> &nests,
                           const std::vector<size_t> &alive)
    : launch_(launch_of(planned.networks.front(), problem)) {
    for (const size_t candidate : alive) {
        const auto network = networks_.emplace(
            candidate, LoadedNetwork::compile(
                           with_nests(planned, {{problem, {"", nests[candidate], 1.0}}}), options));
        if (network.first->second.artifact().fell_back()) {
            throw failure("there is no GPU to measure on; 'emulsion doctor' says what there is");
        }
    }
    const Artifact &first = networks_.begin()->second.artifact();
    inputs_ = NetworkInputs(first, {}, 1).make(0);
    outputs_ = empty_outputs(first);
}

double NetworkCalls::run(size_t candidate) {
    constexpr double kMsPerSecond = 1e3;
    const RecordedRun run = record_run(networks_.at(candidate).artifact(),
                                       addresses(std::as_const(inputs_)), addresses(outputs_));
    return kMsPerSecond * run.launch_seconds[static_cast<size_t>(launch_)];
}

std::string NetworkCalls::check(size_t candidate) {
    std::string wrong = "it is not launched";
    networks_.at(candidate).artifact().run_observed(
        addresses(std::as_const(inputs_)), addresses(outputs_), [&](const LaunchEvent &event) {
            if (event.launch == launch_) {
                wrong = same_.check({event.tensor.type, event.tensor.shape, event.dense()});
            }
        });
    return wrong;
}

}  // namespace emulsion
