// Many random graphs, several at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/graphs/trial.h"

namespace emulsion::test {

struct CampaignOptions {
    uint64_t seed = 1;
    int64_t graphs = 0;  // at most; 0: as many as there is time for
    double seconds = 60.0;
    size_t most_nodes = 60;
    int jobs = 1;
    std::vector<std::string> targets;
    std::string folder;    // for temporary files; it must exist
    std::string findings;  // folder; empty: nothing is shrunk or written
    double shrink_seconds = 120.0;
    double most_seconds = 300.0;  // for one graph
    bool progress = true;         // on stderr
    bool stop_at_first = false;
};

struct Finding {
    uint64_t seed = 0;
    ConfigurationEnd end;
    size_t nodes = 0;   // of the shrunk graph
    std::string model;  // its file
};

constexpr double kMostRefused = 0.05;  // of all runs

struct CampaignEnd {
    int64_t graphs = 0, nodes = 0, runs = 0, refused = 0;
    struct Refused {
        int64_t count = 0;
        std::string example;  // its seed, configuration and sentence
    };
    std::map<std::string, Refused> refusals;  // by reason
    Coverage coverage;
    Coverage configurations;  // kind of operators, and part of a configuration
    std::vector<Finding> findings;
    double seconds = 0.0;

    // Graphs that are refused show nothing: where most are, a clean campaign is none.
    bool refuses_too_much() const {
        return static_cast<double>(refused) > kMostRefused * static_cast<double>(runs);
    }
};

CampaignEnd run_campaign(const CampaignOptions &options);

}  // namespace emulsion::test
