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

}  // namespace

Summary summarise(std::vector<double> sample) {
    if (sample.empty()) {
        return {};
    }
    std::sort(sample.begin(), sample.end());
    const size_t count = sample.size();
    const size_t rank = (count * 9 + 9) / 10;  // ceil(0.9 count), from 1
    return {.median = (sample[(count - 1) / 2] + sample[count / 2]) / 2,
            .p90 = sample[rank - 1],
            .min = sample[0]};
}

RatioInterval ratio_of_medians(const std::vector<double> &over, const std::vector<double> &under,
                               const std::vector<size_t> &clusters) {
    constexpr size_t kResamples = 1000, kTail = kResamples / 40;
    const size_t count = std::min(over.size(), under.size());
    if (count == 0) {
        return {};
    }
    std::mt19937_64 engine(1);
    std::vector<double> ratios;
    for (size_t i = 0; i < kResamples; i++) {
        std::vector<double> a, b;
        for (size_t n = 0; n < clusters.size(); n++) {
            const size_t chosen = engine() % clusters.size();
            const size_t first = clusters[chosen];
            const size_t size =
                (chosen + 1 < clusters.size() ? clusters[chosen + 1] : count) - first;
            for (size_t m = 0; m < size; m++) {
                const size_t pair = first + engine() % size;
                a.push_back(over[pair]);
                b.push_back(under[pair]);
            }
        }
        ratios.push_back(summarise(std::move(a)).median / summarise(std::move(b)).median);
    }
    std::sort(ratios.begin(), ratios.end());
    return {.ratio = summarise(over).median / summarise(under).median,
            .low = ratios[kTail],
            .high = ratios[kResamples - kTail - 1]};
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
