// Programs' graphs beside each other, as matrices.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <array>

#include "tuner/code_model.h"

namespace emulsion {

// Kinds of edges, each with a direction.
constexpr size_t kNodeRelations = 3;

template<typename Scalar>
struct ProgramBatch {
    // What a node knows lies together, for the sums over nodes.
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Sparse = Eigen::SparseMatrix<Scalar, Eigen::RowMajor>;

    // A row for every node of all programs: its kind as a one among zeros, then its numbers.
    Matrix nodes;
    // Of every relation the mean over the nodes that a node is so related to: all above it, up to the root; all below it; the allocation that
    // it reads or writes, or what reads and writes its allocation. Rows sum to 1, or to 0 where there are none.
    std::array<Sparse, kNodeRelations> related;
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
