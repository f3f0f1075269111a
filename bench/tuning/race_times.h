// The runs of a race, in portions: each in memory of its own, and some time after the one before.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace emulsion {

class RaceTimes {
public:
    // Of these candidates; the first is the planned nest.
    explicit RaceTimes(const std::vector<size_t> &candidates) : planned_(candidates.front()) {}

    void begin_portion() { portions_.emplace_back(); }
    // A run of the last portion.
    void add(size_t candidate, double ms) { portions_.back()[candidate].push_back(ms); }

    // The fastest run in the last portion.
    double fastest(size_t candidate) const;
    // Of all runs; 0 where there are none.
    double median_ms(size_t candidate) const;
    // Over the planned nest's time in as many rounds: the median of the portions' ratios, each of lowest deciles, as what
    // disturbs a run makes it slower and never faster. 0: the candidate was not run.
    double ratio(size_t candidate) const;
    // How much slower the planned nest was in one portion than in another: 0 is equal.
    double drift() const;

private:
    // Milliseconds of runs, by candidate.
    using Portion = std::map<size_t, std::vector<double>>;

    size_t planned_;
    std::vector<Portion> portions_;
};

}  // namespace emulsion
