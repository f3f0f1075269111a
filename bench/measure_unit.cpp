#include "bench/measure_unit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <random>
#include <set>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/unit_library.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "bench/unit_buffers.h"
#include "frontend/lower/problem_key.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kMostTraffic = int64_t{256} << 20;  // no cache is larger
constexpr size_t kCacheLine = 64;

std::vector<bool> constant_inputs(const PlannedNetwork &network, const PlannedLaunch &launch) {
    std::vector<bool> constant;
    for (const int value : launch.inputs) {
        const TensorId id = network.value_tensor[static_cast<size_t>(value)];
        constant.push_back(network.graph.tensor(id).is_constant());
    }
    return constant;
}

class Sitting {
public:
    Sitting(const PlannedNetwork &network, const UnitLibrary &library,
            const std::vector<UnitTimes> &units, uint64_t seed)
        : library_(library) {
        for (const UnitTimes &unit : units) {
            const PlannedLaunch &launch = network.launches[static_cast<size_t>(unit.launch)];
            buffers_.push_back(std::make_unique<UnitBuffers>(
                launch.unit, constant_inputs(network, launch), seed++));
            weights_ += buffers_.back()->weights_bytes();
        }
        passing_.assign(static_cast<size_t>(std::min(weights_, kMostTraffic)), std::byte{1});
    }

    // Milliseconds of a run of unit `i`, which is launch `launch`'s.
    double run(size_t i, size_t launch) {
        let_pass(weights_ - buffers_[i]->weights_bytes());
        buffers_[i]->warm_inputs();
        const std::vector<void *> arguments = buffers_[i]->arguments();
        const Clock::time_point begin = Clock::now();
        library_.call(launch, arguments);
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    }

private:
    void let_pass(int64_t bytes) const {
        const auto end = std::min(static_cast<size_t>(bytes), passing_.size());
        for (size_t i = 0; i < end; i += kCacheLine) {
            static_cast<void>(*static_cast<const volatile std::byte *>(passing_.data() + i));
        }
    }

    const UnitLibrary &library_;
    std::vector<std::unique_ptr<UnitBuffers>> buffers_;
    std::vector<std::byte> passing_;
    int64_t weights_ = 0;
};

}  // namespace

std::vector<UnitTimes> measure_units(const PlannedNetwork &network, const CompileOptions &options,
                                     const UnitMeasuring &measuring, Progress &progress) {
    const UnitLibrary library(network, options);
    std::vector<UnitTimes> units;
    std::set<std::string> known;
    for (size_t i = 0; i < network.launches.size(); i++) {
        const PlannedLaunch &launch = network.launches[i];
        if (const std::string key = unit_key(launch.unit); known.insert(key).second) {
            units.push_back({static_cast<int>(i), launch.label, problem_key(launch.unit), key, {}});
            units.back().shrunk = library.built().units.at(key).shrunk.has_value();
        }
    }
    std::vector<size_t> order(units.size());
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = i;
    }
    std::mt19937 random;
    for (int sitting = 0; sitting < measuring.sittings; sitting++) {
        Sitting here(network, library, units, measuring.seed + static_cast<uint64_t>(sitting));
        for (int run = 0; run <= measuring.runs; run++) {
            progress.show(sitting * measuring.runs + run, measuring.sittings * measuring.runs,
                          "measuring units alone");
            std::shuffle(order.begin(), order.end(), random);
            for (const size_t i : order) {
                check_interrupted();
                const double ms = here.run(i, static_cast<size_t>(units[i].launch));
                if (run > 0) {  // the first finds its code and memory nowhere
                    units[i].ms.push_back(ms);
                }
            }
        }
    }
    progress.clear();
    return units;
}

AloneAgreement agreement(const std::vector<UnitTimes> &units, double least_ms) {
    std::vector<double> alone, inside, differences;
    for (const UnitTimes &unit : units) {
        if (unit.network_ms >= least_ms && unit.network_ms > 0.0) {
            alone.push_back(summarise(unit.ms).median);
            inside.push_back(unit.network_ms);
            differences.push_back(std::fabs(alone.back() - inside.back()) / inside.back());
        }
    }
    return {alone.size(), summarise(std::move(differences)).median, spearman(alone, inside)};
}

void print_units(const std::vector<UnitTimes> &units) {
    fmt::print("{:>5}{:>11}{:>11}{:>13}{:>8}  {}\n", "group", "alone ms", "min", "in network",
               "ratio", "operators");
    for (const UnitTimes &unit : units) {
        const Summary alone = summarise(unit.ms);
        const std::string ratio =
            unit.network_ms > 0.0 ? fmt::format("{:.3f}", alone.median / unit.network_ms) : "-";
        fmt::print("{:>5}{:>11.4f}{:>11.4f}{:>13.4f}{:>8}  {}\n", unit.launch, alone.median,
                   alone.min, unit.network_ms, ratio, unit.label);
    }
}

Json to_json(const std::vector<UnitTimes> &units) {
    Json list = Json::array();
    for (const UnitTimes &unit : units) {
        const Summary alone = summarise(unit.ms);
        list.push_back({{"group", unit.launch},
                        {"label", unit.label},
                        {"problem", unit.problem},
                        {"unit", unit.unit},
                        {"median_ms", alone.median},
                        {"min_ms", alone.min},
                        {"runs", unit.ms.size()},
                        {"network_ms", unit.network_ms}});
    }
    return list;
}

}  // namespace emulsion
