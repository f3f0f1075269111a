#include <algorithm>
#include <cmath>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

using Function = double (*)(double, const Node &);

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// f(x), and on what domain it is asked for.
struct Unary {
    Function apply;
    double low = -1e9, high = 1e9;
};

double gelu(double x, const Node &node) {
    return node.text("approximate", "none") == "none"
               ? 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)))
               : 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

double leaky(double x, const Node &node) { return x < 0 ? node.real("alpha", 0.01) * x : x; }

double selu(double x, const Node &) {
    constexpr double kAlpha = 1.67326319217681884765625, kGamma = 1.05070102214813232421875;
    return kGamma * (x < 0 ? kAlpha * std::expm1(x) : x);
}

double shrunk(double x, const Node &node) {
    const double lambd = node.real("lambd", 0.5), bias = node.real("bias", 0);
    return x < -lambd ? x + bias : x > lambd ? x - bias : 0;
}

double hard_sigmoid(double x, const Node &node) {
    return std::max(0.0, std::min(1.0, node.real("alpha", 0.2) * x + node.real("beta", 0.5)));
}

const std::map<std::string, Unary> kReal = {
    {"Relu", {[](double x, const Node &) { return std::max(x, 0.0); }}},
    {"Neg", {[](double x, const Node &) { return -x; }}},
    {"Abs", {[](double x, const Node &) { return std::abs(x); }}},
    {"Identity", {[](double x, const Node &) { return x; }}},
    {"Sigmoid", {[](double x, const Node &) { return sigmoid(x); }, -8, 8}},
    {"Tanh", {[](double x, const Node &) { return std::tanh(x); }, -5, 5}},
    {"Exp", {[](double x, const Node &) { return std::exp(x); }, -10, 3.5}},
    {"Log", {[](double x, const Node &) { return std::log(x); }, 0.05, 1e9}},
    {"Sqrt", {[](double x, const Node &) { return std::sqrt(x); }, 0.01, 1e9}},
    {"Erf", {[](double x, const Node &) { return std::erf(x); }, -3, 3}},
    {"Reciprocal", {[](double x, const Node &) { return 1 / x; }, 0.1, 1e9}},
    {"Sin", {[](double x, const Node &) { return std::sin(x); }, -20, 20}},
    {"Cos", {[](double x, const Node &) { return std::cos(x); }, -20, 20}},
    {"Atan", {[](double x, const Node &) { return std::atan(x); }}},
    {"Floor", {[](double x, const Node &) { return std::floor(x); }}},
    {"Ceil", {[](double x, const Node &) { return std::ceil(x); }}},
    {"Round", {[](double x, const Node &) { return std::nearbyint(x); }}},
    {"Sign", {[](double x, const Node &) { return x > 0   ? 1.0
                                                  : x < 0 ? -1.0
                                                          : 0.0; }}},
    {"Gelu", {gelu}},
    {"LeakyRelu", {leaky}},
    {"HardSigmoid", {hard_sigmoid}},
    {"HardSwish",
     {[](double x, const Node &) { return x * std::max(0.0, std::min(1.0, x / 6 + 0.5)); }}},
    {"Elu",
     {[](double x, const Node &n) { return x < 0 ? n.real("alpha", 1.0) * std::expm1(x) : x; }}},
    {"Softplus", {[](double x, const Node &) { return std::log1p(std::exp(x)); }, -20, 20}},
    {"Softsign", {[](double x, const Node &) { return x / (1 + std::abs(x)); }}},
    {"Mish",
     {[](double x, const Node &) { return x * std::tanh(std::log1p(std::exp(x))); }, -20, 20}},
    {"Selu", {selu}},
    {"Celu", {[](double x, const Node &) { return x < 0 ? std::expm1(x) : x; }}},
    {"ThresholdedRelu", {[](double x, const Node &n) { return x > n.real("alpha", 1) ? x : 0; }}},
    {"Shrink", {shrunk}},
    {"Tan", {[](double x, const Node &) { return std::tan(x); }, -1, 1}},
    {"Asin", {[](double x, const Node &) { return std::asin(x); }, -0.9, 0.9}},
    {"Acos", {[](double x, const Node &) { return std::acos(x); }, -0.9, 0.9}},
    {"Sinh", {[](double x, const Node &) { return std::sinh(x); }, -4, 4}},
    {"Cosh", {[](double x, const Node &) { return std::cosh(x); }, -4, 4}},
    {"Asinh", {[](double x, const Node &) { return std::asinh(x); }}},
    {"Acosh", {[](double x, const Node &) { return std::acosh(x); }, 1.1, 1e9}},
    {"Atanh", {[](double x, const Node &) { return std::atanh(x); }, -0.9, 0.9}},
};

