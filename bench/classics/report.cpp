#include "bench/classics/report.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "bench/classics/schedulers.h"
#include "fusion/geometric_mean.h"

namespace emulsion::classics {

namespace {

constexpr std::array<const char *, 12> kFirst = {
    "bilateral_grid",         "box_blur",         "camera_pipe",    "harris_corners",
    "histogram_equalisation", "local_laplacian",  "matrix_product", "max_filter",
    "non_local_means",        "recursive_filter", "stencil_chain",  "unsharp_mask"};

constexpr double kNever = std::numeric_limits<double>::infinity();

// Median time, infinite where there is none.
double time_of(const PipelineEntries &pipeline, const std::string &scheduler) {
    for (const Entry &entry : pipeline.entries) {
        if (entry.scheduler == scheduler && entry.failure.empty()) {
            return entry.ms.median;
        }
    }
    return kNever;
}

double our_time(const PipelineEntries &pipeline) {
    return pipeline.entries.empty() ? kNever
                                    : time_of(pipeline, pipeline.entries.front().scheduler);
}

// All but us, in the order of their first mention.
std::vector<std::string> others(const std::vector<PipelineEntries> &all) {
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

double best_rival(const PipelineEntries &pipeline) {
    double best = kNever;
    for (const std::string &name : others({pipeline})) {
        best = name == kManual ? best : std::min(best, time_of(pipeline, name));
    }
    return best;
}

Comparison compare(const std::vector<PipelineEntries> &all,
                   const std::function<double(const PipelineEntries &)> &their_time) {
    Comparison comparison;
    std::vector<double> ratios;
    for (const PipelineEntries &pipeline : all) {
        const double ours = our_time(pipeline), theirs = their_time(pipeline);
        if (ours == kNever || theirs == kNever) {
            continue;
        }
        ratios.push_back(ours / theirs);
        if (ours / theirs > comparison.largest) {
            comparison.largest = ours / theirs;
            comparison.worst = pipeline.pipeline;
        }
    }
    comparison.pipelines = static_cast<int>(ratios.size());
    if (!ratios.empty()) {
        comparison.mean = geometric_mean(ratios);
    }
    return comparison;
}

std::string cell(double ms) { return ms == kNever ? "failed" : fmt::format("{:.3g}", ms); }

std::string ratio_cell(double ours, double theirs) {
    return ours == kNever || theirs == kNever ? "" : fmt::format("{:.2f}", ours / theirs);
}

bool has_entry(const PipelineEntries &pipeline, const std::string &scheduler) {
    return std::any_of(pipeline.entries.begin(), pipeline.entries.end(),
                       [&](const Entry &entry) { return entry.scheduler == scheduler; });
}

std::string row(const PipelineEntries &pipeline, const std::vector<std::string> &names) {
    const double ours = our_time(pipeline), best = best_rival(pipeline);
    std::string text = fmt::format("| {} | {} |", pipeline.pipeline, cell(ours));
    for (const std::string &name : names) {
        text += has_entry(pipeline, name) ? " " + cell(time_of(pipeline, name)) + " |" : " |";
    }
    return text + fmt::format(" {} | {} | {:.2f} |\n", ratio_cell(ours, best),
                              ratio_cell(ours, time_of(pipeline, kManual)),
                              pipeline.entries.front().schedule_s);
}

// Of those that are compared with the others.
std::string our_name(const Suite &suite) {
    const std::vector<Entry> &entries = suite.pipelines.front().entries;
    return entries.empty() ? "Gao2025" : entries.front().scheduler;
}

std::string means(const Suite &suite, const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names) {
        const Comparison c = compare_with(name, suite.pipelines);
        text += c.pipelines == 0
                    ? ""
                    : fmt::format("\n{} / {}: geometric mean {:.2f} of {} "
                                  "pipelines, at most {:.2f} ({})\n",
                                  our_name(suite), name, c.mean, c.pipelines, c.largest, c.worst);
    }
    const Comparison best = compare_with_best(suite.pipelines);
    text += fmt::format("\nnot slower than the best autoscheduler: {} of {}", wins(suite.pipelines),
                        suite.pipelines.size());
    return text + (best.pipelines == 0 ? "\n"
                                       : fmt::format("; at most {:.2f} times its time ({})\n",
                                                     best.largest, best.worst));
}

std::string table(const Suite &suite, const std::vector<std::string> &names) {
    std::string head = fmt::format("| ms, {} pipelines | {} |", suite.name, our_name(suite)),
                line = "|---|---:|";
    for (const std::string &name : names) {
        head += " " + name + " |";
        line += "---:|";
    }
    std::string text =
        head + " / best rival | / manual | scheduling s |\n" + line + "---:|---:|---:|\n";
    for (const PipelineEntries &pipeline : suite.pipelines) {
        text += row(pipeline, names);
    }
    return text + means(suite, names);
}

std::string failures(const std::vector<PipelineEntries> &all) {
    std::string text;
    for (const PipelineEntries &pipeline : all) {
        for (const Entry &entry : pipeline.entries) {
            text += entry.failure.empty() ? ""
                                          : fmt::format("\nfailed: {} of {}: {}\n", entry.scheduler,
                                                        pipeline.pipeline, entry.failure);
        }
    }
    return text;
}

Json comparison_json(const Comparison &comparison) {
    return {{"geometric_mean", comparison.mean},
            {"largest", comparison.largest},
            {"worst", comparison.worst},
            {"pipelines", comparison.pipelines}};
}

Json means_json(const std::vector<PipelineEntries> &all) {
    Json means = Json::array();
    for (const std::string &rival : others(all)) {
        means.push_back(comparison_json(compare_with(rival, all)));
        means.back()["rival"] = rival;
    }
    return means;
}

Json entry_json(const Entry &entry) {
    return {{"scheduler", entry.scheduler},
            {"failure", entry.failure},
            {"median_ms", entry.ms.median},
            {"min_ms", entry.ms.min},
            {"p90_ms", entry.ms.p90},
            {"schedule_s", entry.schedule_s},
            {"schedule_peak_mb", entry.peak_mb},
            {"compile_s", entry.compile_s}};
}

Entry entry_from(const Json &json) {
    Entry entry{.scheduler = json.at("scheduler"), .failure = json.at("failure")};
    entry.schedule_s = json.at("schedule_s");
    entry.peak_mb = json.at("schedule_peak_mb");
    entry.compile_s = json.at("compile_s");
    entry.ms.median = json.at("median_ms");
    entry.ms.p90 = json.at("p90_ms");
    entry.ms.min = json.at("min_ms");
    return entry;
}

}  // namespace

std::vector<Suite> suites_of(const std::vector<PipelineEntries> &all) {
    Suite first{"first", {}}, later{"new", {}};
    for (const PipelineEntries &pipeline : all) {
        const bool is_first =
            std::find(kFirst.begin(), kFirst.end(), pipeline.pipeline) != kFirst.end();
        (is_first ? first : later).pipelines.push_back(pipeline);
    }
    std::vector<Suite> suites;
    for (Suite &suite : std::array{first, later}) {
        if (!suite.pipelines.empty()) {
            suites.push_back(std::move(suite));
        }
    }
    return suites;
}

Comparison compare_with(const std::string &rival, const std::vector<PipelineEntries> &all) {
    return compare(all, [&](const PipelineEntries &pipeline) { return time_of(pipeline, rival); });
}

Comparison compare_with_best(const std::vector<PipelineEntries> &all) {
    return compare(all, best_rival);
}

Comparison compare_with_best_known(const std::vector<PipelineEntries> &all) {
    return compare(all, [](const PipelineEntries &pipeline) {
        const double manual = time_of(pipeline, kManual);
        return manual == kNever ? kNever : std::min(manual, best_rival(pipeline));
    });
}

int wins(const std::vector<PipelineEntries> &all) {
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const auto &pipeline) {
        return our_time(pipeline) != kNever && our_time(pipeline) <= best_rival(pipeline);
    }));
}

