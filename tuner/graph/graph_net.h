// A neural network that looks at the graphs of programs (J. M. Tomczak, R. Lepert, A. Wiggers, Simulating Execution Time of Tensor Programs
// using Graph Neural Networks, RLGM workshop at ICLR 2019), and its gradient.
#pragma once

#include <cstdint>
#include <vector>

#include "tuner/graph/program_batch.h"

namespace emulsion {

struct NetShape {
    Eigen::Index inputs = 0;  // columns of ProgramBatch::nodes
    Eigen::Index hidden = 32;
    int layers = 3;  // of the graph
    bool propagates =
        true;  // false: nodes know nothing of their neighbours, with the same parameters
};

// With X the nodes, N their normalised neighbours or, without propagation, the identity:
//
//   H0 = relu(X W0 + b0)
//   Hl = relu(N H(l-1) Wl + bl) + H(l-1)          for every layer (the last summand is ours)
//   g  = sigmoid(H u + c)                         how much a node counts, H being the last Hl
//   p  = mean of H and sum of g H / 8, by program
//   y  = relu(p V + d) w + e                      one number of each program
template<typename Scalar>
class GraphNet {
public:
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    using Batch = ProgramBatch<Scalar>;
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
        std::vector<Matrix> gathered;  // N H(l-1), by layer
        Matrix gate, pooled, head, output;
    };

    Run run(const Batch &batch) const;
    Parameters backward(const Batch &batch, const Run &run, const Matrix &slopes) const;

    const NetShape shape_;
    Parameters parameters_;
};

}  // namespace emulsion
