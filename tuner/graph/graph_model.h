// Neural networks on graphs of programs as models of how fast code is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tuner/code_model.h"
#include "tuner/graph/graph_net.h"

namespace emulsion {

struct GraphModelOptions {
    bool propagates = true;
    Eigen::Index hidden = 24;
    int layers = 3;
    int epochs = 60;
    double rate = 5e-3;  // of the first steps; falls to nothing (a half wave of a cosine)
    uint64_t seed = 1;
};

// What the models `graph` and `perceptron` are made with: hidden columns that give both as many parameters, to 1.1 %, and of four rates and numbers of
// epochs those that were best for each (tools/code-figures --settings).
GraphModelOptions graph_model_options(bool propagates, uint64_t seed);

// Scores are logarithms, but for a constant of each task: what is minimised is the squared error of differences between programs of one
// task, since nothing else is asked of them.
class GraphModel : public CodeModel {
public:
    explicit GraphModel(const GraphModelOptions &options) : options_(options) {}

    void fit(const std::vector<CodeSamples> &samples) override;
    bool is_fitted() const override { return net_.has_value(); }
    std::vector<double> scores(const CodeList &programs) const override;
    std::string save() const override;
    void load(const std::string &text) override;

private:
    using Net = GraphNet<float>;
    using Batch = Net::Batch;
    Batch scaled_batch(const CodeList &programs) const;

    GraphModelOptions options_;
    size_t row_ = 0;            // length of a node's row
    std::vector<float> scale_;  // by number of a node, what it is divided by
    std::optional<Net> net_;
};

}  // namespace emulsion
