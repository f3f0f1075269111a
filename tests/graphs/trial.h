// One random graph under its configurations, in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "tests/graphs/configuration.h"
#include "tests/graphs/forked.h"
#include "tests/graphs/graph_maker.h"

namespace emulsion::test {

struct ConfigurationEnd {
    std::string configuration;
    std::string outcome;  // right, refused, wrong, or what ended the process
    std::string text;
    double seconds = 0.0;

    bool is_finding() const { return outcome != "right" && outcome != "refused"; }
    // What a smaller graph has to have in common with this one: the text without names and numbers, or what ended
    // the process.
    std::string kind() const;
};

struct TrialEnd {
    uint64_t seed = 0;
    size_t nodes = 0;
    Coverage coverage;
    std::vector<ConfigurationEnd> ends;
    double seconds = 0.0;
};

// `none`, `gao2025` and one at random.
std::vector<Configuration> configurations_of(uint64_t seed,
                                             const std::vector<std::string> &targets);

// Files go into a folder in `folder`, compiled units into its `cache`.
Forked start_trial(uint64_t seed, const std::vector<Configuration> &configurations,
                   size_t most_nodes, const std::string &folder, double most_seconds);
Forked start_trial(const GraphCase &example, const std::vector<Configuration> &configurations,
                   const std::string &folder, double most_seconds);
TrialEnd end_of(const ForkedEnd &end);

}  // namespace emulsion::test
