// What the measurements say: one row for each pipeline, and means over the pipelines of each suite.
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
    std::vector<Entry> entries;  // Gao2025 first; rivals; the schedule by hand, which is no rival
};

// Pipelines that limits are stated for together.
struct Suite {
    std::string
        name;  // "first": the twelve that Gao2025 was made with; "new": those that came later
    std::vector<PipelineEntries> pipelines;
};
// Without those that are empty.
std::vector<Suite> suites_of(const std::vector<PipelineEntries> &all);

// Of our run times over others', by medians, where both were measured.
struct Comparison {
    double mean = 0.0;     // geometric; 0 without pipelines
    double largest = 0.0;  // of `worst`
    std::string worst;     // a pipeline
    int pipelines = 0;
};
Comparison compare_with(const std::string &rival, const std::vector<PipelineEntries> &all);
// With the fastest rival of each pipeline.
Comparison compare_with_best(const std::vector<PipelineEntries> &all);
// With the fastest of all, of the pipelines that were scheduled by hand too.
Comparison compare_with_best_known(const std::vector<PipelineEntries> &all);

// Pipelines on which we are not slower than the fastest rival; those that no rival managed count.
int wins(const std::vector<PipelineEntries> &all);

// A Markdown table for each suite with its means; then why entries are missing.
std::string render(const std::vector<PipelineEntries> &all);
Json to_json(const std::vector<PipelineEntries> &all);
// The entries of such a document.
std::vector<PipelineEntries> from_json(const Json &json);

}  // namespace emulsion::classics
