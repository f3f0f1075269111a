// The flags that say how long to measure: of `bench` and of `fusion`, and of what times units by themselves.
#pragma once

#include <string>

#include "bench/measure.h"
#include "bench/measure_unit.h"

namespace CLI {
class App;
}

namespace emulsion {

// --iters, --duration and --warmup. `duration` is what the help says of the second.
void add_effort(CLI::App &app, Effort &effort, const std::string &duration);
// --runs and --sittings. `runs` is what the help says of the first.
void add_effort(CLI::App &app, UnitMeasuring &effort, const std::string &runs);

}  // namespace emulsion
