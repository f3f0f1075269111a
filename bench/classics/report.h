// What the measurements say: one row for each pipeline and scheduler, and means over the pipelines.
#pragma once

#include <string>
#include <vector>

#include "bench/json_file.h"
#include "bench/statistics.h"

namespace emulsion::classics {

struct Entry {
    std::string scheduler;
    std::string failure;  // empty: it was measured
    double schedule_s = 0.0, peak_mb = 0.0, compile_s = 0.0;
    Summary ms;
};

struct PipelineEntries {
    std::string pipeline;
    std::vector<Entry> entries;  // Gao2025 first
};

// Of our run times over those of `rival`, by medians, where both were measured.
struct Comparison {
    double mean = 0.0;  // geometric; 0 without pipelines
    int pipelines = 0;
};
Comparison compare_with(const std::string &rival, const std::vector<PipelineEntries> &all);

// Pipelines on which we are not slower than the fastest rival; those that no rival managed count.
int wins(const std::vector<PipelineEntries> &all);

// A Markdown table, then the means.
std::string render(const std::vector<PipelineEntries> &all);
Json to_json(const std::vector<PipelineEntries> &all);

}  // namespace emulsion::classics
