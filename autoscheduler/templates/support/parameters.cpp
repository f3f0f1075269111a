#include "autoscheduler/templates/support/parameters.h"

#include <algorithm>

#include "fusion/ceil_div.h"
#include "fusion/error.h"

namespace emulsion {

int parameter(const Nest &nest, const std::string &name, int64_t low, int64_t high) {
    const auto it = nest.parameters.find(name);
    if (it == nest.parameters.end()) {
        throw Error("loop nest '" + nest.template_name + "' lacks its parameter '" + name + "'");
    }
    if (it->second < low || it->second > high) {
        throw Error("loop nest '" + nest.template_name + "': parameter '" + name + "' is " +
                    std::to_string(it->second) + ", accepted are " + std::to_string(low) + " to " +
                    std::to_string(high));
    }
    return static_cast<int>(it->second);
}

int axis_parameter(const Nest &nest, const std::string &name, int rank) {
    return parameter(nest, name, 0, rank - 1);
}

int optional_axis_parameter(const Nest &nest, const std::string &name, int rank) {
    return parameter(nest, name, -1, rank - 1);
}

NestParameter fixed(const std::string &name, const std::string &unit, int64_t value) {
    return {name, unit, {value}, value};
}

NestParameter ranged(const std::string &name, const std::string &unit, int64_t low, int64_t high,
                     int64_t preferred) {
    NestParameter p{name, unit, {preferred}, preferred};
    for (int64_t v = std::max<int64_t>(low, 1); v <= high; v *= 2) {
        p.candidates.push_back(v);
    }
    std::sort(p.candidates.begin(), p.candidates.end());
    p.candidates.erase(std::unique(p.candidates.begin(), p.candidates.end()), p.candidates.end());
    return p;
}

int64_t floor_power_of_two(int64_t n) {
    int64_t p = 1;
    while (p * 2 <= n) {
        p *= 2;
    }
    return p;
}

int64_t rows_per_task(int64_t rows, int64_t outer, int threads, int64_t least_rows) {
    // Enough tasks that a worker which is late costs little, few enough that starting them is free.
    constexpr int64_t kTasksPerThread = 8;
    int64_t best = rows;
    double best_cost = 1e30;
    for (int64_t size = std::min(least_rows, rows); size <= rows; size++) {
        const int64_t tasks = outer * ceil_div(rows, size);
        const int64_t rounds = ceil_div(tasks, threads);
        // Time of the busiest worker over the mean, plus a share per task for starting it.
        const double busiest =
            static_cast<double>(rounds * size) * threads / static_cast<double>(rows * outer);
        const double starting = 0.02 * static_cast<double>(tasks) / (threads * kTasksPerThread);
        const double late = 0.3 / static_cast<double>(std::max<int64_t>(rounds, 1));
        const double cost = busiest + starting + (threads > 1 ? late : 0.0);
        if (cost < best_cost) {
            best_cost = cost;
            best = size;
        }
    }
    return best;
}

}  // namespace emulsion
