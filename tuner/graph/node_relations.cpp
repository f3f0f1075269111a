#include "tuner/graph/node_relations.h"

#include <utility>

namespace emulsion {

template<typename Scalar>
NodeRelations<Scalar>::NodeRelations(std::vector<Index> parents,
                                     const std::vector<Index> &allocations)
    : parents_(std::move(parents)) {
    const auto nodes = std::ssize(parents_);
    const Matrix ones = Matrix::Ones(nodes, 1);
    const auto inverse = [](Scalar count) { return count > 0 ? 1 / count : Scalar(0); };
    above_ = sums_above(ones).col(0).unaryExpr(inverse);
    below_ = sums_below(ones).col(0).unaryExpr(inverse);

    Weights degree = Weights::Zero(nodes);
    const auto for_each_edge = [&](const auto &visit) {
        for (Index node = 0; node < nodes; node++) {
            if (const Index allocation = allocations[static_cast<size_t>(node)]; allocation >= 0) {
                visit(node, allocation);
                visit(allocation, node);
            }
        }
    };
    for_each_edge([&](Index from, Index) { degree(from)++; });
    std::vector<Eigen::Triplet<Scalar>> entries;
    for_each_edge([&](Index from, Index to) { entries.emplace_back(from, to, 1 / degree(from)); });
    data_.resize(nodes, nodes);
    data_.setFromTriplets(entries.begin(), entries.end());
}

// Of every node the sum of the rows of those above it: of its parent, and of those above that.
template<typename Scalar>
typename NodeRelations<Scalar>::Matrix NodeRelations<Scalar>::sums_above(const Matrix &rows) const {
    Matrix sums = Matrix::Zero(rows.rows(), rows.cols());
    for (Index node = 0; node < rows.rows(); node++) {
        if (const Index parent = parents_[static_cast<size_t>(node)]; parent >= 0) {
            sums.row(node) = sums.row(parent) + rows.row(parent);
        }
    }
    return sums;
}

// The same of those below it.
template<typename Scalar>
typename NodeRelations<Scalar>::Matrix NodeRelations<Scalar>::sums_below(const Matrix &rows) const {
    Matrix sums = Matrix::Zero(rows.rows(), rows.cols());
    for (Index node = rows.rows(); node-- > 0;) {
        if (const Index parent = parents_[static_cast<size_t>(node)]; parent >= 0) {
            sums.row(parent) += sums.row(node) + rows.row(node);
        }
    }
    return sums;
}

template<typename Scalar>
typename NodeRelations<Scalar>::Matrix NodeRelations<Scalar>::means(NodeRelation relation,
                                                                    const Matrix &rows) const {
    switch (relation) {
    case NodeRelation::Above: return above_.asDiagonal() * sums_above(rows);
    case NodeRelation::Below: return below_.asDiagonal() * sums_below(rows);
    case NodeRelation::Data: break;
    }
    return data_ * rows;
}

// One is above another where that is below it, so that either is the other's transpose.
template<typename Scalar>
typename NodeRelations<Scalar>::Matrix NodeRelations<Scalar>::slopes(NodeRelation relation,
                                                                     const Matrix &of_means) const {
    switch (relation) {
    case NodeRelation::Above: return sums_below(above_.asDiagonal() * of_means);
    case NodeRelation::Below: return sums_above(below_.asDiagonal() * of_means);
    case NodeRelation::Data: break;
    }
    return data_.transpose() * of_means;
}

template class NodeRelations<float>;
template class NodeRelations<double>;

}  // namespace emulsion
