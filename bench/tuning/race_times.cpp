#include "bench/tuning/race_times.h"

#include <algorithm>
#include <utility>

#include "bench/statistics.h"

namespace emulsion {

double RaceTimes::fastest(size_t candidate) const {
    return summarise(portions_.back().at(candidate)).min;
}

double RaceTimes::median_ms(size_t candidate) const {
    std::vector<double> all;
    for (const Portion &portion : portions_) {
        if (const auto ms = portion.find(candidate); ms != portion.end()) {
            all.insert(all.end(), ms->second.begin(), ms->second.end());
        }
    }
    return summarise(std::move(all)).median;
}

double RaceTimes::ratio(size_t candidate) const {
    std::vector<double> ratios;
    for (const Portion &portion : portions_) {
        if (const auto ms = portion.find(candidate); ms != portion.end()) {
            const auto planned = portion.at(planned_).begin();
            const auto rounds = static_cast<std::ptrdiff_t>(ms->second.size());
            ratios.push_back(summarise(ms->second).p10 /
                             summarise({planned, planned + rounds}).p10);
        }
    }
    return summarise(std::move(ratios)).median;
}

double RaceTimes::drift() const {
    std::vector<double> ms;
    for (const Portion &portion : portions_) {
        ms.push_back(summarise(portion.at(planned_)).p10);
    }
    const auto [least, most] = std::minmax_element(ms.begin(), ms.end());
    return *most / *least - 1.0;
}

}  // namespace emulsion
