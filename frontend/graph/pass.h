// Graph passes and their one runner: each has a name, can be switched off and timed, and is
// followed by Graph::verify.
//
// A pass is one file in frontend/graph/passes/ that defines
//
//     const Pass &graph_pass_<filename>();      e.g. graph_pass_fold_batch_norms()
//
// found when CMake configures.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

struct Pass {
    std::string name;         // "fold-batch-norms"
    std::string description;  // one line: the algebra, before -> after
    int order = 0;            // passes run by rising order
    std::function<Graph(Graph)> run;
};

struct PassTime {
    std::string name;
    double seconds = 0.0;
};

// All passes by file name (generated).
std::span<const Pass *const> all_passes();
// All passes by rising order.
std::vector<const Pass *> ordered_passes();

// Runs every pass that is not named in `disabled`, verifies after each, and appends times to `times`
// if given. Throws Error for an unknown name in `disabled`.
Graph run_passes(Graph graph, const std::set<std::string> &disabled = {},
                 std::vector<PassTime> *times = nullptr);

// Names for the tensors that a pass adds: ONNX names are arbitrary.
class UnusedNames {
public:
    explicit UnusedNames(const Graph &graph);

    // `wanted`, or something like it where another tensor has that name; from now on that is taken.
    std::string make(std::string wanted);

private:
    std::unordered_set<std::string> names_;
};

}  // namespace emulsion
