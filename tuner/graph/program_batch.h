// Programs' graphs beside each other, as matrices.
#pragma once

#include <Eigen/Sparse>

#include "tuner/code_model.h"
#include "tuner/graph/node_relations.h"

namespace emulsion {

template<typename Scalar>
struct ProgramBatch {
    using Matrix = typename NodeRelations<Scalar>::Matrix;
    using Sparse = Eigen::SparseMatrix<Scalar, Eigen::RowMajor>;

    // A row for every node of all programs: its kind as a one among zeros, then its numbers.
    Matrix nodes;
    NodeRelations<Scalar> relations;
    Sparse mean, sum;  // programs x nodes: which nodes are whose; rows of `mean` sum to 1
};

// Kinds of nodes that there is room for.
constexpr Eigen::Index kNodeKinds = 32;
// Of a node (autoscheduler/lowered/program_graph.h), that are not numbers.
constexpr size_t kNodeLinks = 3;

// Columns of ProgramBatch::nodes, of programs whose nodes have rows of so many numbers.
constexpr Eigen::Index node_columns(size_t row) {
    return kNodeKinds + static_cast<Eigen::Index>(row - kNodeLinks);
}

// Throws Error for rows that are no graph, or that have another number of numbers than `row`.
template<typename Scalar>
ProgramBatch<Scalar> batch_of(const CodeList &programs, size_t row);

}  // namespace emulsion
