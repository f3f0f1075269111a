#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/progress.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::vector<std::vector<double>> measure(std::span<LoadedNetwork> networks,
                                         const std::vector<Array> &inputs, const Effort &effort,
                                         Progress &progress) {
    std::vector<std::vector<Array>> outputs;
    for (const LoadedNetwork &network : networks) {
        outputs.push_back(empty_outputs(network.artifact()));
    }
    const std::vector<const void *> from = addresses(inputs);
    std::vector<std::vector<void *>> to;
    for (std::vector<Array> &arrays : outputs) {
        to.push_back(addresses(arrays));
    }
    const auto run = [&](size_t index) { networks[index].artifact().run(from, to[index]); };
    for (size_t index = 0; index < networks.size(); index++) {
        progress.show(0, 0, "warming up");
        for (int i = 0; i < effort.warmup; i++) {
            run(index);
        }
    }
    std::vector<std::vector<double>> times(networks.size());
    std::vector<size_t> order(networks.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::mt19937 random;  // the same order in every process
    const Clock::time_point start = Clock::now();
    double shown = -1.0;
    const auto enough = [&](int done) {
        return effort.iterations > 0
                   ? done >= effort.iterations
                   : done >= kLeastIterations && seconds_since(start) >= effort.seconds;
    };
    for (int done = 0; !enough(done);) {
        if (seconds_since(start) > shown + 0.2) {
            shown = seconds_since(start);
            if (effort.iterations > 0) {
                progress.show(done, effort.iterations, "measuring");
            } else {
                progress.show(static_cast<int>(shown), static_cast<int>(std::ceil(effort.seconds)),
                              fmt::format("seconds of measuring, {} runs of each", done));
            }
        }
        const int counted =
            effort.iterations > 0 ? std::min(kRunsPerTurn, effort.iterations - done) : kRunsPerTurn;
        for (size_t i = order.size(); i > 1; i--) {
            std::swap(order[i - 1], order[random() % i]);
        }
        for (const size_t index : order) {
            check_interrupted();
            run(index);
            for (int i = 0; i < counted; i++) {
                const Clock::time_point begin = Clock::now();
                run(index);
                times[index].push_back(seconds_since(begin) * 1e3);
            }
        }
        done += counted;
    }
    progress.clear();
    return times;
}

}  // namespace emulsion
