#include "tuner/graph/graph_net.h"

#include <cmath>
#include <random>
#include <utility>

#include "fusion/error.h"

namespace emulsion {

namespace {

using Eigen::Index;

// Programs have about ten times as many nodes as counts that matter.
constexpr double kSumShare = 0.125;

// Rows and columns of every parameter.
std::vector<std::pair<Index, Index>> sizes_of(const NetShape &shape) {
    std::vector<std::pair<Index, Index>> sizes{{shape.inputs, shape.hidden}, {1, shape.hidden}};
    for (int layer = 0; layer < shape.layers; layer++) {
        sizes.emplace_back(shape.gathered(), shape.hidden);
        sizes.emplace_back(1, shape.hidden);
    }
    sizes.insert(sizes.end(), {{shape.hidden, 1},
                               {1, 1},
                               {2 * shape.hidden, shape.hidden},
                               {1, shape.hidden},
                               {shape.hidden, 1},
                               {1, 1}});
    return sizes;
}

template<typename Matrix>
Matrix relu(const Matrix &values) {
    return values.cwiseMax(typename Matrix::Scalar(0));
}

// `slopes` where the value that a relu has passed on is positive.
template<typename Matrix>
Matrix passed(const Matrix &slopes, const Matrix &passed_on) {
    return (passed_on.array() > typename Matrix::Scalar(0))
        .select(slopes, typename Matrix::Scalar(0));
}

}  // namespace

template<typename Scalar>
GraphNet<Scalar>::GraphNet(const NetShape &shape, uint64_t seed) : shape_(shape) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (const auto &[rows, columns] : sizes_of(shape)) {
        Matrix parameter = Matrix::Zero(rows, columns);
        if (rows > 1) {
            const double scale = std::sqrt(2.0 / static_cast<double>(rows));
            for (Index i = 0; i < parameter.size(); i++) {
                parameter.data()[i] = static_cast<Scalar>(scale * normal(engine));
            }
        }
        parameters_.push_back(std::move(parameter));
    }
}

template<typename Scalar>
GraphNet<Scalar>::GraphNet(const NetShape &shape, Parameters parameters)
    : shape_(shape), parameters_(std::move(parameters)) {
    const auto sizes = sizes_of(shape);
    bool fits = parameters_.size() == sizes.size();
    for (size_t i = 0; fits && i < sizes.size(); i++) {
        fits = parameters_[i].rows() == sizes[i].first &&
               parameters_[i].cols() == sizes[i].second && parameters_[i].allFinite();
    }
    if (!fits) {
        throw Error("parameters of a graph network are not of its shape");
    }
}

template<typename Scalar>
Index GraphNet<Scalar>::count() const {
    Index count = 0;
    for (const Matrix &parameter : parameters_) {
        count += parameter.size();
    }
    return count;
}

// What nodes know: of themselves, and of those that they are related to.
template<typename Scalar>
typename GraphNet<Scalar>::Matrix GraphNet<Scalar>::gathered(const Batch &batch,
                                                             const Matrix &hidden) const {
    if (!shape_.propagates) {
        return hidden;
    }
    Matrix all(hidden.rows(), shape_.gathered());
    all.leftCols(shape_.hidden) = hidden;
    Index column = 0;
    for (const NodeRelation relation : kNodeRelations) {
        all.middleCols(column += shape_.hidden, shape_.hidden) =
            batch.relations.means(relation, hidden);
    }
    return all;
}

// Of a loss, whose slopes by what gathered() gives these are, the slopes by what it takes.
template<typename Scalar>
typename GraphNet<Scalar>::Matrix GraphNet<Scalar>::scattered(const Batch &batch,
                                                              const Matrix &of_gathered) const {
    Matrix of_hidden = of_gathered.leftCols(shape_.hidden);
    if (!shape_.propagates) {
        return of_hidden;
    }
    Index column = 0;
    for (const NodeRelation relation : kNodeRelations) {
        of_hidden += batch.relations.slopes(
            relation, of_gathered.middleCols(column += shape_.hidden, shape_.hidden));
    }
    return of_hidden;
}

template<typename Scalar>
typename GraphNet<Scalar>::Run GraphNet<Scalar>::run(const Batch &batch) const {
    auto parameter = parameters_.begin();
    // x times the next parameter, and the one behind it on every row.
    const auto affine = [&](const Matrix &x) -> Matrix {
        const Matrix &weight = *parameter++, &bias = *parameter++;
        Matrix y = x * weight;
        y.rowwise() += bias.row(0);
        return y;
    };
    Run run;
    run.hidden.push_back(relu(affine(batch.nodes)));
    for (int layer = 0; layer < shape_.layers; layer++) {
        const Matrix &before = run.hidden.back();
        run.gathered.push_back(gathered(batch, before));
        Matrix next = relu(affine(run.gathered.back())) + before;
        run.hidden.push_back(std::move(next));
    }
    const Matrix &last = run.hidden.back();
    run.gate =
        affine(last).unaryExpr([](Scalar x) { return Scalar(1) / (Scalar(1) + std::exp(-x)); });
    run.pooled.resize(batch.sum.rows(), 2 * shape_.hidden);
    run.pooled << Matrix(batch.mean * last),
        Matrix(batch.sum * Matrix(run.gate.col(0).asDiagonal() * last)) * Scalar(kSumShare);
    run.head = relu(affine(run.pooled));
    run.output = affine(run.head);
    return run;
}

template<typename Scalar>
typename GraphNet<Scalar>::Parameters GraphNet<Scalar>::backward(const Batch &batch, const Run &run,
                                                                 const Matrix &slopes) const {
    Parameters gradient(parameters_.size());
    size_t at = parameters_.size();
    // Of the last two parameters so far, which `x` was multiplied with; what they say of x.
    const auto affine = [&](const Matrix &x, const Matrix &of_result) -> Matrix {
        at -= 2;
        gradient[at] = x.transpose() * of_result;
        gradient[at + 1] = of_result.colwise().sum();
        return of_result * parameters_[at].transpose();
    };
    const Matrix of_head = affine(run.head, slopes);
    const Matrix of_pooled = affine(run.pooled, passed(of_head, run.head));
    const Matrix &last = run.hidden.back();
    const Matrix of_sum =
        batch.sum.transpose() * Matrix(of_pooled.rightCols(shape_.hidden) * Scalar(kSumShare));
    Matrix of_hidden = batch.mean.transpose() * Matrix(of_pooled.leftCols(shape_.hidden));
    of_hidden += run.gate.col(0).asDiagonal() * of_sum;
    const Matrix of_gate =
        of_sum.cwiseProduct(last).rowwise().sum().cwiseProduct(run.gate).cwiseProduct(
            (Scalar(1) - run.gate.array()).matrix());
    of_hidden += affine(last, of_gate);
    for (int layer = shape_.layers; layer-- > 0;) {
        const auto l = static_cast<size_t>(layer);
        // What the relu has passed on is the difference of the two.
        const Matrix rose = run.hidden[l + 1] - run.hidden[l];
        const Matrix of_gathered = affine(run.gathered[l], passed(of_hidden, rose));
        of_hidden += scattered(batch, of_gathered);
    }
    affine(batch.nodes, passed(of_hidden, run.hidden.front()));
    return gradient;
}

template class GraphNet<float>;
template class GraphNet<double>;

}  // namespace emulsion
