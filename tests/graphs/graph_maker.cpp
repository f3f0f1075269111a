#include "tests/graphs/graph_maker.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/onnx/loader.h"
#include "tests/lower/network_maker.h"

namespace emulsion::test {

namespace {

constexpr int64_t kMostElements = 6000;  // of a value
constexpr double kLargestReal = 60.0;
constexpr double kLargestInteger = 30'000.0;
// Rounding of f32, a few times over: relative to the element, and to what was summed up to it.
constexpr double kNoise = 2e-6;
// How much of the bound on errors noise may take.
constexpr double kShareOfBound = 0.25;

// Operators that give elements of their operands, or the same with another sign: no rounding.
const std::set<std::string> kExact = {"Relu",
                                      "Neg",
                                      "Abs",
                                      "Max",
                                      "Min",
                                      "Identity",
                                      "Clip",
                                      "Concat",
                                      "Split",
                                      "Slice",
                                      "Pad",
                                      "Transpose",
                                      "Reshape",
                                      "Flatten",
                                      "Where",
                                      "Squeeze",
                                      "Unsqueeze",
                                      "Gather",
                                      "GatherElements",
                                      "Expand",
                                      "Tile",
                                      "Trilu",
                                      "MaxPool",
                                      "ReduceMax",
                                      "ReduceMin",
                                      "DepthToSpace",
                                      "SpaceToDepth",
                                      "Round",
                                      "Floor",
                                      "Ceil",
                                      "Sign",
                                      "Cast",
                                      "GlobalMaxPool",
                                      "GatherND",
                                      "ScatterElements",
                                      "ScatterND",
                                      "Hardmax",
                                      "OneHot",
                                      "ReverseSequence"};

double largest_of(DataType type) {
    switch (type) {
    case DataType::I8: return 127;
    case DataType::U8: return 255;
    case DataType::Bool: return 1;
    default: return is_float(type) ? kLargestReal : kLargestInteger;
    }
}

// As rounding would, more strongly.
void shake(Value &value, Draw &draw) {
    if (!is_float(value.type)) {
        return;
    }
    double mean = 0;
    for (const double v : value.at) {
        mean += std::abs(v) / static_cast<double>(value.at.size());
    }
    for (double &v : value.at) {
        v += draw.real(-kNoise, kNoise) * (std::abs(v) + mean);
    }
}

bool is_unsigned(DataType type) {
    return type == DataType::U8 || type == DataType::U16 || type == DataType::U32 ||
           type == DataType::U64 || type == DataType::Bool;
}

}  // namespace

GraphMaker::GraphMaker(uint64_t seed) : draw(seed) {
    graph_.opset = kOpset;
    graph_.name = "seed" + std::to_string(seed);
    real_ = draw.one_in(10) ? DataType::F64 : DataType::F32;
    const int64_t first = draw.integer(0, 9);
    if (first < 7) {
        input(real_, {draw.of<int64_t>({1, 1, 1, 2, 3}), channels(),
                      draw.of<int64_t>({1, 2, 3, 5, 7, 8, 9, 13, 16}),
                      draw.of<int64_t>({1, 2, 3, 5, 7, 8, 9, 14, 17})});
    } else {
        Shape shape;
        for (int64_t i = draw.integer(first == 9 ? 0 : 2, 5); i > 0; i--) {
            shape.push_back(draw.of<int64_t>({1, 2, 3, 4, 5, 7, 8, 13}));
        }
        while (element_count(shape) > kMostElements / 2) {
            int64_t &extent = shape[static_cast<size_t>(draw.below(shape.size()))];
            extent = (extent + 1) / 2;
        }
        input(real_, shape);
    }
    if (draw.flip()) {
        input(real_, shape(candidates_.front()));
    }
}

int64_t GraphMaker::channels() {
    return draw.of<int64_t>({1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16, 16, 17, 24, 32, 33});
}

TensorId GraphMaker::add_tensor(const Value &value) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(graph_.tensors.size());
    tensor.type = value.type;
    tensor.shape.assign(value.shape.begin(), value.shape.end());
    exact_.push_back(value);
    for (std::vector<Value> &sample : shaken_) {
        sample.push_back(value);
    }
    reads_.push_back(0);
    return graph_.add_tensor(std::move(tensor));
}

