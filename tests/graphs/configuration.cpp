#include "tests/graphs/configuration.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "frontend/graph/pass.h"
#include "fusion/policy.h"
#include "tests/lower/cpu_targets.h"

namespace emulsion::test {

namespace {

// Machines on which other placements are the cheapest: panels, whole values, recomputation, views.
const std::map<std::string, MachineConstants> kMachines = {
    {"typical", {}},
    {"slow launches",
     {{"launch_cycles", 1e9}, {"shared_bytes_per_cycle", 0.01}, {"memory_bytes_per_cycle", 0.01}}},
    {"slow loops",
     {{"launch_cycles", 0.0}, {"nest_slowdown", 100.0}, {"operations_per_cycle", 0.01}}},
    {"slow products", {{"nest_slowdown", 100.0}}},  // other implementations of convolutions
    {"small caches", {{"l2_bytes", 1 << 12}, {"l3_bytes", 1 << 12}}},
    {"free crossings", {{"crossing_cycles", 0.0}}},
    {"dear crossings", {{"crossing_cycles", 1e6}}}};

// Halide's names of what the processor has, in /proc/cpuinfo's words, is the compiler's own question.

}  // namespace

std::string Configuration::name() const {
    std::string text = "--policy " + plan.policy + " --target " + plan.target;
    text += fmt::format(" --threads {}", plan.threads);
    text += plan.checked ? " --checked" : "";
    text += plan.exact ? " --exact" : "";
    for (const std::string &pass : disabled_passes) {
        text += " --disable-pass " + pass;
    }
    text += jobs > 0 ? fmt::format(" --jobs {}", jobs) : "";
    return text + (machine == "typical" ? "" : " --machine " + machine);
}

Configuration parse_configuration(const std::string &name) {
    Configuration result;
    std::istringstream words(name);
    std::string word;
    while (words >> word) {
        if (word == "--checked") {
            result.plan.checked = true;
            continue;
        }
        if (word == "--exact") {
            result.plan.exact = true;
            continue;
        }
        std::string value;
        words >> value;
        if (word == "--policy") {
            result.plan.policy = value;
        } else if (word == "--target") {
            result.plan.target = value;
        } else if (word == "--threads") {
            result.plan.threads = std::stoi(value);
        } else if (word == "--disable-pass") {
            result.disabled_passes.insert(value);
        } else if (word == "--jobs") {
            result.jobs = std::stoi(value);
        } else if (word == "--machine") {
            std::string rest;
            std::getline(words, rest);
            result.machine = value + rest;
            if (kMachines.count(result.machine) == 0) {
                throw Error(fmt::format("there is no machine '{}' to plan for", result.machine));
            }
            result.plan.machine = kMachines.at(result.machine);
        } else {
            throw Error(fmt::format("a configuration does not have '{}'", word));
        }
    }
    return result;
}

Configuration random_configuration(Draw &draw, const std::vector<std::string> &targets) {
    Configuration result;
    std::vector<std::string> policies;
    for (const Policy *policy : all_policies()) {
        policies.push_back(policy->name);
    }
    result.plan.policy = draw.flip() ? "gao2025" : draw.of(policies);
    result.plan.target = draw.of(targets);
    result.plan.threads = draw.of<int>({1, 2, 4, 16});
    result.plan.checked = draw.one_in(3);
    result.plan.exact = draw.one_in(4);
    const auto passes = all_passes();
    if (draw.one_in(2)) {
        result.disabled_passes.insert(passes[static_cast<size_t>(draw.below(passes.size()))]->name);
    }
    if (draw.one_in(4)) {
        result.jobs = draw.of<int>({1, 2});
    }
    if (draw.one_in(3)) {
        auto machine = kMachines.begin();
        std::advance(machine, draw.below(kMachines.size()));
        result.machine = machine->first;
        result.plan.machine = machine->second;
    }
    return result;
}

}  // namespace emulsion::test
