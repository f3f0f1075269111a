// What every fusion policy makes of a network, and what it gains: a table of the paper.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/json_file.h"
#include "bench/measure.h"
#include "bench/statistics.h"
#include "fusion/plan.h"

namespace emulsion {

class ComparedModels;
class Progress;

// One network under one policy.
struct FusionRow {
    std::string policy;
    int groups = 0;
    double fusion_ratio = 0.0, predicted_ms = 0.0;
    int64_t bytes_moved = 0;
    SearchReport search;
    std::vector<double> times;
    Summary ms;
    std::map<std::string, RatioInterval> speed_ups;  // by the other policy
};

struct FusionTable {
    std::string model;
    int operators = 0;
    double headroom = 0.0;  // 0: policy tvm was not asked for
    std::vector<FusionRow> rows;

    const FusionRow *find(const std::string &policy) const;  // or null
    // The fusion ratio of `row` over that of policy tvm; 0 where that was not asked for.
    double ratio_over_tvm(const FusionRow &row) const;
};

// How long a command that fills such tables has run: all in all, and with planning and compiling, which several
// models share.
struct TableTime {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    double preparing = 0.0;  // seconds
};

// Opens and measures a model under every policy. Of `effort.seconds`, less where getting ready took long
// (measuring_seconds). Throws Error.
FusionTable fusion_table(ComparedModels &compared, size_t model, uint64_t seed, Effort effort,
                         TableTime &time, Progress &progress);

// On stdout, and as JSON.
void print(const FusionTable &table, int threads);
Json to_json(const FusionTable &table);

// Of one policy over all models: arithmetic of ratios, geometric of times.
struct FusionAverages {
    double ratio_over_tvm = 0.0, over_tvm = 0.0, over_none = 0.0;
};
FusionAverages averages_of(const std::string &policy, const std::vector<FusionTable> &tables);

}  // namespace emulsion
