// Many random pipelines, several at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tests/pipelines/pipeline_trial.h"

namespace emulsion::test {

struct PipelineCampaign {
    uint64_t seed = 1;      // of the first; others follow
    int64_t pipelines = 0;  // at most; 0: any number
    double seconds = 300.0;
    int jobs = 2;
    PipelineSize size;
    PipelineLimits limits;
    std::string plugin;
    bool progress = false;  // findings on standard output, counts on standard error
};

struct PipelineCampaignEnd {
    int64_t pipelines = 0, stages = 0;
    std::map<std::string, int64_t> outcomes;
    std::map<std::string, int64_t> kinds;
    std::vector<std::pair<uint64_t, PipelineOutcome>> findings;  // by seed
    std::map<std::string, int64_t> unfit;                        // by what Halide says
    std::vector<double> scheduling_seconds, scheduling_bytes;    // of those that were scheduled
    double seconds = 0.0;
};

PipelineCampaignEnd run_pipelines(const PipelineCampaign &options);

// In a few lines; and all of it (schema emulsion-fuzz-pipelines).
std::string summary_of(const PipelineCampaignEnd &end);
nlohmann::ordered_json json_of(const PipelineCampaignEnd &end, const PipelineCampaign &options);

}  // namespace emulsion::test
