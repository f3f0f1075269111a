// Groups of networks as they were measured, to fit a cost model to and to hold it against.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/compiler.h"
#include "fusion/operator_graph.h"

namespace emulsion {

class ComparedModels;
class Progress;

// A group under some policy.
struct CostSample {
    std::string policy, label;
    std::vector<std::string> members;  // names of operators, sorted
    size_t graph = 0;                  // whose they are: index into the network's
    double ms = 0.0;                   // median over the runs
    double bytes = 0.0;                // read and written, each tensor once
    double operations = 0.0;           // two per multiply-add, one per element of a member's result
};

struct SampledNetwork {
    std::string model;
    std::vector<OperatorGraph>
        graphs;       // one for each policy, which may have chosen other implementations
    Machine machine;  // that the operators were analysed for
    std::vector<CostSample> samples;
};

// Of these operators of the graph, by name: two per multiply-add, one per element of a result.
double operations_of(const OperatorGraph &graph, const std::vector<std::string> &members);

// Opens a model under every policy and runs all of these networks in turns, `runs` times, every launch timed.
// Copies from one layout to another are left out: they are no policy's choice.
SampledNetwork sample_network(ComparedModels &compared, size_t model, int runs, Progress &progress);

// The samples of `network` as the cost model sees them on `machine`, with the loop nests that they were measured with,
// in milliseconds; infinite for what it refuses.
std::vector<double> predicted_ms(const SampledNetwork &network, const Machine &machine);

}  // namespace emulsion
