// How well loop nests are priced: of some operators of networks, points of their spaces drawn at random, what each is
// expected to take and what it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/planned_model.h"
#include "bench/json_file.h"
#include "bench/measure_unit.h"
#include "fusion/nest.h"

namespace emulsion {

class Progress;

struct MeasuredNest {
    Nest nest;
    double cycles = 0.0;  // predicted
    double ms = 0.0;      // the least of all runs
};

// One operator by itself.
struct NestTask {
    std::string model, label, template_name;
    std::vector<MeasuredNest>
        nests;  // the planned one first; those that were compiled as smaller ones are left out
    int left_out = 0;

    // Rank correlation of prediction and measurement; and the times of the nest that is priced cheapest, and of the
    // planned one, over that of the fastest.
    double spearman() const;
    double cheapest_over_best() const;
    double planned_over_best() const;
};

struct NestDrawing {
    int points = 30;         // of every task, besides the planned one
    int tasks = 2;           // of every template and model
    double least_ms = 0.02;  // that an operator is expected to take
    std::string only;        // a template; empty: all
    uint64_t seed = 1;
};

// Of a network that was planned without fusion, for a CPU. Throws Error, also where no operator has a nest of template
// `only`.
std::vector<NestTask> measure_nests(const PlannedModel &model, const CompileOptions &options,
                                    const NestDrawing &drawing, UnitMeasuring measuring,
                                    Progress &progress);

// A table on stdout, and the same as JSON.
void print_tasks(const std::vector<NestTask> &tasks, bool verbose);
Json to_json(const std::vector<NestTask> &tasks);

}  // namespace emulsion
