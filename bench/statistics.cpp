#include "bench/statistics.h"

#include <algorithm>

namespace emulsion {

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

}  // namespace emulsion