TensorId GraphMaker::pick(const std::function<bool(const Value &)> &fits) {
    std::vector<TensorId> fit, unread;
    for (const TensorId id : candidates_) {
        if (fits(value(id))) {
            fit.push_back(id);
            if (reads_[static_cast<size_t>(id)] == 0) {
                unread.push_back(id);
            }
        }
    }
    require(!fit.empty());
    const int64_t how = draw.integer(0, 9);
    return how < 5 ? fit.back() : how < 8 && !unread.empty() ? draw.of(unread) : draw.of(fit);
}

TensorId GraphMaker::pick_real(size_t least_rank, size_t most_rank) {
    return pick([&](const Value &v) {
        return v.type == real_ && v.rank() >= least_rank && v.rank() <= most_rank;
    });
}

TensorId GraphMaker::pick_image(size_t least_spatial, size_t most_spatial) {
    return pick_real(least_spatial + 2, most_spatial + 2);
}

TensorId GraphMaker::constant(const Value &value) {
    const TensorId id = add_tensor(value);
    graph_.tensor(id).constant = make_constant(to_bytes(value.at, value.type));
    return id;
}

TensorId GraphMaker::scalar(double number, DataType type) {
    Value value(type, {});
    value.at = {number};
    round_to_type(value);
    return constant(value);
}

TensorId GraphMaker::list(const std::vector<int64_t> &values, DataType type) {
    Value value(type, {static_cast<int64_t>(values.size())});
    value.at.assign(values.begin(), values.end());
    return constant(value);
}

TensorId GraphMaker::input(DataType type, const Shape &shape, int64_t low, int64_t high) {
    Value value(type, shape);
    for (double &v : value.at) {
        v = is_float(type) ? static_cast<double>(draw.integer(-64, 64)) / 32.0
            : type == DataType::Bool
                ? static_cast<double>(draw.integer(0, 1))
                : static_cast<double>(
                      draw.integer(is_unsigned(type) ? std::max<int64_t>(low, 0) : low, high));
    }
    const TensorId id = add_tensor(value);
    graph_.inputs.push_back(id);
    inputs_[id] = value;
    candidates_.push_back(id);
    return id;
}

TensorId GraphMaker::weights(const Shape &shape, double scale) {
    Value value(real_, shape);
    for (double &v : value.at) {
        v = draw.real(-scale, scale);
        v = static_cast<double>(static_cast<float>(v));
    }
    if (!draw.one_in(10)) {
        return constant(value);
    }
    const TensorId id = add_tensor(value);
    graph_.inputs.push_back(id);
    inputs_[id] = value;
    return id;
}

void GraphMaker::check(const Value &exact, const Shaken &shaken, size_t result) const {
    require(!exact.at.empty() && element_count(exact.shape) <= kMostElements && exact.rank() <= 6);
    const double largest = largest_of(exact.type);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (size_t i = 0; i < exact.at.size(); i++) {
        const double v = exact.at[i];
        require(std::isfinite(v) && std::abs(v) <= largest && (v >= 0 || !is_unsigned(exact.type)));
        const double bound =
            is_float(exact.type) ? kShareOfBound * (1e-4 + 1e-3 * std::abs(v)) : 0.0;
        for (const std::vector<Value> &sample : shaken) {
            require(std::abs(v - sample[result].at[i]) <= bound);
        }
        low = std::min(low, v);
        high = std::max(high, v);
    }
    // What is the same everywhere shows no mistake.
    const double spread = is_float(exact.type) ? 0.02 : 0.0;
    require(exact.at.size() < 3 || high - low > spread);
}

