#include "bench/measure_unit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/unit_library.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "bench/unit_sitting.h"
#include "bench/whole_network.h"
#include "frontend/lower/problem_key.h"

namespace emulsion {

namespace {

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
    std::vector<size_t> order(units.size()), launches(units.size());
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = i;
        launches[i] = static_cast<size_t>(units[i].launch);
    }
    std::mt19937 random;
    for (int sitting = 0; sitting < measuring.sittings; sitting++) {
        if (whole != nullptr) {
            whole->take_other_memory();
        }
        std::shuffle(order.begin(), order.end(), random);
        UnitSitting here(network, library, launches,
                         measuring.seed + static_cast<uint64_t>(sitting), UnitSitting::Inputs::Own);
        for (int run = 0; run <= measuring.runs; run++) {
            progress.show(sitting * measuring.runs + run, measuring.sittings * measuring.runs,
                          "measuring units alone");
            if (whole != nullptr && run > 0) {
                whole->run();
            }
            for (const bool counts : {false, true}) {
                for (const size_t i : order) {
                    check_interrupted();
                    const double ms = here.run(i);
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
