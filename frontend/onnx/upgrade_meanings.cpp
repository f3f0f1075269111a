// Operators whose meaning, not only their form, was another one in older opsets.
#include <algorithm>

#include "frontend/onnx/upgrades.h"

namespace emulsion::upgrades {

// Until opset 8, `spatial` 0 meant one mean for every element.
std::vector<Node> batch_normalization(const UpgradeContext &, Node node) {
    if (node.integer("spatial", 1) != 1) {
        throw Error("attribute 'spatial' is " + std::to_string(node.integer("spatial", 1)) +
                        "; accepted is 1, one mean and variance for each channel",
                    node.place());
    }
    node.attributes.erase("spatial");
    return {std::move(node)};
}

// The ratio matters in training only, which old nodes can't ask for.
std::vector<Node> dropout(const UpgradeContext &, Node node) {
    node.attributes.erase("ratio");
    return {std::move(node)};
}

std::vector<Node> grid_sample(const UpgradeContext &, Node node) {
    const std::string mode = node.text("mode", "bilinear");
    node.attributes["mode"] = mode == "bilinear"  ? std::string("linear")
                              : mode == "bicubic" ? std::string("cubic")
                                                  : mode;
    return {std::move(node)};
}

std::vector<Node> roi_align(const UpgradeContext &, Node node) {
    node.attributes.emplace("coordinate_transformation_mode", std::string("output_half_pixel"));
    return {std::move(node)};
}

std::vector<Node> scatter(const UpgradeContext &, Node node) {
    node.operator_type = "ScatterElements";
    return {std::move(node)};
}

// Until opset 12 all axes from `axis` on were one:
//
//     Softmax <axis = a> (x)   ->   Reshape(Softmax <axis = -1> (Flatten <axis = a> (x)), shape of x)
std::vector<Node> softmax(const UpgradeContext &context, Node node) {
    const Tensor x = context.graph.tensor(node.inputs.at(0));
    const std::vector<int64_t> shape = x.extents();
    const int64_t rank = x.rank();
    int64_t axis = node.integer("axis", 1);
    if (axis < -rank || axis > rank) {
        throw Error("attribute 'axis' is " + std::to_string(axis) + ", but the rank of '" + x.name +
                        "' is " + std::to_string(rank),
                    node.place());
    }
    axis += axis < 0 ? rank : 0;
    node.attributes["axis"] = int64_t{-1};
    const auto inner = static_cast<std::ptrdiff_t>(axis);
    // With one axis that is larger than 1 behind `axis`, and that the last, nothing is flattened.
    if (axis < rank && std::all_of(shape.begin() + inner, shape.end() - 1,
                                   [](int64_t extent) { return extent == 1; })) {
        return {std::move(node)};
    }
    const auto product = [&](auto from, auto to) {
        int64_t count = 1;
        std::for_each(from, to, [&](int64_t extent) { count *= extent; });
        return count;
    };
    const std::vector<int64_t> flat = {product(shape.begin(), shape.begin() + inner),
                                       product(shape.begin() + inner, shape.end())};
    const TensorId result = node.outputs.at(0);
    const TensorId flat_x = context.value(node.name + ".flat", x.type, flat);
    const TensorId flat_y = context.value(node.name + ".flat_result", x.type, flat);

    Node flatten = node;
    flatten.name += "/flatten";
    flatten.operator_type = "Flatten";
    flatten.attributes = {{"axis", axis}};
    flatten.outputs = {flat_x};
    Node reshape = node;
    reshape.name += "/reshape";
    reshape.operator_type = "Reshape";
    reshape.attributes.clear();
    reshape.inputs = {flat_y, context.integers(node.name + ".shape", shape)};
    reshape.outputs = {result};
    node.inputs = {flat_x};
    node.outputs = {flat_y};
    return {std::move(flatten), std::move(node), std::move(reshape)};
}

// Opset 10 and Upsample: asymmetric coordinates, and the nearest element below, or above where the
// tensor shrinks (the standard leaves that open; it is what ONNX Runtime does).
std::vector<Node> resize(const UpgradeContext &context, Node node) {
    node.operator_type = "Resize";
    const TensorId scales = node.inputs.at(1);
    node.inputs = {node.inputs[0], kNoTensor, scales};
    node.attributes["coordinate_transformation_mode"] = std::string("asymmetric");
    const Tensor &values = context.graph.tensor(scales);
    bool shrinks = false;
    bool grows = false;
    if (values.is_constant() && values.type == DataType::F32) {
        const auto count = static_cast<size_t>(values.element_count());
        for (size_t i = 0; i < count; ++i) {
            shrinks = shrinks || values.constant->as<float>()[i] < 1.0F;
            grows = grows || values.constant->as<float>()[i] > 1.0F;
        }
    }
    if (shrinks && grows && node.text("mode", "nearest") == "nearest") {
        throw Error("'" + values.name +
                        "' enlarges one axis and shrinks another with mode "
                        "'nearest', which opset 10 leaves open; export with opset 11 or later",
                    node.place());
    }
    node.attributes["nearest_mode"] = std::string(shrinks ? "ceil" : "floor");
    return {std::move(node)};
}

std::vector<Node> upsample(const UpgradeContext &context, Node node) {
    if (node.has("scales")) {  // until opset 8
        const auto *scales = std::get_if<std::vector<double>>(&node.attributes.at("scales"));
        if (scales == nullptr) {
            throw Error("attribute 'scales' is no list of reals", node.place());
        }
        node.inputs.resize(2, kNoTensor);
        node.inputs[1] = context.reals(node.name + ".scales", *scales, DataType::F32);
        node.attributes.erase("scales");
    }
    return resize(context, std::move(node));
}

}  // namespace emulsion::upgrades
