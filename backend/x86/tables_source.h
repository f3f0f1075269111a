// A program as C source: the tables that the runtime interprets, and the functions of the C API.
#pragma once

#include <string>
#include <vector>

#include "backend/program.h"
#include "backend/weights.h"

namespace emulsion {

struct TablesOptions {
    std::string name;     // of the artifact
    int threads = 1;      // until the user sets another number
    ContentHash weights;  // of the weights file that belongs to it
    std::string target, policy, plan_hash;
    std::string gpu;  // the runtime's symbol for the kind of GPU that runs it; empty: a CPU does
    std::vector<std::string> chips;  // that it has code for; empty: the driver makes the code
    // The program has another one beside it, for where no GPU can be used; and whether it is that one: its source
    // then defines no function.
    bool has_fallback = false;
    bool is_fallback = false;
};

// Includes NAME.h; needs nothing else but the C library's headers.
std::string tables_source(const Graph &graph, const Program &program, const TablesOptions &options);

}  // namespace emulsion
