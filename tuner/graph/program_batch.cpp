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

}  // namespace

template<typename Scalar>
ProgramBatch<Scalar> batch_of(const CodeList &programs, size_t row) {
    Index nodes = 0;
    for (const CodeFeatures *program : programs) {
        nodes += std::ssize(program->nodes);
    }
    ProgramBatch<Scalar> batch;
    batch.nodes = ProgramBatch<Scalar>::Matrix::Zero(nodes, node_columns(row));
    std::vector<Index> parents, allocations;
    std::vector<Eigen::Triplet<Scalar>> mean, sum;
    Index at = 0;
    for (size_t program = 0; program < programs.size(); program++) {
        const FeatureRows &rows = programs[program]->nodes;
        const Index begin = at;
        for (const std::vector<float> &node : rows) {
            if (node.size() != row) {
                throw Error(
                    "a graph of a program has rows of another length than those that were learned");
            }
            // Nodes come behind those that they are linked to, which count from 1.
            const auto link = [&](size_t which) {
                const Index other = whole(node[which], at - begin + 1);
                return other > 0 ? begin + other - 1 : -1;
            };
            parents.push_back(link(kParent));
            allocations.push_back(link(kAllocation));
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
    batch.relations = NodeRelations<Scalar>(std::move(parents), allocations);
    batch.mean.resize(std::ssize(programs), nodes);
    batch.mean.setFromTriplets(mean.begin(), mean.end());
    batch.sum.resize(std::ssize(programs), nodes);
    batch.sum.setFromTriplets(sum.begin(), sum.end());
    return batch;
}

template ProgramBatch<float> batch_of(const CodeList &programs, size_t row);
template ProgramBatch<double> batch_of(const CodeList &programs, size_t row);

}  // namespace emulsion
