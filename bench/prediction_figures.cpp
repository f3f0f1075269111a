#include "bench/prediction_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bench/statistics.h"

namespace emulsion {

namespace {

bool has_both(const TimedPrediction &p) {
    return std::isfinite(p.predicted_ms) && p.predicted_ms > 0.0 && p.measured_ms > 0.0;
}

}  // namespace

double DecisionPair::difference() const {
    return std::fabs(first_ms - second_ms) / std::min(first_ms, second_ms);
}

bool DecisionPair::agrees() const {
    return (first_ms < second_ms) == (predicted_first_ms < predicted_second_ms);
}

double DecisionPair::error() const {
    return std::fabs(std::log(predicted_first_ms / predicted_second_ms * second_ms / first_ms));
}

size_t PredictionFigures::decisive(double share) const {
    return static_cast<size_t>(std::count_if(
        pairs.begin(), pairs.end(), [&](const auto &pair) { return pair.difference() > share; }));
}

size_t PredictionFigures::agreeing(double share) const {
    return static_cast<size_t>(std::count_if(pairs.begin(), pairs.end(), [&](const auto &pair) {
        return pair.difference() > share && pair.agrees();
    }));
}

double PredictionFigures::agreement(double share) const {
    const size_t all = decisive(share);
    return all == 0 ? 0.0 : static_cast<double>(agreeing(share)) / static_cast<double>(all);
}

PredictionFigures figures_of(const std::vector<TimedPrediction> &predictions,
                             std::vector<DecisionPair> pairs) {
    std::vector<double> measured, predicted, errors;
    for (const TimedPrediction &p : predictions) {
        measured.push_back(p.measured_ms);
        predicted.push_back(p.predicted_ms);
        errors.push_back(std::fabs(p.predicted_ms - p.measured_ms) / p.measured_ms);
    }
    PredictionFigures figures;
    figures.predictions = predictions.size();
    figures.spearman = spearman(measured, predicted);
    figures.median_error = summarise(std::move(errors)).median;
    figures.pairs = std::move(pairs);
    return figures;
}

double mean_log_error(const std::vector<TimedPrediction> &predictions) {
    double sum = 0.0;
    int count = 0;
    for (const TimedPrediction &p : predictions) {
        if (has_both(p)) {
            sum += std::fabs(std::log(p.predicted_ms / p.measured_ms));
            count++;
        }
    }
    return count == 0 ? 0.0 : sum / count;
}

double mean_log_error(const std::vector<DecisionPair> &pairs) {
    double sum = 0.0;
    int count = 0;
    for (const DecisionPair &pair : pairs) {
        if (pair.difference() > kDecisive && std::isfinite(pair.error())) {
            sum += pair.error();
            count++;
        }
    }
    return count == 0 ? 0.0 : sum / count;
}

std::string scatter_plot(const std::vector<TimedPrediction> &predictions) {
    constexpr double kSize = 560.0, kMargin = 60.0;
    constexpr const char *kColours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"};
    std::vector<std::pair<double, double>> points;  // decimal logarithms of measured, predicted
    std::vector<size_t> source_of;
    std::vector<std::string> sources;
    for (const TimedPrediction &p : predictions) {
        if (has_both(p)) {
            points.emplace_back(std::log10(p.measured_ms), std::log10(p.predicted_ms));
            const auto known = std::find(sources.begin(), sources.end(), p.source);
            source_of.push_back(static_cast<size_t>(known - sources.begin()));
            if (known == sources.end()) {
                sources.push_back(p.source);
            }
        }
    }
    double low = 0.0, high = 0.0;
    for (const auto &[x, y] : points) {
        low = std::min({low, std::floor(x), std::floor(y)});
        high = std::max({high, std::ceil(x), std::ceil(y)});
    }
    const auto place = [&](double value) {
        return (value - low) / std::max(high - low, 1.0) * kSize;
    };
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{0}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n<g transform=\"translate({1},{1})\">\n",
        kSize + 2 * kMargin, kMargin);
    for (int decade = static_cast<int>(low); decade <= static_cast<int>(high); decade++) {
        const double at = place(decade);
        svg += fmt::format("<path d=\"M{0:.1f} 0V{1}M0 {2:.1f}H{1}\" stroke=\"#ddd\"/>\n"
                           "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4:g}</text>\n"
                           "<text x=\"-6\" y=\"{2:.1f}\" text-anchor=\"end\">{4:g}</text>\n",
                           at, kSize, kSize - at, kSize + 18, std::pow(10.0, decade));
    }
    svg += fmt::format("<path d=\"M0 {0}L{0} 0\" stroke=\"#888\"/>\n"
                       "<text x=\"{1}\" y=\"{2}\" text-anchor=\"middle\">measured, ms</text>\n"
                       "<text transform=\"translate(-40,{1}) rotate(-90)\" "
                       "text-anchor=\"middle\">predicted, ms</text>\n",
                       kSize, kSize / 2, kSize + 40);
    for (size_t i = 0; i < points.size(); i++) {
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\" "
                           "fill-opacity=\"0.5\"/>\n",
                           place(points[i].first), kSize - place(points[i].second),
                           kColours[source_of[i] % std::size(kColours)]);
    }
    return svg + "</g>\n</svg>\n";
}

}  // namespace emulsion
