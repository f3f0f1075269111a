// The flags that say how long to measure: of `bench` and of `fusion`.
#pragma once

#include <string>

#include "bench/measure.h"

namespace CLI {
class App;
}

namespace emulsion {

// --iters, --duration and --warmup. `duration` is what the help says of the second.
void add_effort(CLI::App &app, Effort &effort, const std::string &duration);

}  // namespace emulsion
