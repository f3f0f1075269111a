#include "tuner/graph/program_batch.h"

#include <cmath>
#include <utility>
#include <vector>

#include "fusion/error.h"

namespace emulsion {

namespace {

using Eigen::Index;

constexpr size_t kParent = 0, kAllocation = 1, kKind = 2;

// What a row says of another node, or of its kind: a whole number from 0 to less than `end`.
Index whole(float value, Index end) {
    if (!(value >= 0.0F && value < static_cast<float>(end))) {
        throw Error("a graph of a program has a node or a kind that there is not");
    }
    return static_cast<Index>(value);
}

// Pairs of nodes of one program, the first node at `begin`; each node with itself, too.
void add_edges(const FeatureRows &rows, Index begin, std::vector<std::pair<Index, Index>> &edges) {
    for (size_t i = 0; i < rows.size(); i++) {
        const auto own = static_cast<Index>(i);
        edges.emplace_back(begin + own, begin + own);
        for (const size_t link : {kParent, kAllocation}) {
            // Nodes come behind those that they are linked to, which count from 1.
            if (const Index other = whole(rows[i][link], own + 1); other > 0) {
                edges.emplace_back(begin + own, begin + other - 1);
                edges.emplace_back(begin + other - 1, begin + own);
            }
        }
    }
}

template<typename Scalar>
typename ProgramBatch<Scalar>::Sparse
normalised(Index nodes, const std::vector<std::pair<Index, Index>> &edges) {
    std::vector<Scalar> degree(static_cast<size_t>(nodes), Scalar(0));
    for (const auto &[from, to] : edges) {
        degree[static_cast<size_t>(from)] += Scalar(1);
    }
    std::vector<Eigen::Triplet<Scalar>> entries;
    for (const auto &[from, to] : edges) {
        entries.emplace_back(from, to,
                             Scalar(1) / std::sqrt(degree[static_cast<size_t>(from)] *
                                                   degree[static_cast<size_t>(to)]));
    }
    typename ProgramBatch<Scalar>::Sparse matrix(nodes, nodes);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

}  // namespace

template<typename Scalar>
ProgramBatch<Scalar> batch_of(const CodeList &programs, size_t row) {
    Index nodes = 0;
    for (const CodeFeatures *program : programs) {
        nodes += std::ssize(program->nodes);
    }
    ProgramBatch<Scalar> batch;
    batch.nodes = ProgramBatch<Scalar>::Matrix::Zero(nodes, node_columns(row));
    std::vector<std::pair<Index, Index>> edges;
    std::vector<Eigen::Triplet<Scalar>> mean, sum;
    Index at = 0;
    for (size_t program = 0; program < programs.size(); program++) {
        const FeatureRows &rows = programs[program]->nodes;
        add_edges(rows, at, edges);
        for (const std::vector<float> &node : rows) {
            if (node.size() != row) {
                throw Error(
                    "a graph of a program has rows of another length than those that were learned");
            }
            batch.nodes(at, whole(node[kKind], kNodeKinds)) = Scalar(1);
            for (size_t i = kNodeLinks; i < row; i++) {
                batch.nodes(at, kNodeKinds + static_cast<Index>(i - kNodeLinks)) = Scalar(node[i]);
            }
            sum.emplace_back(static_cast<Index>(program), at, Scalar(1));
            mean.emplace_back(static_cast<Index>(program), at,
                              Scalar(1) / static_cast<Scalar>(rows.size()));
            at++;
        }
    }
    batch.neighbours = normalised<Scalar>(nodes, edges);
    batch.mean.resize(std::ssize(programs), nodes);
    batch.mean.setFromTriplets(mean.begin(), mean.end());
    batch.sum.resize(std::ssize(programs), nodes);
    batch.sum.setFromTriplets(sum.begin(), sum.end());
    return batch;
}

template ProgramBatch<float> batch_of(const CodeList &programs, size_t row);
template ProgramBatch<double> batch_of(const CodeList &programs, size_t row);

}  // namespace emulsion
