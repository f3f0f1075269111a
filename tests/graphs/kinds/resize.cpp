#include <algorithm>
#include <cmath>

#include "tests/graphs/graph_maker.h"

namespace emulsion {

using namespace test;

namespace {

// Where the result's element `o` lies in the operand.
double source_of(const std::string &mode, int64_t o, int64_t in, int64_t out, double scale) {
    const auto x = static_cast<double>(o);
    if (mode == "asymmetric") {
        return x / scale;
    }
    if (mode == "align_corners") {
        return out == 1 ? 0.0 : x * static_cast<double>(in - 1) / static_cast<double>(out - 1);
    }
    if (mode == "pytorch_half_pixel" && out == 1) {
        return 0.0;
    }
    return (x + 0.5) / scale - 0.5;
}

double round_as(const std::string &mode, double x) {
    return mode == "floor"               ? std::floor(x)
           : mode == "ceil"              ? std::ceil(x)
           : mode == "round_prefer_ceil" ? std::floor(x + 0.5)
                                         : std::ceil(x - 0.5);
}

// Positions relative to `first` with their weights.
struct Neighbours {
    int64_t first = 0;
    std::vector<double> weights;
};

double cubic(double distance, double a) {
    const double d = std::abs(distance);
    return d <= 1  ? ((a + 2) * d - (a + 3)) * d * d + 1
           : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
                   : 0.0;
}

Neighbours neighbours(const Node &node, double x) {
    const std::string mode = node.text("mode", "nearest");
    if (mode == "nearest") {
        return {static_cast<int64_t>(round_as(node.text("nearest_mode", "round_prefer_floor"), x)),
                {1.0}};
    }
    const auto floor = static_cast<int64_t>(std::floor(x));
    const double part = x - std::floor(x);
    if (mode == "linear") {
        return {floor, {1 - part, part}};
    }
    const double a = node.real("cubic_coeff_a", -0.75);
    return {floor - 1,
            {cubic(1 + part, a), cubic(part, a), cubic(1 - part, a), cubic(2 - part, a)}};
}

std::vector<Value> reference_resize(const Call &call) {
    Value x = call[0];
    const std::string mode = call.node.text("coordinate_transformation_mode", "half_pixel");
    for (size_t axis = 0; axis < x.rank(); axis++) {
        const int64_t in = x.shape[axis];
        const bool by_size = call.has(3);
        const int64_t out =
            by_size ? call.integers(3)[axis]
                    : static_cast<int64_t>(std::floor(static_cast<double>(in) * call[2].at[axis]));
        const double scale =
            by_size ? static_cast<double>(out) / static_cast<double>(in) : call[2].at[axis];
        if (scale == 1.0) {
            continue;
        }
        Shape shape = x.shape;
        shape[axis] = out;
        Value y(x.type, shape);
        for_each_index(shape, [&](const Shape &at, size_t flat) {
            const Neighbours near =
                neighbours(call.node, source_of(mode, at[axis], in, out, scale));
            Shape from = at;
            for (size_t i = 0; i < near.weights.size(); i++) {
                from[axis] = std::clamp<int64_t>(near.first + static_cast<int64_t>(i), 0, in - 1);
                y.at[flat] += near.weights[i] * x(from);
            }
        });
        x = std::move(y);
    }
    return {x};
}

// Whether rounding the scale to f32 decides which element is the nearest: runtimes differ there.
bool near_tie(int64_t in, int64_t out, double scale, const std::string &mode) {
    for (int64_t o = 0; o < out; o++) {
        const double doubled = 2 * source_of(mode, o, in, out, scale);
        const double off = std::abs(doubled - std::nearbyint(doubled));
        const bool exact = off == 0 && static_cast<double>(static_cast<float>(scale)) == scale &&
                           std::exp2(std::nearbyint(std::log2(scale))) == scale;
        if (off < 1e-3 && !exact) {
            return true;
        }
    }
    return false;
}

void make_resize(GraphMaker &maker) {
    Draw &draw = maker.draw;
    const TensorId x = maker.pick_real(1, 5);
    const Shape in = maker.shape(x);
    const auto mode = draw.of<std::string>({"nearest", "nearest", "linear", "cubic"});
    // Of half as many elements each lies in the middle of two.
    const bool ties = mode == "nearest" && draw.flip();
    const auto coordinates = ties ? std::string("half_pixel")
                                  : draw.of<std::string>({"half_pixel", "asymmetric",
                                                          "align_corners", "pytorch_half_pixel"});
    std::map<std::string, Attribute> attributes = {{"mode", mode},
                                                   {"coordinate_transformation_mode", coordinates}};
    if (mode == "nearest") {
        const auto nearest =
            draw.of<std::string>({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
        attributes["nearest_mode"] = nearest;
        maker.option(nearest);
    }
    if (ties) {
        maker.option("ties");
    }
    maker.option(mode);
    maker.option(coordinates);
    const bool by_size = !ties && draw.flip();
    maker.option(by_size ? "sizes" : "scales");
    Shape sizes = in;
    Value scales(DataType::F32, {static_cast<int64_t>(in.size())});
    std::fill(scales.at.begin(), scales.at.end(), 1.0);
    bool any = false;
    for (size_t i = 0; i < in.size(); i++) {
        if (in.size() > 2 && i < 2 ? !draw.one_in(8) : draw.one_in(4)) {
            continue;
        }
        const double scale = ties ? 0.5 : draw.of<double>({0.5, 2.0, 2.0, 1.5, 3.0});
        sizes[i] = by_size ? draw.integer(1, 2 * in[i])
                           : static_cast<int64_t>(std::floor(static_cast<double>(in[i]) * scale));
        scales.at[i] = by_size ? 1.0 : scale;
        const double real =
            by_size ? static_cast<double>(sizes[i]) / static_cast<double>(in[i]) : scale;
        maker.require(sizes[i] > 0 &&
                      (mode != "nearest" || !near_tie(in[i], sizes[i], real, coordinates)));
        // Runtimes disagree on where the last element of a fraction of an element lies.
        const bool whole =
            by_size || static_cast<double>(sizes[i]) == static_cast<double>(in[i]) * scale;
        maker.require(whole || coordinates == "asymmetric" || coordinates == "half_pixel");
        any = any || real != 1.0;
        maker.option(real > 1 ? "larger" : "smaller");
    }
    maker.require(any);
    std::vector<TensorId> inputs = {x, kNoTensor};
    if (by_size) {
        inputs.push_back(kNoTensor);
        inputs.push_back(maker.list(sizes));
    } else {
        inputs.push_back(maker.constant(scales));
    }
    maker.node("Resize", inputs, attributes);
}

}  // namespace

const GraphKind &graph_kind_resize() {
    static const GraphKind kind = {
        .name = "Resize",
        .weight = 3,
        .options = {"nearest", "ties", "linear", "cubic", "half_pixel", "asymmetric",
                    "align_corners", "pytorch_half_pixel", "round_prefer_floor",
                    "round_prefer_ceil", "floor", "ceil", "sizes", "scales", "larger", "smaller"},
        .make = make_resize,
        .operators = {{"Resize", reference_resize}},
    };
    return kind;
}

}  // namespace emulsion
