// Builds a random graph node by node, with the value of every tensor: a node is kept only if its results make a
// comparison meaningful, that is finite, of moderate size, and not decided by rounding.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/graph/graph.h"
#include "tests/graphs/draw.h"
#include "tests/graphs/kind.h"
#include "tests/graphs/value.h"

namespace emulsion::test {

// The values at hand don't suit what was drawn.
struct Unfit {};

// A graph and values for its inputs, in the graph's order.
struct GraphCase {
    Graph graph;
    std::vector<Value> inputs;
};

// How often each option of each kind was taken.
using Coverage = std::map<std::pair<std::string, std::string>, int64_t>;

class GraphMaker {
public:
    explicit GraphMaker(uint64_t seed);

    Draw draw;

    DataType real_type() const { return real_; }
    const Value &value(TensorId id) const { return exact_.at(static_cast<size_t>(id)); }
    const Shape &shape(TensorId id) const { return value(id).shape; }

    // A value that fits, late ones and those that nobody reads rather than others. Throws Unfit.
    TensorId pick(const std::function<bool(const Value &)> &fits);
    // Floats of the graph's type with such a rank.
    TensorId pick_real(size_t least_rank, size_t most_rank);
    // The same, with batch, channels and `spatial` axes.
    TensorId pick_image(size_t least_spatial = 2, size_t most_spatial = 2);

    // Constants, or now and then an input, in [-scale, scale].
    TensorId weights(const Shape &shape, double scale = 1.0);
    TensorId constant(const Value &value);
    TensorId scalar(double value, DataType type);
    TensorId list(const std::vector<int64_t> &values, DataType type = DataType::I64);
    // Random elements that are exact in a few bits. Reals in [-2, 2], integers in [low, high].
    TensorId input(DataType type, const Shape &shape, int64_t low = -9, int64_t high = 9);

    // Throws Unfit where the result doesn't suit.
    std::vector<TensorId> nodes(const std::string &type, const std::vector<TensorId> &inputs,
                                std::map<std::string, Attribute> attributes = {},
                                size_t outputs = 1);
    TensorId node(const std::string &type, const std::vector<TensorId> &inputs,
                  std::map<std::string, Attribute> attributes = {}) {
        return nodes(type, inputs, std::move(attributes)).front();
    }
    void require(bool fits) const {
        if (!fits) {
            throw Unfit{};
        }
    }
    // That the kind at work took an option of its own.
    void option(const std::string &name);

    int64_t channels();
    // Adds nodes of `kind`; false, and nothing added, if it doesn't fit.
    bool try_kind(const GraphKind &kind);
    size_t node_count() const { return graph_.nodes.size(); }
    // Everything that nobody reads is an output, and some of the others.
    GraphCase finish();
    const Coverage &coverage() const { return coverage_; }

private:
    static constexpr size_t kSamples = 3;
    // The results of a node, or a tensor, with noise of the size of rounding, a few times over.
    using Shaken = std::array<std::vector<Value>, kSamples>;

    TensorId add_tensor(const Value &value);
    void check(const Value &exact, const Shaken &shaken, size_t result) const;

    DataType real_ = DataType::F32;
    Graph graph_;
    std::vector<Value> exact_;          // by tensor
    Shaken shaken_;                     // by tensor
    std::vector<int> reads_;            // by tensor
    std::vector<TensorId> candidates_;  // inputs and results
    std::map<TensorId, Value> inputs_;
    Coverage coverage_;
    const GraphKind *kind_ = nullptr;
    std::set<std::string> taken_;
};

// The graph of a seed: 10 to 60 nodes.
GraphCase random_graph(uint64_t seed, Coverage *coverage = nullptr, size_t least = 10,
                       size_t most = 60);

}  // namespace emulsion::test
