#include "tuner/graph/program_batch.h"

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

// A node, and one that it is related to.
using Edges = std::vector<std::pair<Index, Index>>;

// Of one program, the first node at `begin`. Trees are about ten deep: with its parent alone a node would hear of the outer loops in layers that are
// not there.
void add_edges(const FeatureRows &rows, Index begin, std::array<Edges, kNodeRelations> &edges) {
    auto &[above, below, data] = edges;
    // Nodes come behind those that they are linked to, which count from 1.
    const auto link = [&](size_t node, size_t which) {
        return whole(rows[node][which], static_cast<Index>(node) + 1) - 1;
    };
    for (size_t i = 0; i < rows.size(); i++) {
        const auto own = static_cast<Index>(i);
        for (Index at = link(i, kParent); at >= 0; at = link(static_cast<size_t>(at), kParent)) {
            above.emplace_back(begin + own, begin + at);
            below.emplace_back(begin + at, begin + own);
        }
        if (const Index allocation = link(i, kAllocation); allocation >= 0) {
            data.emplace_back(begin + own, begin + allocation);
            data.emplace_back(begin + allocation, begin + own);
        }
    }
}

// The mean over what nodes are related to.
template<typename Scalar>
typename ProgramBatch<Scalar>::Sparse means(Index nodes, const Edges &edges) {
    std::vector<Scalar> degree(static_cast<size_t>(nodes), Scalar(0));
    for (const auto &[from, to] : edges) {
        degree[static_cast<size_t>(from)] += Scalar(1);
    }
    std::vector<Eigen::Triplet<Scalar>> entries;
    for (const auto &[from, to] : edges) {
        entries.emplace_back(from, to, Scalar(1) / degree[static_cast<size_t>(from)]);
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
    std::array<Edges, kNodeRelations> edges;
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
    for (size_t relation = 0; relation < kNodeRelations; relation++) {
        batch.related[relation] = means<Scalar>(nodes, edges[relation]);
    }
    batch.mean.resize(std::ssize(programs), nodes);
    batch.mean.setFromTriplets(mean.begin(), mean.end());
    batch.sum.resize(std::ssize(programs), nodes);
    batch.sum.setFromTriplets(sum.begin(), sum.end());
    return batch;
}

template ProgramBatch<float> batch_of(const CodeList &programs, size_t row);
template ProgramBatch<double> batch_of(const CodeList &programs, size_t row);

}  // namespace emulsion
