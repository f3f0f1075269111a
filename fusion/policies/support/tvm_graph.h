// The graph that TVM's fusion works on: operators in the order of a depth-first walk from the outputs,
// a tuple before each concatenation, and who dominates whom on the way to the outputs.
#pragma once

#include <vector>

#include "fusion/operator_graph.h"
#include "fusion/policies/support/tvm_kinds.h"

namespace emulsion {

struct TvmEdge {
    int reader = -1;  // index into TvmGraph::nodes
    // The reader's kind; of a Broadcast reader, ElementWise where the value has the result's shape.
    TvmKind kind = TvmKind::ElementWise;
};

struct TvmNode {
    int op = -1;  // index into OperatorGraph::operators; -1: a tuple
    TvmKind kind = TvmKind::Opaque;
    bool is_output = false;
    std::vector<TvmEdge> readers;
    // The closest node that every way to an output goes through, or -1.
    int dominator = -1;
    int depth = 1;  // in the tree of dominators
    // The most complex kind of all edges between this node and its dominator.
    TvmKind pattern = TvmKind::ElementWise;
};

// Operands before readers.
struct TvmGraph {
    std::vector<TvmNode> nodes;
};

TvmGraph tvm_graph(const OperatorGraph &graph);

}  // namespace emulsion
