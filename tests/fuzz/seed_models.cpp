#include "tests/fuzz/seed_models.h"

#include <onnx/defs/parser.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "frontend/ops/operator.h"
#include "frontend/zoo/zoo.h"
#include "tests/fuzz/frontend_run.h"
#include "tests/fuzz/node_maker.h"

namespace emulsion::fuzz {

namespace {

constexpr int kTrials = 60;  // of random nodes of one operator

// In ONNX's text form, with the opset they are for.
struct Text {
    int opset;
    const char *graph;
};

constexpr Text kGraphs[] = {
    {22, R"(agraph (float[1,3,8,8] x) => (float[1,4,8,8] y)
        <float[4,3,1,1] w = {1,2,3,4,5,6,7,8,9,10,11,12}, float[4] b = {1,2,3,4}, float[4] s = {1,1,1,1}>
        { c = Conv <kernel_shape = [1,1], pads = [0,0,0,0]> (x, w, b)
          n = BatchNormalization <epsilon = 0.001> (c, s, b, b, s)  y = Relu(n) })"},
    {22, R"(agraph (float[1,2,6,6] x) => (y)
        <int64[8] pads = {0,0,1,1,0,0,1,1}, float[2,2,3,3] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,
         1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9}>
        { p = Pad(x, pads)  c = Conv <strides = [2,2]> (p, w)  m = MaxPool <kernel_shape = [2,2]> (c)
          y = GlobalAveragePool(m) })"},
    {22, R"(agraph (float[2,3,4] x) => (y)
        { s = Shape(x)  i = Constant <value_ints = [0]> ()  n = Gather(s, i)
          r = Constant <value_ints = [-1]> ()  t = Concat <axis = 0> (n, r)  f = Reshape(x, t)
          a, b = Split <axis = 1, num_outputs = 2> (f)  y = Concat <axis = 1> (b, a) })"},
    {22, R"(agraph (float[1,4,8] x) => (y)
        <float[8,8] w = {1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,
         1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8}>
        { q = MatMul(x, w)  k = Transpose <perm = [0,2,1]> (q)  s = MatMul(q, k)
          p = Softmax <axis = -1> (s)  v = MatMul(p, q)  z = Add(v, x)  y = Gelu(z) })"},
    {22, R"(agraph (float[1,2,4,4] x) => (y)
        { sizes = Constant <value_ints = [1,2,8,8]> ()
          r = Resize <mode = "linear"> (x, , , sizes)
          st = Constant <value_ints = [0,0]> ()  en = Constant <value_ints = [4,7]> ()
          ax = Constant <value_ints = [2,3]> ()  y = Slice(r, st, en, ax) })"},
    {22, R"(agraph (float[2,3] x) => (y)
        <int64[2] shape = {4, 3}, int64[2] repeats = {2, 1}, float zero = {0}, float four = {4},
         float one = {1}>
        { c = ConstantOfShape(shape)  t = Tile(x, repeats)  a = Add(c, t)
          r = Range(zero, four, one)  u = Unsqueeze(r, repeats)  z = Squeeze(u)
          axes = Constant <value_ints = [1]> ()  m = ReduceMean <keepdims = 0> (a, axes)
          y = Mul(m, z) })"},
    {22, R"(agraph (float[2,2] x) => (y) <bool c = {1}>
        { y = If (c) <then_branch = t () => (float[2,2] a) { a = Relu(x) },
                      else_branch = e () => (float[2,2] a) { a = Neg(x) }> })"},
    {12, R"(agraph (float[2,3,4] x) => (y)
        { s = Softmax <axis = 1> (x)  q = Squeeze(s)  u = Unsqueeze <axes = [0]> (q)
          y = ReduceSum <axes = [1], keepdims = 1> (u) })"},
    {9, R"(agraph (float[1,2,3,3] x) => (y) <float[4] scales = {1,1,2,2}>
        { u = Upsample <mode = "nearest"> (x, scales)  c = Clip <min = 0.0, max = 6.0> (u)
          y = Pad <pads = [0,0,1,1,0,0,1,1]> (c) })"},
    {18, R"(agraph (float[1,4,3] x) => (y) <float[2] s = {1,2}, float[2] b = {0,1}>
        { y = GroupNormalization <num_groups = 2> (x, s, b) })"},
    {22, R"(agraph (float[1,2,3,3] x) => (y)
        <float[2,1,2,2] w = {1,2,3,4,5,6,7,8}>
        { y = ConvTranspose <group = 2, strides = [2,2], pads = [0,0,1,1]> (x, w) })"},
};

constexpr const char *kFunctions = R"(<ir_version: 10, opset_import: ["" : 22, "own" : 1]>
agraph (float[2,3] x) => (y) { a = own.scaled <factor = 2.0> (x)  y = own.twice(a, a) }
<domain: "own", opset_import: ["" : 22]> scaled <factor> (x) => (y)
    { f = Constant <value_float: float = @factor> ()  y = Mul(x, f) }
<domain: "own", opset_import: ["" : 22, "own" : 1]> twice (a, b) => (c)
    { s = Add(a, b)  c = Softplus(s) })";

onnx::ModelProto parse(const std::string &text) {
    onnx::ModelProto model;
    const auto status = onnx::OnnxParser::Parse(model, text.c_str());
    if (!status.IsOK()) {
        throw std::logic_error("a bad seed: " + status.ErrorMessage() + " in " + text);
    }
    return model;
}

onnx::ModelProto parse(const Text &text) {
    return parse("<ir_version: 10, opset_import: [\"\" : " + std::to_string(text.opset) + "]>\n" +
                 text.graph);
}

onnx::ModelProto zoo_model(const std::string &name) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("emulsion-seed-" + name)).string();
    write_zoo_model(name, path);
    onnx::ModelProto model;
    std::ifstream stream(path, std::ios::binary);
    model.ParseFromIstream(&stream);
    std::filesystem::remove(path);
    return model;
}

// Weights that lie in FrontendRun's file beside the model.
onnx::ModelProto external_data() {
    onnx::ModelProto model = parse(
        {22, "agraph (float[8] x) => (y) <float[8] w = {1,2,3,4,5,6,7,8}> { y = Add(x, w) }"});
    onnx::TensorProto &weights = *model.mutable_graph()->mutable_initializer(0);
    weights.clear_float_data();
    weights.set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const std::string &key, const std::string &value) {
        onnx::StringStringEntryProto &entry = *weights.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    };
    add("location", FrontendRun::kExternalFile);
    add("offset", "64");
    add("length", "32");
    return model;
}

}  // namespace

std::vector<onnx::ModelProto> seed_models() {
    std::vector<onnx::ModelProto> models;
    for (const ZooEntry &entry : zoo_entries()) {
        if (entry.name.starts_with("tiny_")) {
            models.push_back(zoo_model(entry.name));
        }
    }
    for (const Text &text : kGraphs) {
        models.push_back(parse(text));
    }
    models.push_back(parse(kFunctions));
    models.push_back(external_data());
    const FrontendRun run;
    for (const Operator *op : all_operators()) {
        if (op->domain == kOwnDomain) {
            continue;  // no model can name it
        }
        PortableRandom random(1, op->type);
        for (int trial = 0; trial < kTrials; ++trial) {
            onnx::ModelProto model = model_of_node(op->type, random, {.rarity = 0});
            if (run(model.SerializeAsString()).empty()) {
                models.push_back(std::move(model));
                break;
            }
        }
    }
    return models;
}

}  // namespace emulsion::fuzz
