#include "bench/classics/report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace emulsion::classics {

namespace {

const Entry *measured(const PipelineEntries &pipeline, const std::string &scheduler) {
    for (const Entry &entry : pipeline.entries) {
        if (entry.scheduler == scheduler && entry.failure.empty()) {
            return &entry;
        }
    }
    return nullptr;
}

std::vector<std::string> rivals(const std::vector<PipelineEntries> &all) {
    std::vector<std::string> names;
    for (const PipelineEntries &pipeline : all) {
        for (size_t i = 1; i < pipeline.entries.size(); i++) {
            const std::string &name = pipeline.entries[i].scheduler;
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    return names;
}

// Median of the fastest rival, infinite where none was measured.
double best_rival(const PipelineEntries &pipeline) {
    double best = std::numeric_limits<double>::infinity();
    for (size_t i = 1; i < pipeline.entries.size(); i++) {
        if (pipeline.entries[i].failure.empty()) {
            best = std::min(best, pipeline.entries[i].ms.median);
        }
    }
    return best;
}

}  // namespace

Comparison compare_with(const std::string &rival, const std::vector<PipelineEntries> &all) {
    Comparison comparison;
    double logarithms = 0.0;
    for (const PipelineEntries &pipeline : all) {
        const Entry *ours = measured(pipeline, pipeline.entries.front().scheduler);
        const Entry *theirs = measured(pipeline, rival);
        if (ours != nullptr && theirs != nullptr) {
            logarithms += std::log(ours->ms.median / theirs->ms.median);
            comparison.pipelines++;
        }
    }
    if (comparison.pipelines > 0) {
        comparison.mean = std::exp(logarithms / comparison.pipelines);
    }
    return comparison;
}

int wins(const std::vector<PipelineEntries> &all) {
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const auto &pipeline) {
        const Entry *ours = measured(pipeline, pipeline.entries.front().scheduler);
        return ours != nullptr && ours->ms.median <= best_rival(pipeline);
    }));
}

std::string render(const std::vector<PipelineEntries> &all) {
    std::string text =
        "| pipeline | scheduler | median ms | min ms | scheduling s | its peak MB |\n"
        "|---|---|---:|---:|---:|---:|\n";
    for (const PipelineEntries &pipeline : all) {
        for (const Entry &entry : pipeline.entries) {
            const std::string head = fmt::format("| {} | {} |", pipeline.pipeline, entry.scheduler);
            text += entry.failure.empty() ? fmt::format("{} {:.2f} | {:.2f} | {:.2f} | {:.0f} |\n",
                                                        head, entry.ms.median, entry.ms.min,
                                                        entry.schedule_s, entry.peak_mb)
                                          : fmt::format("{} {} | | | |\n", head, entry.failure);
        }
    }
    for (const std::string &rival : rivals(all)) {
        const Comparison comparison = compare_with(rival, all);
        text += fmt::format("\nGao2025 / {}: geometric mean {:.2f} of {} pipelines\n", rival,
                            comparison.mean, comparison.pipelines);
    }
    return text +
           fmt::format("\nnot slower than the best of them: {} of {}\n", wins(all), all.size());
}

Json to_json(const std::vector<PipelineEntries> &all) {
    Json json;
    for (const PipelineEntries &pipeline : all) {
        Json entries = Json::array();
        for (const Entry &entry : pipeline.entries) {
            entries.push_back({{"scheduler", entry.scheduler},
                               {"failure", entry.failure},
                               {"median_ms", entry.ms.median},
                               {"min_ms", entry.ms.min},
                               {"p90_ms", entry.ms.p90},
                               {"schedule_s", entry.schedule_s},
                               {"schedule_peak_mb", entry.peak_mb},
                               {"compile_s", entry.compile_s}});
        }
        json["pipelines"].push_back({{"pipeline", pipeline.pipeline}, {"entries", entries}});
    }
    for (const std::string &rival : rivals(all)) {
        const Comparison comparison = compare_with(rival, all);
        json["means"].push_back({{"rival", rival},
                                 {"geometric_mean", comparison.mean},
                                 {"pipelines", comparison.pipelines}});
    }
    json["not_slower_than_the_best"] = wins(all);
    return json;
}

}  // namespace emulsion::classics
