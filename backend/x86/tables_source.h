// A program as C source: the tables that the runtime interprets, and the functions of the C API.
#pragma once

#include <string>

#include "backend/program.h"
#include "backend/weights.h"

namespace emulsion {

struct TablesOptions {
    std::string name;     // of the artifact
    int threads = 1;      // until the user sets another number
    ContentHash weights;  // of the weights file that belongs to it
    std::string target, policy, plan_hash;
    std::string gpu;  // the runtime's symbol for the kind of GPU that runs it; empty: a CPU does
};

// Includes NAME.h; needs nothing else but the C library's headers.
std::string tables_source(const Graph &graph, const Program &program, const TablesOptions &options);

}  // namespace emulsion
