#include "bench/cost_examination.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "bench/statistics.h"

namespace emulsion {

namespace {

// The samples of `policy` that are parts of `whole`, by position, if they are all of it together.
std::vector<size_t> parts_of(const std::vector<CostSample> &samples, const CostSample &whole,
                             const std::string &policy) {
    std::vector<size_t> parts;
    size_t members = 0;
    for (size_t i = 0; i < samples.size(); i++) {
        const CostSample &part = samples[i];
        if (part.policy == policy && std::includes(whole.members.begin(), whole.members.end(),
                                                   part.members.begin(), part.members.end())) {
            parts.push_back(i);
            members += part.members.size();
        }
    }
    return members == whole.members.size() ? parts : std::vector<size_t>();
}

}  // namespace

std::vector<DecisionPair> decision_pairs(const SampledNetwork &network,
                                         const std::vector<double> &predicted) {
    std::set<std::string> policies;
    for (const CostSample &sample : network.samples) {
        policies.insert(sample.policy);
    }
    std::vector<DecisionPair> pairs;
    std::set<std::vector<std::vector<int>>> known;  // partitions of a group that were looked at
    for (size_t i = 0; i < network.samples.size(); i++) {
        const CostSample &whole = network.samples[i];
        for (const std::string &policy : policies) {
            const std::vector<size_t> parts = parts_of(network.samples, whole, policy);
            std::vector<std::vector<int>> partition;
            DecisionPair pair{network.model, whole.label, whole.ms, 0.0, predicted[i], 0.0};
            for (const size_t part : parts) {
                partition.push_back(network.samples[part].members);
                pair.apart_ms += network.samples[part].ms;
                pair.predicted_apart_ms += predicted[part];
            }
            if (parts.size() > 1 && known.insert(partition).second) {
                pairs.push_back(pair);
            }
        }
    }
    return pairs;
}

double DecisionPair::difference() const {
    return std::fabs(fused_ms - apart_ms) / std::min(fused_ms, apart_ms);
}

bool DecisionPair::agrees() const {
    return (fused_ms < apart_ms) == (predicted_fused_ms < predicted_apart_ms);
}

size_t CostExamination::decisive(double share) const {
    return static_cast<size_t>(std::count_if(
        pairs.begin(), pairs.end(), [&](const auto &pair) { return pair.difference() > share; }));
}

size_t CostExamination::agreeing(double share) const {
    return static_cast<size_t>(std::count_if(pairs.begin(), pairs.end(), [&](const auto &pair) {
        return pair.difference() > share && pair.agrees();
    }));
}

CostExamination examine(const std::vector<SampledNetwork> &networks, const Machine &machine) {
    std::vector<double> measured, modelled, operations, bytes, errors;
    CostExamination result;
    for (const SampledNetwork &network : networks) {
        const std::vector<double> predicted = predicted_ms(network, machine);
        for (size_t i = 0; i < predicted.size(); i++) {
            const CostSample &sample = network.samples[i];
            measured.push_back(sample.ms);
            modelled.push_back(predicted[i]);
            operations.push_back(sample.operations);
            bytes.push_back(sample.bytes);
            errors.push_back(std::fabs(predicted[i] - sample.ms) / sample.ms);
        }
        for (DecisionPair &pair : decision_pairs(network, predicted)) {
            result.pairs.push_back(std::move(pair));
        }
    }
    result.groups = measured.size();
    result.spearman = spearman(measured, modelled);
    result.operations_spearman = spearman(measured, operations);
    result.bytes_spearman = spearman(measured, bytes);
    result.median_error = summarise(std::move(errors)).median;
    return result;
}

std::string scatter_plot(const std::vector<SampledNetwork> &networks, const Machine &machine) {
    constexpr double kSize = 560.0, kMargin = 60.0;
    constexpr const char *kColours[] = {"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"};
    std::vector<std::pair<double, double>> points;  // decimal logarithms of measured, predicted
    std::vector<size_t> network_of;
    for (size_t n = 0; n < networks.size(); n++) {
        const std::vector<double> predicted = predicted_ms(networks[n], machine);
        for (size_t i = 0; i < predicted.size(); i++) {
            if (std::isfinite(predicted[i]) && predicted[i] > 0.0 &&
                networks[n].samples[i].ms > 0.0) {
                points.emplace_back(std::log10(networks[n].samples[i].ms),
                                    std::log10(predicted[i]));
                network_of.push_back(n);
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
                           kColours[network_of[i] % std::size(kColours)]);
    }
    return svg + "</g>\n</svg>\n";
}

}  // namespace emulsion
