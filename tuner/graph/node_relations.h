// Which nodes of programs' graphs are related, and what nodes hear of each other.
#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <array>
#include <cstddef>
#include <vector>

namespace emulsion {

// Kinds of edges, each with a direction. (Trees are about ten deep: with its parent alone a node would hear of the outer loops in layers that are
// not there.)
enum class NodeRelation {
    Above,  // all that is above a node, up to the root
    Below,  // all that is below it
    Data,   // the allocation that it reads or writes, or what reads and writes its allocation
};
constexpr std::array kNodeRelations{NodeRelation::Above, NodeRelation::Below, NodeRelation::Data};

template<typename Scalar>
class NodeRelations {
public:
    // What a node knows lies together, for the sums over nodes.
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    using Index = Eigen::Index;

    // Of every node another one, before it, or -1.
    NodeRelations(std::vector<Index> parents, const std::vector<Index> &allocations);
    NodeRelations() = default;

    // A row for every node: the mean of the rows of those that it is related to, or 0 where there are none.
    Matrix means(NodeRelation relation, const Matrix &rows) const;
    // What the rows contribute to a loss, where these are its slopes by what means() gives.
    Matrix slopes(NodeRelation relation, const Matrix &of_means) const;

private:
    using Weights = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

    Matrix sums_above(const Matrix &rows) const;
    Matrix sums_below(const Matrix &rows) const;

    std::vector<Index> parents_;
    Weights above_, below_;                              // by node: 1 over how many there are
    Eigen::SparseMatrix<Scalar, Eigen::RowMajor> data_;  // means
};

}  // namespace emulsion
