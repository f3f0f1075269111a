// How a graph is compiled: policy, target, what is switched off.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/lower/network.h"
#include "tests/graphs/draw.h"

namespace emulsion::test {

struct Configuration {
    PlanOptions plan;
    std::string machine = "typical";  // name of plan.machine
    std::set<std::string> disabled_passes;
    // Worker processes, with the backend, the runtime and the arena: what a user's `emulsion compile` does. 0: in
    // this process, value by value.
    int jobs = 0;

    // One line, in the words of the command line; the same for equal configurations.
    std::string name() const;
};

// The inverse of name(). Throws Error for what it does not know.
Configuration parse_configuration(const std::string &name);

// One option of each kind at random. `targets` are those to draw from.
Configuration random_configuration(Draw &draw, const std::vector<std::string> &targets);

}  // namespace emulsion::test
