// A task whose times are a formula, with a fastest point that is known.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tuner/predictor.h"
#include "tuner/record.h"
#include "tuner/replay.h"
#include "tuner/task.h"

namespace emulsion {

// A tile of rows x columns of at most 64 elements, its unrolling, and an optional axis. Fastest at 4 x 16, unrolled; suggested are points that
// have one of these.
TuningTask toy_task(const std::string &problem = "p1");

// Its time over that of the planned nest (1 x 8, not unrolled).
double toy_ratio(const TuningTask &task, const Nest &nest);

// Facts of it: of the problem "elements" = 5, of points "time", the logarithm of their time.
std::shared_ptr<const PointFacts> toy_facts(const TuningTask &task);

// What was "measured" of these points.
std::vector<Result> toy_results(const TuningTask &task, const std::vector<Nest> &nests);

// Every point of its grid; those with 3 rows crash. The second sitting's ratios are 1 % above the first's.
RecordedTask toy_record(const TuningTask &task);

// Of networks "a", "b" and "c" of one such task each, with its facts; and what was learned of them.
std::vector<NetworkRecord> toy_networks();
Predictor toy_predictor(double margin = 0.0);

}  // namespace emulsion