std::vector<Value> reference_unary(const Call &call) {
    const Unary &unary = kReal.at(call.node.operator_type);
    Value y = call[0];
    for (double &v : y.at) {
        v = unary.apply(v, call.node);
    }
    return {y};
}

std::vector<Value> reference_clip(const Call &call) {
    Value y = call[0];
    for (double &v : y.at) {
        v = call.has(1) ? std::max(v, call[1].at[0]) : v;
        v = call.has(2) ? std::min(v, call[2].at[0]) : v;
    }
    return {y};
}

std::vector<std::string> names() {
    std::vector<std::string> all = {"Clip", "integers", "alpha", "tanh"};
    for (const auto &[name, unary] : kReal) {
        all.push_back(name);
    }
    return all;
}

void make_unary(GraphMaker &maker) {
    Draw &draw = maker.draw;
    if (draw.one_in(8)) {
        const TensorId x = maker.pick([](const Value &v) {
            return v.type == DataType::I32 || v.type == DataType::I64 || v.type == DataType::I8;
        });
        maker.option("integers");
        const auto type = draw.of<std::string>({"Neg", "Abs", "Clip", "Identity", "Sign", "Relu"});
        maker.option(type);
        const DataType element = maker.value(x).type;
        maker.node(type, type == "Clip" ? std::vector<TensorId>{x, maker.scalar(-3, element),
                                                                maker.scalar(4, element)}
                                        : std::vector<TensorId>{x});
        return;
    }
    if (draw.one_in(6)) {
        const TensorId x = maker.pick_real(0, 6);
        maker.option("Clip");
        const TensorId low = draw.one_in(3) ? kNoTensor : maker.scalar(-0.5, maker.real_type());
        std::vector<TensorId> inputs{x, low};
        if (low == kNoTensor || draw.flip()) {
            inputs.push_back(maker.scalar(0.75, maker.real_type()));
        }
        maker.node("Clip", inputs);
        return;
    }
    auto found = kReal.begin();
    std::advance(found, draw.below(kReal.size()));
    const std::string type = draw.one_in(4) ? "Relu" : found->first;
    const Unary &unary = kReal.at(type);
    maker.require(type != "Celu" || maker.real_type() == DataType::F32);  // ONNX has no other
    const TensorId x = maker.pick([&](const Value &v) {
        return v.type == maker.real_type() && std::all_of(v.at.begin(), v.at.end(), [&](double e) {
                   return e >= unary.low && e <= unary.high;
               });
    });
    maker.option(type);
    std::map<std::string, Attribute> attributes;
    if ((type == "LeakyRelu" || type == "Elu") && draw.flip()) {
        attributes["alpha"] = 0.25;
        maker.option("alpha");
    }
    if (type == "Gelu" && draw.flip()) {
        attributes["approximate"] = std::string("tanh");
        maker.option("tanh");
    }
    // They jump, so not where many values lie.
    if (type == "ThresholdedRelu") {
        attributes["alpha"] = 0.3;
    }
    if (type == "Shrink") {
        attributes["lambd"] = 0.3;
        attributes["bias"] = 0.125;
    }
    maker.node(type, {x}, attributes);
}

}  // namespace

const GraphKind &graph_kind_unary() {
    static const GraphKind kind = [] {
        GraphKind made{.name = "Unary",
                       .weight = 6,
                       .options = names(),
                       .make = make_unary,
                       .operators = {{"Clip", reference_clip}}};
        for (const auto &[name, unary] : kReal) {
            made.operators[name] = reference_unary;
        }
        return made;
    }();
    return kind;
}

}  // namespace emulsion