std::string render(const std::vector<PipelineEntries> &all) {
    std::string text;
    const std::vector<std::string> names = others(all);
    for (const Suite &suite : suites_of(all)) {
        text += table(suite, names) + "\n";
    }
    const Comparison known = compare_with_best_known(all);
    if (known.pipelines > 0) {
        text += fmt::format("Gao2025 / the best schedule known, of {} pipelines scheduled by hand: "
                            "geometric mean {:.2f}, at most {:.2f} ({})\n",
                            known.pipelines, known.mean, known.largest, known.worst);
    }
    return text + failures(all);
}

Json to_json(const std::vector<PipelineEntries> &all) {
    Json json;
    for (const PipelineEntries &pipeline : all) {
        Json entries = Json::array();
        for (const Entry &entry : pipeline.entries) {
            entries.push_back(entry_json(entry));
        }
        json["pipelines"].push_back({{"pipeline", pipeline.pipeline}, {"entries", entries}});
    }
    json["means"] = means_json(all);
    json["not_slower_than_the_best"] = wins(all);
    for (const Suite &suite : suites_of(all)) {
        json["suites"].push_back(
            {{"suite", suite.name},
             {"pipelines", suite.pipelines.size()},
             {"means", means_json(suite.pipelines)},
             {"best_rival", comparison_json(compare_with_best(suite.pipelines))},
             {"not_slower_than_the_best", wins(suite.pipelines)}});
    }
    json["best_known"] = comparison_json(compare_with_best_known(all));
    return json;
}

std::vector<PipelineEntries> from_json(const Json &json) {
    std::vector<PipelineEntries> all;
    for (const Json &pipeline : json.at("pipelines")) {
        all.push_back({pipeline.at("pipeline"), {}});
        for (const Json &entry : pipeline.at("entries")) {
            all.back().entries.push_back(entry_from(entry));
        }
    }
    return all;
}

}  // namespace emulsion::classics
