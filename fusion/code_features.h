// What the lowered code of a unit tells models of its time.
#pragma once

#include <vector>

namespace emulsion {

// Rows of numbers, all equally long.
using FeatureRows = std::vector<std::vector<float>>;

struct CodeFeatures {
    FeatureRows
        statements;     // a row for every statement (autoscheduler/lowered/statement_features.h)
    FeatureRows nodes;  // its graph, a row for every node (autoscheduler/lowered/program_graph.h)

    // Nothing is known of the code: it could not be lowered.
    bool empty() const { return nodes.empty(); }
    bool operator==(const CodeFeatures &) const = default;
};

// Which of them rises where equal code gets other features of that kind.
struct CodeFeatureVersions {
    int statements = 0, nodes = 0;
};

}  // namespace emulsion
