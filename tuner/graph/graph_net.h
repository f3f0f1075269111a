// A neural network that looks at the graphs of programs (J. M. Tomczak, R. Lepert, A. Wiggers, Simulating Execution Time of Tensor Programs
// using Graph Neural Networks, RLGM workshop at ICLR 2019), and its gradient. There one matrix serves a node and its neighbours; here every
// kind of edge has one of its own (M. Schlichtkrull et al., ESWC 2018, equation 2), because what is above a node says other things than
// what is below it.
#pragma once

#include <cstdint>
#include <vector>

#include "tuner/graph/program_batch.h"

namespace emulsion {

struct NetShape {
    Eigen::Index inputs = 0;  // columns of ProgramBatch::nodes
    Eigen::Index hidden = 32;
    int layers = 3;          // of the graph
    bool propagates = true;  // false: nodes know nothing of each other

    // Columns of what a node knows in a layer.
    Eigen::Index gathered() const {
        return propagates ? static_cast<Eigen::Index>(1 + kNodeRelations.size()) * hidden : hidden;
    }
};

// With X the nodes, N1, N2, ... the means over what they are related to, and | for columns beside each other:
//
//   H0 = relu(X W0 + b0)
//   Hl = relu((H(l-1) | N1 H(l-1) | N2 H(l-1) | ...) Wl + bl) + H(l-1)     for every layer (the last summand is ours)
//   g  = sigmoid(H u + c)                         how much a node counts, H being the last Hl
//   p  = mean of H and sum of g H / 8, by program
//   y  = relu(p V + d) w + e                      one number of each program
template<typename Scalar>
class GraphNet {
public:
    using Batch = ProgramBatch<Scalar>;
    using Matrix = typename Batch::Matrix;
    // W0, b0, W1, b1, ..., u, c, V, d, w, e; of a gradient, in their places, the slopes.
    using Parameters = std::vector<Matrix>;

    // Drawn at random (K. He et al., ICCV 2015).
    GraphNet(const NetShape &shape, uint64_t seed);
    // With these; throws Error where their sizes are not of the shape.
    GraphNet(const NetShape &shape, Parameters parameters);

    const NetShape &shape() const { return shape_; }
    const Parameters &parameters() const { return parameters_; }
    Parameters &parameters() { return parameters_; }
    Eigen::Index count() const;  // of numbers in the parameters

    // By program.
    Matrix predict(const Batch &batch) const { return run(batch).output; }
    // Of a loss whose slopes by what predict() says are `slopes(predicted)`.
    template<typename Slopes>
    Parameters gradient(const Batch &batch, const Slopes &slopes) const {
        const Run forward = run(batch);
        return backward(batch, forward, slopes(forward.output));
    }

private:
    struct Run {
        std::vector<Matrix> hidden;    // H0, ...
        std::vector<Matrix> gathered;  // by layer, what it multiplies with W
        Matrix gate, pooled, head, output;
    };

    Run run(const Batch &batch) const;
    Matrix gathered(const Batch &batch, const Matrix &hidden) const;
    Matrix scattered(const Batch &batch, const Matrix &of_gathered) const;
    Parameters backward(const Batch &batch, const Run &run, const Matrix &slopes) const;

    const NetShape shape_;
    Parameters parameters_;
};

}  // namespace emulsion
