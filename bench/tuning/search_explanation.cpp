#include "bench/tuning/search_explanation.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/statistics.h"

namespace emulsion {

namespace {

constexpr size_t kImportances = 12;

struct Origin {
    OriginFigures figures;
    std::vector<double> ratios;
};

void count(const std::vector<TriedPoint> &tried, std::map<std::string, Origin> &origins) {
    double best = 1.0;
    for (const TriedPoint &point : tried) {
        Origin &origin = origins[point.origin];
        origin.figures.trials++;
        if (point.outcome != Outcome::Ok) {
            continue;
        }
        origin.figures.ok++;
        origin.ratios.push_back(point.ratio);
        if (point.ratio < best) {
            origin.figures.improved++;
            best = point.ratio;
        }
    }
}

// Of one group; nothing where there are too few.
void correlate(const std::vector<TriedPoint> &tried, SearchExplanation &explanation) {
    constexpr size_t kFewest = 3;
    std::vector<double> predicted, measured;
    for (const TriedPoint &point : tried) {
        if (point.predicted && point.outcome == Outcome::Ok) {
            predicted.push_back(*point.predicted);
            measured.push_back(1.0 / point.ratio);
        }
    }
    if (predicted.size() >= kFewest) {
        explanation.predicted += static_cast<int>(predicted.size());
        explanation.rank_correlation +=
            static_cast<double>(predicted.size()) * spearman(predicted, measured);
    }
}

}  // namespace

SearchExplanation explain_search(const TunedNetwork &tuned) {
    SearchExplanation explanation;
    std::map<std::string, Origin> origins;
    for (const SearchedTask &task : tuned.tasks) {
        count(task.tried, origins);
        correlate(task.tried, explanation);
    }
    explanation.rank_correlation /= std::max(explanation.predicted, 1);
    for (auto &[name, origin] : origins) {
        origin.figures.origin = name;
        origin.figures.median_ratio = summarise(origin.ratios).median;
        explanation.origins.push_back(origin.figures);
    }
    std::stable_sort(
        explanation.origins.begin(), explanation.origins.end(),
        [](const OriginFigures &a, const OriginFigures &b) { return a.trials > b.trials; });
    explanation.importances = tuned.importances;
    explanation.importances.resize(std::min(explanation.importances.size(), kImportances));
    return explanation;
}

void print_explanation(const SearchExplanation &explanation) {
    fmt::print("\n{:>8}{:>8}{:>10}{:>15}  {}\n", "trials", "right", "improved", "median ratio",
               "proposed because");
    for (const OriginFigures &origin : explanation.origins) {
        fmt::print("{:>8}{:>8}{:>10}{:>15.3f}  {}\n", origin.trials, origin.ok, origin.improved,
                   origin.median_ratio, origin.origin);
    }
    if (explanation.predicted > 0) {
        fmt::print("of {} trials that a model proposed, ranks of predicted and measured throughput "
                   "correlate with {:.2f}\n",
                   explanation.predicted, explanation.rank_correlation);
    }
    if (!explanation.importances.empty()) {
        fmt::print("\nwhat the model looks at:\n");
        for (const auto &[name, share] : explanation.importances) {
            fmt::print("{:>7.1f} %  {}\n", 100.0 * share, name);
        }
    }
}

}  // namespace emulsion
