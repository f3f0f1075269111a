#include "bench/tuning/in_network.h"

#include <algorithm>
#include <cmath>

#include "backend/seconds_since.h"
#include "bench/loaded_network.h"
#include "bench/measure.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "bench/trace.h"
#include "bench/tuning/whole_times.h"
#include "frontend/lower/problem_key.h"

namespace emulsion {

namespace {

// What is not so much faster may be noise.
constexpr double kFaster = 0.99;
constexpr int kLeastRuns = 20, kMostRuns = 4000;

// The networks with the planned nests, with the first finalist of every group, with the second, ...
std::vector<LoadedNetwork> variants(const PlannedModel &planned, const CompileOptions &options,
                                    const std::map<std::string, Finalist> &finalists) {
    size_t most = 0;
    for (const auto &[problem, finalist] : finalists) {
        most = std::max(most, finalist.nests.size());
    }
    std::vector<LoadedNetwork> networks;
    networks.push_back(LoadedNetwork::compile(planned, options));
    for (size_t i = 0; i < most; i++) {
        std::map<std::string, TunedNest> nests;
        for (const auto &[problem, finalist] : finalists) {
            if (i < finalist.nests.size()) {
                nests[problem] = {finalist.label, finalist.nests[i], 1.0};
            }
        }
        networks.push_back(LoadedNetwork::compile(with_nests(planned, nests), options));
    }
    return networks;
}

// Of all launches of a problem, the milliseconds of its runs of one parity, lowest deciles added up: what disturbs a run
// makes it slower.
class LaunchTimes {
public:
    LaunchTimes(const PlannedNetwork &network, const std::vector<std::vector<RecordedRun>> &runs)
        : runs_(runs) {
        for (size_t i = 0; i < network.launches.size(); i++) {
            launches_[problem_key(network.launches[i].unit)].push_back(i);
        }
    }

    double ms(const std::string &problem, size_t variant, size_t parity) const {
        double sum = 0.0;
        for (const size_t launch : launches_.at(problem)) {
            std::vector<double> times;
            for (size_t run = parity; run < runs_[variant].size(); run += 2) {
                times.push_back(1e3 * (runs_[variant][run].launch_seconds[launch] -
                                       runs_[variant][run].fill_seconds[launch]));
            }
            sum += summarise(std::move(times)).p10;
        }
        return sum;
    }

private:
    const std::vector<std::vector<RecordedRun>> &runs_;
    std::map<std::string, std::vector<size_t>> launches_;  // by problem
};

// As many as go into that time.
int runs_for(std::vector<LoadedNetwork> &networks, const std::vector<Array> &inputs, double seconds,
             Progress &progress) {
    constexpr int kTried = 2;
    const auto begin = std::chrono::steady_clock::now();
    record_in_turns(networks, inputs, kTried, "warming up", progress);
    return static_cast<int>(std::clamp(seconds / (seconds_since(begin) / kTried),
                                       double{kLeastRuns}, double{kMostRuns}));
}

}  // namespace

PlannedModel with_nests(const PlannedModel &planned,
                        const std::map<std::string, TunedNest> &nests) {
    TunedNests tuned;
    tuned.nests = nests;
    PlannedModel model = planned;
    take_tuned(model.networks.front(), tuned);
    return model;
}

std::map<std::string, TunedNest> choose_in_network(const PlannedModel &planned,
                                                   const CompileOptions &options,
                                                   const std::map<std::string, Finalist> &finalists,
                                                   double seconds, Progress &progress) {
    std::map<std::string, TunedNest> chosen;
    if (finalists.empty()) {
        return chosen;
    }
    progress.show(0, 0, "compiling the network with what was found");
    std::vector<LoadedNetwork> networks = variants(planned, options, finalists);
    const std::vector<Array> inputs = same_inputs(networks, planned.model.file);
    const int runs = runs_for(networks, inputs, seconds, progress);
    const auto recorded =
        record_in_turns(networks, inputs, runs, "choosing in the network", progress);
    const LaunchTimes times(planned.networks.front(), recorded);
    for (const auto &[problem, finalist] : finalists) {
        size_t fastest = 0;
        for (size_t variant = 1; variant <= finalist.nests.size(); variant++) {
            if (times.ms(problem, variant, 0) < times.ms(problem, fastest, 0)) {
                fastest = variant;
            }
        }
        const double ratio = times.ms(problem, fastest, 1) / times.ms(problem, 0, 1);
        if (fastest > 0 && ratio < kFaster) {
            chosen[problem] = {finalist.label, finalist.nests[fastest - 1], ratio};
        }
    }
    return chosen;
}

}  // namespace emulsion
