#include "bench/measure_unit.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/unit_library.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "bench/unit_buffers.h"
#include "bench/whole_network.h"
#include "frontend/lower/problem_key.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<InputSource> sources_of(const PlannedNetwork &network, const PlannedLaunch &launch) {
    std::vector<InputSource> sources;
    for (const int value : launch.inputs) {
        const TensorId id = network.value_tensor[static_cast<size_t>(value)];
        const Tensor &tensor = network.graph.tensor(id);
        const auto &given = network.graph.inputs;
        const bool is_given = std::find(given.begin(), given.end(), id) != given.end();
        sources.push_back({.made_by_unit = !tensor.is_constant() && !is_given,
                           .weight = tensor.is_constant() ? &tensor : nullptr});
    }
    return sources;
}

// What units are called with, and where.
class Sitting {
public:
    Sitting(const PlannedNetwork &network, const UnitLibrary &library,
            const std::vector<UnitTimes> &units, uint64_t seed)
        : library_(library), bytes_(bytes_of_all(network, units)), values_(bytes_.values),
          originals_(bytes_.originals), cold_(bytes_.cold) {
        const std::span<std::byte> values(values_.take(bytes_.values),
                                          static_cast<size_t>(bytes_.values));
        for (const UnitTimes &unit : units) {
            const PlannedLaunch &launch = network.launches[static_cast<size_t>(unit.launch)];
            buffers_.push_back(std::make_unique<UnitBuffers>(
                launch.unit, sources_of(network, launch), seed++, values, originals_, cold_));
        }
    }

    // Milliseconds of a run of unit `i`, which is launch `launch`'s.
    double run(size_t i, size_t launch) {
        UnitBuffers &buffers = *buffers_[i];
        for (const UnitBuffers::Copy &copy : buffers.copies()) {
            library_.copy(copy.to, copy.from);
        }
        const std::vector<void *> arguments = buffers.arguments();
        const Clock::time_point begin = Clock::now();
        library_.call(launch, arguments);
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    }

private:
    static UnitBytes bytes_of_all(const PlannedNetwork &network,
                                  const std::vector<UnitTimes> &units) {
        UnitBytes all;
        for (const UnitTimes &unit : units) {
            const PlannedLaunch &launch = network.launches[static_cast<size_t>(unit.launch)];
            const UnitBytes bytes = bytes_of(launch.unit, sources_of(network, launch));
            all.values = std::max(all.values, bytes.values);
            all.originals += bytes.originals;
            all.cold += bytes.cold;
        }
        return all;
    }

    const UnitLibrary &library_;
    UnitBytes bytes_;
    HugeMemory values_, originals_, cold_;
    std::vector<std::unique_ptr<UnitBuffers>> buffers_;
};

// Of the launches of every unit in the network.
void add_network_times(const PlannedNetwork &network, const WholeNetwork &whole,
                       std::vector<UnitTimes> &units) {
    std::map<std::string, std::vector<double>> times, fills;
    for (size_t i = 0; i < network.launches.size(); i++) {
        const std::string key = unit_key(network.launches[i].unit);
        times[key].push_back(summarise(whole.launch_ms(i)).median);
        fills[key].push_back(whole.fill_ms(i));
    }
    for (UnitTimes &unit : units) {
        unit.network_ms = summarise(times.at(unit.unit)).median;
        unit.fill_ms = summarise(fills.at(unit.unit)).median;
    }
}

}  // namespace

std::vector<UnitTimes> measure_units(const PlannedNetwork &network, const CompileOptions &options,
                                     const UnitMeasuring &measuring, WholeNetwork *whole,
                                     Progress &progress) {
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
        if (whole != nullptr) {
            whole->take_other_memory();
        }
        std::shuffle(order.begin(), order.end(), random);
        Sitting here(network, library, units, measuring.seed + static_cast<uint64_t>(sitting));
        for (int run = 0; run <= measuring.runs; run++) {
            progress.show(sitting * measuring.runs + run, measuring.sittings * measuring.runs,
                          "measuring units alone");
            if (whole != nullptr && run > 0) {
                whole->run();
            }
            for (const bool counts : {false, true}) {
                for (const size_t i : order) {
                    check_interrupted();
                    const double ms = here.run(i, static_cast<size_t>(units[i].launch));
                    if (counts && run > 0) {
                        units[i].ms.push_back(ms);
                    }
                }
            }
        }
    }
    progress.clear();
    if (whole != nullptr) {
        add_network_times(network, *whole, units);
    }
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
    fmt::print("{:>5}{:>11}{:>11}{:>13}{:>8}{:>9}  {}\n", "group", "alone ms", "min", "in network",
               "ratio", "halo ms", "operators");
    for (const UnitTimes &unit : units) {
        const Summary alone = summarise(unit.ms);
        const std::string ratio =
            unit.network_ms > 0.0 ? fmt::format("{:.3f}", alone.median / unit.network_ms) : "-";
        fmt::print("{:>5}{:>11.4f}{:>11.4f}{:>13.4f}{:>8}{:>9.4f}  {}\n", unit.launch, alone.median,
                   alone.min, unit.network_ms, ratio, unit.fill_ms, unit.label);
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
                        {"network_ms", unit.network_ms},
                        {"fill_ms", unit.fill_ms}});
    }
    return list;
}

}  // namespace emulsion
