#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace emulsion {

namespace {

// Ranks from 1, the mean of them for equal values.
std::vector<double> ranks_of(const std::vector<double> &sample) {
    std::vector<size_t> order(sample.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return sample[a] < sample[b]; });
    std::vector<double> ranks(sample.size());
    for (size_t first = 0; first < order.size();) {
        size_t end = first;
        while (end < order.size() && sample[order[end]] == sample[order[first]]) {
            end++;
        }
        for (size_t i = first; i < end; i++) {
            ranks[order[i]] = static_cast<double>(first + 1 + end) / 2.0;
        }
        first = end;
    }
    return ranks;
}

constexpr size_t kResamples = 1000;

// Pairs of which the medians of resamples are taken: a part of all where there are many.
class ResampledPairs {
public:
    ResampledPairs(const std::vector<double> &over, const std::vector<double> &under,
                   const std::vector<size_t> &clusters) {
        const size_t count = std::min(over.size(), under.size());
        const size_t stride = (count + kMostResampledPairs - 1) / kMostResampledPairs;
        for (size_t n = 0; n < clusters.size(); n++) {
            const size_t end = n + 1 < clusters.size() ? clusters[n + 1] : count;
            if (clusters[n] < end) {
                clusters_.push_back(over_.values.size());
            }
            // One out of each stretch, by chance: runs that come round again (the first of every turn)
            // are as frequent among the chosen as among all.
            for (size_t first = clusters[n]; first < end; first += stride) {
                const size_t pair = first + below(std::min(stride, end - first));
                over_.values.push_back(over[pair]);
                under_.values.push_back(under[pair]);
            }
        }
        clusters_.push_back(over_.values.size());
        over_.sort();
        under_.sort();
        weights_.assign(over_.values.size(), 1);
    }

    // Of all pairs, or of those that resample() drew last.
    double ratio_of_medians() const { return over_.median(weights_) / under_.median(weights_); }

    void resample() {
        std::fill(weights_.begin(), weights_.end(), size_t{0});
        for (size_t n = 0; n + 1 < clusters_.size(); n++) {
            const size_t chosen = below(clusters_.size() - 1);
            const size_t first = clusters_[chosen];
            const size_t size = clusters_[chosen + 1] - first;
            for (size_t m = 0; m < size; m++) {
                weights_[first + below(size)]++;
            }
            draws_ += size;
        }
    }

    size_t draws() const { return draws_; }

private:
    // Sorted once: the median of a resample is found by adding up how often each value was drawn.
    struct Side {
        std::vector<double> values;
        std::vector<size_t> order;

        void sort() {
            order.resize(values.size());
            std::iota(order.begin(), order.end(), size_t{0});
            std::sort(order.begin(), order.end(),
                      [this](size_t a, size_t b) { return values[a] < values[b]; });
        }

        double median(const std::vector<size_t> &weights) const {
            const size_t total = std::accumulate(weights.begin(), weights.end(), size_t{0});
            size_t i = 0, seen = weights[order[0]];
            const auto value_at = [&](size_t rank) {
                while (seen <= rank) {
                    seen += weights[order[++i]];
                }
                return values[order[i]];
            };
            const double lower = value_at((total - 1) / 2);
            return (lower + value_at(total / 2)) / 2;
        }
    };

    // A number from 0 to `end` - 1.
    size_t below(size_t end) { return ((random_() >> 32) * end) >> 32; }

    std::mt19937_64 random_{1};
    Side over_, under_;
    std::vector<size_t> clusters_;  // and behind the last one the end
    std::vector<size_t> weights_;   // how often each pair was drawn
    size_t draws_ = 0;
};

}  // namespace

Summary summarise(std::vector<double> sample) {
    if (sample.empty()) {
        return {};
    }
    std::sort(sample.begin(), sample.end());
    const size_t count = sample.size(), middle = count / 2;
    // ceil(tenths / 10 * count), from 1
    const auto tenths = [&](size_t number) { return sample[(count * number + 9) / 10 - 1]; };
    const double lower = sample[count % 2 == 1 ? middle : middle - 1];
    return {.median = (lower + sample[middle]) / 2,
            .p10 = tenths(1),
            .p90 = tenths(9),
            .min = sample.front()};
}

RatioInterval ratio_of_medians(const std::vector<double> &over, const std::vector<double> &under,
                               const std::vector<size_t> &clusters) {
    constexpr size_t kTail = kResamples / 40;
    if (std::min(over.size(), under.size()) == 0) {
        return {};
    }
    ResampledPairs pairs(over, under, clusters);
    const double ratio = summarise(over).median / summarise(under).median;
    // The interval lies around the ratio of all pairs, not around that of the part.
    const double correction = ratio / pairs.ratio_of_medians();
    std::vector<double> ratios;
    for (size_t i = 0; i < kResamples; i++) {
        pairs.resample();
        ratios.push_back(pairs.ratio_of_medians() * correction);
    }
    std::sort(ratios.begin(), ratios.end());
    return {.ratio = ratio,
            .low = ratios[kTail],
            .high = ratios[kResamples - kTail - 1],
            .draws = pairs.draws()};
}

double spearman(const std::vector<double> &a, const std::vector<double> &b) {
    const std::vector<double> x = ranks_of(a), y = ranks_of(b);
    const double mean = static_cast<double>(x.size() + 1) / 2.0;
    double xy = 0.0, xx = 0.0, yy = 0.0;
    for (size_t i = 0; i < x.size(); i++) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0.0 && yy > 0.0 ? xy / std::sqrt(xx * yy) : 0.0;
}

}  // namespace emulsion