std::vector<TensorId> GraphMaker::nodes(const std::string &type,
                                        const std::vector<TensorId> &inputs,
                                        std::map<std::string, Attribute> attributes,
                                        size_t outputs) {
    Node node;
    node.operator_type = type;
    node.inputs = inputs;
    node.attributes = std::move(attributes);
    const auto evaluated = [&](const std::vector<Value> &values) {
        Call call{node, {}};
        for (const TensorId id : inputs) {
            call.inputs.push_back(id == kNoTensor ? nullptr : &values[static_cast<size_t>(id)]);
        }
        return evaluate_call(call);
    };
    const std::vector<Value> results = evaluated(exact_);
    require(results.size() >= outputs);
    Shaken others;
    for (size_t sample = 0; sample < kSamples; sample++) {
        others[sample] = evaluated(shaken_[sample]);
        for (size_t i = 0; i < outputs; i++) {
            require(others[sample][i].shape == results[i].shape);
            if (kExact.count(type) == 0) {
                shake(others[sample][i], draw);
            }
        }
    }
    std::vector<TensorId> ids;
    for (size_t i = 0; i < outputs; i++) {
        check(results[i], others, i);
        const TensorId id = add_tensor(results[i]);
        for (size_t sample = 0; sample < kSamples; sample++) {
            shaken_[sample].back() = others[sample][i];
        }
        ids.push_back(id);
        candidates_.push_back(id);
    }
    for (const TensorId id : inputs) {
        if (id != kNoTensor) {
            reads_[static_cast<size_t>(id)]++;
        }
    }
    // As graphs have them after loading: one node for each result.
    for (size_t i = 0; i < outputs; i++) {
        Node one = node;
        one.index = static_cast<int>(graph_.nodes.size());
        one.name = type + "_" + std::to_string(one.index);
        one.outputs.assign(outputs, kNoTensor);
        one.outputs[i] = ids[i];
        graph_.nodes.push_back(std::move(one));
    }
    return ids;
}

void GraphMaker::option(const std::string &name) {
    const auto &known = kind_->options;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        throw std::logic_error("kind " + kind_->name + " has no option " + name);
    }
    taken_.insert(name);
}

bool GraphMaker::try_kind(const GraphKind &kind) {
    const Graph graph = graph_;
    const size_t tensors = exact_.size(), candidates = candidates_.size();
    const std::vector<int> reads = reads_;
    kind_ = &kind;
    taken_.clear();
    try {
        kind.make(*this);
    } catch (const Unfit &) {
        graph_ = graph;
        exact_.resize(tensors);
        for (std::vector<Value> &sample : shaken_) {
            sample.resize(tensors);
        }
        candidates_.resize(candidates);
        std::erase_if(inputs_,
                      [&](const auto &each) { return static_cast<size_t>(each.first) >= tensors; });
        reads_ = reads;
        return false;
    }
    coverage_[{kind.name, ""}]++;
    for (const std::string &name : taken_) {
        coverage_[{kind.name, name}]++;
    }
    return true;
}

GraphCase GraphMaker::finish() {
    for (const Node &node : graph_.nodes) {
        const TensorId id = node.result();
        if (reads_[static_cast<size_t>(id)] == 0 || draw.one_in(12)) {
            graph_.outputs.push_back(id);
        }
    }
    GraphCase result;
    std::erase_if(graph_.inputs, [&](TensorId id) { return reads_[static_cast<size_t>(id)] == 0; });
    for (const TensorId id : graph_.inputs) {
        result.inputs.push_back(inputs_.at(id));
    }
    graph_.verify();
    result.graph = graph_;
    return result;
}

GraphCase random_graph(uint64_t seed, Coverage *coverage, size_t least, size_t most) {
    GraphMaker maker(seed);
    std::vector<const GraphKind *> drawn;
    for (const GraphKind *kind : all_graph_kinds()) {
        drawn.insert(drawn.end(), static_cast<size_t>(kind->weight), kind);
    }
    const auto wanted = static_cast<size_t>(
        maker.draw.integer(static_cast<int64_t>(least), static_cast<int64_t>(most)));
    for (int attempts = 0; maker.node_count() < wanted && attempts < 2000; attempts++) {
        maker.try_kind(*maker.draw.of(drawn));
    }
    if (coverage != nullptr) {
        for (const auto &[key, count] : maker.coverage()) {
            (*coverage)[key] += count;
        }
    }
    return maker.finish();
}

}  // namespace emulsion::test
