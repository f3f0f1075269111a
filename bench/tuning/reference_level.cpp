#include "bench/tuning/reference_level.h"

#include <algorithm>

#include "bench/statistics.h"

namespace emulsion {

namespace {

void add_to(std::vector<double> &window, double ms, double &level) {
    window.push_back(ms);
    if (window.size() == ReferenceLevel::kWindow) {
        const double median = summarise(window).median;
        level = level > 0.0 ? std::min(level, median) : median;
        window.clear();
    }
}

bool is_near(double ms, double level, double factor) {
    return level <= 0.0 || ms <= factor * level;
}

}  // namespace

void ReferenceLevel::add(const ReferenceTimes &times) {
    last_ = times;
    add_to(exchange_, times.exchange, level_.exchange);
    add_to(compute_, times.compute, level_.compute);
}

bool ReferenceLevel::is_quiet() const {
    // In quiet times an exchange takes up to twice its median, as more or less goes from thread to thread, and three to
    // five times that where threads share no cache. Arithmetic keeps within 2 %, and takes 1.4 times as long and more where
    // threads share a core, with each other or with somebody else.
    constexpr double kNearExchange = 2.5, kNearCompute = 1.15;
    return is_near(last_.exchange, level_.exchange, kNearExchange) &&
           is_near(last_.compute, level_.compute, kNearCompute);
}

}  // namespace emulsion
