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

class Measuring {
public:
    Measuring(std::span<LoadedNetwork> networks, const std::vector<Array> &inputs,
              const Effort &effort, Progress &progress)
        : networks_(networks), effort_(effort), progress_(progress), inputs_(addresses(inputs)),
          order_(networks.size()) {
        for (const LoadedNetwork &network : networks) {
            arrays_.push_back(empty_outputs(network.artifact()));
        }
        for (std::vector<Array> &arrays : arrays_) {
            outputs_.push_back(addresses(arrays));
        }
        result_.times.resize(networks.size());
        std::iota(order_.begin(), order_.end(), size_t{0});
    }

    Measurement measure() {
        progress_.show(0, 0, "warming up");
        for (size_t index = 0; index < networks_.size(); index++) {
            for (int i = 0; i < effort_.warmup; i++) {
                run(index);
            }
        }
        start_ = Clock::now();
        for (int sitting = 0; sitting < kSittings && !enough(1.0); sitting++) {
            if (sitting > 0) {
                take_other_memory(networks_, random_);
            }
            result_.sittings.push_back(result_.times[0].size());
            const double part = static_cast<double>(sitting + 1) / kSittings;
            do {
                take_turns();
            } while (!enough(part));
        }
        progress_.clear();
        return std::move(result_);
    }

private:
    using Clock = std::chrono::steady_clock;

    int done() const { return static_cast<int>(result_.times[0].size()); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    // Whether `part` of the effort, at most 1, is done.
    bool enough(double part) const {
        return effort_.iterations > 0
                   ? done() >= part * effort_.iterations
                   : done() >= part * kLeastIterations && seconds() >= part * effort_.seconds;
    }

    void run(size_t index) { networks_[index].artifact().run(inputs_, outputs_[index]); }

    void shuffle() {
        for (size_t i = order_.size(); i > 1; i--) {
            std::swap(order_[i - 1], order_[random_() % i]);
        }
    }

    void take_turns() {
        show_progress();
        const int counted = effort_.iterations > 0
                                ? std::min(kRunsPerTurn, effort_.iterations - done())
                                : kRunsPerTurn;
        shuffle();
        for (const size_t index : order_) {
            check_interrupted();
            run(index);
            for (int i = 0; i < counted; i++) {
                const Clock::time_point begin = Clock::now();
                run(index);
                result_.times[index].push_back(
                    std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
            }
        }
    }

    void show_progress() {
        if (seconds() <= shown_ + 0.2) {
            return;
        }
        shown_ = seconds();
        if (effort_.iterations > 0) {
            progress_.show(done(), effort_.iterations, "measuring");
        } else {
            progress_.show(static_cast<int>(shown_), static_cast<int>(std::ceil(effort_.seconds)),
                           fmt::format("seconds of measuring, {} runs of each", done()));
        }
    }

    std::span<LoadedNetwork> networks_;
    const Effort &effort_;
    Progress &progress_;
    std::vector<const void *> inputs_;
    std::vector<std::vector<Array>> arrays_;
    std::vector<std::vector<void *>> outputs_;
    std::vector<size_t> order_;
    std::mt19937 random_;  // the same order in every process
    Clock::time_point start_;
    double shown_ = -1.0;
    Measurement result_;
};

}  // namespace

std::vector<std::vector<RecordedRun>> record_in_turns(std::span<LoadedNetwork> networks,
                                                      const std::vector<Array> &inputs, int runs,
                                                      const std::string &task, Progress &progress) {
    std::vector<std::vector<RecordedRun>> recorded(networks.size());
    const std::vector<const void *> from = addresses(inputs);
    const int runs_per_sitting = (runs + kSittings - 1) / kSittings;
    std::mt19937 random;
    for (int run = 0; run < runs; run++) {
        progress.show(run, runs, task);
        if (run % runs_per_sitting == 0) {
            take_other_memory(networks, random);
        }
        for (size_t i = 0; i < networks.size(); i++) {
            check_interrupted();
            Artifact &artifact = networks[i].artifact();
            std::vector<Array> outputs = empty_outputs(artifact);
            artifact.run(from, addresses(outputs));
            recorded[i].push_back(record_run(artifact, from, addresses(outputs)));
        }
    }
    progress.clear();
    return recorded;
}

double measuring_seconds(double asked, size_t before, double spent) {
    constexpr double kWhole = 1.5, kAfter = 0.05, kLeast = 0.5;  // kAfter: for the statistics
    const double models = static_cast<double>(before) + 1.0;
    return std::clamp((kWhole - kAfter) * asked * models - spent, kLeast * asked, asked);
}

Measurement measure(std::span<LoadedNetwork> networks, const std::vector<Array> &inputs,
                    const Effort &effort, Progress &progress) {
    return Measuring(networks, inputs, effort, progress).measure();
}

}  // namespace emulsion
