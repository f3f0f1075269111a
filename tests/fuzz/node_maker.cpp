#include "tests/fuzz/node_maker.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <vector>

#include "frontend/onnx/attributes.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/tensor_data.h"

namespace emulsion::fuzz {

namespace {

using onnx::AttributeProto;
using onnx::OpSchema;
using onnx::TensorProto;

constexpr size_t kLargestConstant = 4096;  // elements

// At kOpset, or, of newer operators, at their first.
const OpSchema &schema_of(const std::string &type) {
    const OpSchema *schema = onnx::OpSchemaRegistry::Schema(type, static_cast<int>(kOpset), "");
    schema = schema != nullptr ? schema : onnx::OpSchemaRegistry::Schema(type);
    if (schema == nullptr) {
        throw std::logic_error("ONNX does not define " + type);
    }
    return *schema;
}

const std::map<std::string, int> &type_numbers() {
    static const std::map<std::string, int> numbers = {
        {"tensor(float)", TensorProto::FLOAT},   {"tensor(double)", TensorProto::DOUBLE},
        {"tensor(int8)", TensorProto::INT8},     {"tensor(int16)", TensorProto::INT16},
        {"tensor(int32)", TensorProto::INT32},   {"tensor(int64)", TensorProto::INT64},
        {"tensor(uint8)", TensorProto::UINT8},   {"tensor(uint16)", TensorProto::UINT16},
        {"tensor(uint32)", TensorProto::UINT32}, {"tensor(uint64)", TensorProto::UINT64},
        {"tensor(bool)", TensorProto::BOOL},     {"tensor(float16)", TensorProto::FLOAT16},
        {"tensor(string)", TensorProto::STRING}};
    return numbers;
}

// An element with every bit at random, or a number that means something for the type.
std::string element(int type, PortableRandom &random, Hostility hostility) {
    const auto bytes = [](auto value) {
        return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
    };
    const int64_t number = integer(random, hostility);
    switch (type) {
    case TensorProto::FLOAT: return bytes(static_cast<float>(real(random, hostility)));
    case TensorProto::DOUBLE: return bytes(real(random, hostility));
    case TensorProto::INT64:
    case TensorProto::UINT64: return bytes(number);
    case TensorProto::INT32:
    case TensorProto::UINT32: return bytes(static_cast<int32_t>(number));
    case TensorProto::INT16:
    case TensorProto::UINT16:
    case TensorProto::FLOAT16: return bytes(static_cast<int16_t>(number));
    default: return bytes(static_cast<int8_t>(number));
    }
}

class NodeMaker {
public:
    NodeMaker(const std::string &type, PortableRandom &random, Hostility hostility)
        : schema_(schema_of(type)), random_(random), hostility_(hostility) {
        model_.set_ir_version(10);
        onnx::OperatorSetIdProto &opset = *model_.add_opset_import();
        opset.set_domain("");
        opset.set_version(std::max<int64_t>(kOpset, schema_.since_version()));
        graph().set_name("g");
        node_ = graph().add_node();
        node_->set_name("node");
        node_->set_op_type(type);
        for (size_t axes = pick(random_, 6); axes > 0; --axes) {
            shape_.push_back(extent(random_, {}));
        }
    }

    onnx::ModelProto run() {
        operands();
        results();
        for (const auto &[name, attribute] : schema_.attributes()) {
            if (attribute.required ? !hostility_.strikes(random_) : one_in(random_, 2)) {
                add_attribute(name, attribute.type);
            }
        }
        return std::move(model_);
    }

private:
    onnx::GraphProto &graph() { return *model_.mutable_graph(); }

    void operands() {
        const auto &formal = schema_.inputs();
        const auto least = static_cast<size_t>(schema_.min_input());
        const size_t most = std::min(static_cast<size_t>(schema_.max_input()), formal.size() + 2);
        const size_t count = least + pick(random_, most - least + 1);
        for (size_t i = 0; i < count; ++i) {
            const OpSchema::FormalParameter &parameter = formal[std::min(i, formal.size() - 1)];
            if (parameter.GetOption() == OpSchema::Optional && i + 1 < count &&
                one_in(random_, 3)) {
                node_->add_input("");
            } else {
                operand("x" + std::to_string(i), parameter);
            }
        }
    }

    // One type for all parameters of one type parameter ("T").
    int type_of(const OpSchema::FormalParameter &parameter) {
        const auto known = types_.find(parameter.GetTypeStr());
        if (known != types_.end() && !hostility_.strikes(random_)) {
            return known->second;
        }
        std::vector<int> accepted;
        for (const std::string *name : parameter.GetTypes()) {
            const auto number = type_numbers().find(*name);
            if (number != type_numbers().end() && number->second != TensorProto::STRING &&
                number->second != TensorProto::FLOAT16) {
                accepted.push_back(number->second);
            }
        }
        std::sort(accepted.begin(), accepted.end());
        if (accepted.empty()) {
            return TensorProto::FLOAT;
        }
        // Mostly what networks are made of.
        const bool real = accepted.front() == TensorProto::FLOAT && !one_in(random_, 3);
        const int type =
            real ? static_cast<int>(TensorProto::FLOAT) : choose_from(random_, accepted);
        types_[parameter.GetTypeStr()] = type;
        return type;
    }

    // That of the first operand, one that can be broadcast to it, a list, or something else.
    std::vector<int64_t> shape_for(int type) {
        const bool list = type == TensorProto::INT64 && !one_in(random_, 3);
        std::vector<int64_t> shape = shape_;
        switch (list ? 3 : pick(random_, 8)) {
        case 0:
        case 1:
            if (!shape.empty()) {
                choose_from(random_, shape) = 1;
            }
            break;
        case 2:
            if (!shape.empty()) {
                shape.erase(shape.begin());
            }
            break;
        case 3:
            return {static_cast<int64_t>(pick(random_, 2) == 0 ? shape_.size() : pick(random_, 5))};
        case 4:
            for (int64_t &value : shape) {
                value = extent(random_, hostility_);
            }
            break;
        default: break;
        }
        return shape;
    }

    void operand(const std::string &name, const OpSchema::FormalParameter &parameter) {
        node_->add_input(name);
        const int type = type_of(parameter);
        const std::vector<int64_t> shape = node_->input_size() == 1 ? shape_ : shape_for(type);
        size_t count = 1;
        for (const int64_t each : shape) {
            count =
                each < 0 || each > 1000 ? kLargestConstant + 1 : count * static_cast<size_t>(each);
        }
        const bool constant = type == TensorProto::INT64 ? !one_in(random_, 4) : one_in(random_, 4);
        if (constant && count <= kLargestConstant) {
            TensorProto &tensor = *graph().add_initializer();
            tensor.set_name(name);
            tensor.set_data_type(type);
            *tensor.mutable_dims() = {shape.begin(), shape.end()};
            for (size_t i = 0; i < count; ++i) {
                *tensor.mutable_raw_data() += element(type, random_, hostility_);
            }
            return;
        }
        onnx::ValueInfoProto &input = *graph().add_input();
        input.set_name(name);
        auto &dense = *input.mutable_type()->mutable_tensor_type();
        dense.set_elem_type(type);
        for (const int64_t each : shape) {
            dense.mutable_shape()->add_dim()->set_dim_value(each);
        }
        dense.mutable_shape();
    }

    void results() {
        const size_t most =
            std::min(static_cast<size_t>(schema_.max_output()), schema_.outputs().size() + 2);
        const auto least = static_cast<size_t>(std::max(1, schema_.min_output()));
        // Mostly one: what is optional is often not supported.
        const size_t count = one_in(random_, 3) ? least + pick(random_, most - least + 1) : least;
        for (size_t i = 0; i < count; ++i) {
            const std::string name = "y" + std::to_string(i);
            node_->add_output(name);
            graph().add_output()->set_name(name);
        }
    }

    void add_attribute(const std::string &name, AttributeProto::AttributeType type) {
        AttributeProto &attribute = *node_->add_attribute();
        attribute.set_name(name);
        attribute.set_type(type);
        const size_t rank = shape_.size();
        const size_t spatial = rank > 2 ? rank - 2 : 0;
        const size_t count =
            hostility_.strikes(random_)
                ? pick(random_, 12)
                : choose(random_, {spatial, spatial, 2 * spatial, rank, size_t{1}});
        switch (type) {
        case AttributeProto::INT: attribute.set_i(integer(random_, hostility_)); break;
        case AttributeProto::FLOAT:
            attribute.set_f(static_cast<float>(real(random_, hostility_)));
            break;
        case AttributeProto::STRING: attribute.set_s(text(random_, hostility_)); break;
        case AttributeProto::INTS:
            for (size_t i = 0; i < count; ++i) {
                attribute.add_ints(hostility_.strikes(random_)
                                       ? integer(random_, hostility_)
                                       : static_cast<int64_t>(1 + pick(random_, 2)));
            }
            break;
        case AttributeProto::FLOATS:
            for (size_t i = 0; i < count; ++i) {
                attribute.add_floats(static_cast<float>(real(random_, hostility_)));
            }
            break;
        case AttributeProto::STRINGS: attribute.add_strings(text(random_, hostility_)); break;
        case AttributeProto::TENSOR: {
            TensorProto &tensor = *attribute.mutable_t();
            tensor.set_data_type(choose_from(random_, kTensorTypes));
            tensor.add_dims(1);
            tensor.set_raw_data(element(tensor.data_type(), random_, hostility_));
            break;
        }
        default: node_->mutable_attribute()->RemoveLast();
        }
    }

    static constexpr std::array<int, 4> kTensorTypes = {TensorProto::FLOAT, TensorProto::INT64,
                                                        TensorProto::INT32, TensorProto::BOOL};

    const OpSchema &schema_;
    PortableRandom &random_;
    Hostility hostility_;
    onnx::ModelProto model_;
    onnx::NodeProto *node_ = nullptr;
    std::vector<int64_t> shape_;
    std::map<std::string, int> types_;
};

}  // namespace

onnx::ModelProto model_of_node(const std::string &type, PortableRandom &random,
                               Hostility hostility) {
    return NodeMaker(type, random, hostility).run();
}

namespace {

Attribute random_attribute(PortableRandom &random, Hostility hostility) {
    switch (pick(random, 5)) {
    case 0: return integer(random, hostility);
    case 1: return real(random, hostility);
    case 2: return text(random, hostility);
    case 3: return integers(random, pick(random, 9), hostility);
    default: return std::vector<double>(pick(random, 5), real(random, hostility));
    }
}

Tensor input_tensor(const onnx::ValueInfoProto &input) {
    Tensor tensor;
    tensor.name = input.name();
    tensor.type = data_type_of(input.type().tensor_type().elem_type(), "an input");
    for (const auto &dim : input.type().tensor_type().shape().dim()) {
        tensor.shape.emplace_back(dim.dim_value());
    }
    return tensor;
}

}  // namespace

Graph graph_of_node(const std::string &type, PortableRandom &random, Hostility hostility) {
    const onnx::ModelProto model = model_of_node(type, random, hostility);
    Graph graph;
    graph.opset = kOpset;
    std::map<std::string, TensorId> ids;
    for (const onnx::ValueInfoProto &input : model.graph().input()) {
        ids[input.name()] = graph.add_tensor(input_tensor(input));
        graph.inputs.push_back(ids[input.name()]);
    }
    ExternalData none("", 0);
    for (const TensorProto &initializer : model.graph().initializer()) {
        ids[initializer.name()] = graph.add_tensor(
            constant_tensor(std::make_shared<TensorProto>(initializer), none, LoadLimits()));
    }
    const onnx::NodeProto &proto = model.graph().node(0);
    Node node;
    node.name = "node";
    node.index = 0;
    node.operator_type = type;
    for (const std::string &name : proto.input()) {
        node.inputs.push_back(name.empty() ? kNoTensor : ids.at(name));
    }
    if (one_in(random, 4) && !node.inputs.empty()) {
        switch (pick(random, 3)) {
        case 0: node.inputs.pop_back(); break;
        case 1: node.inputs.push_back(choose_from(random, node.inputs)); break;
        default: choose_from(random, node.inputs) = kNoTensor;
        }
    }
    for (const onnx::AttributeProto &attribute : proto.attribute()) {
        node.attributes.emplace(attribute.name(), one_in(random, 8)
                                                      ? random_attribute(random, hostility)
                                                      : attribute_of(attribute));
    }

    Tensor result = graph.tensors.empty() ? Tensor() : choose_from(random, graph.tensors);
    result.name = "y";
    result.constant.reset();
    if (one_in(random, 4)) {
        result.type = choose(random, {DataType::F32, DataType::I64, DataType::Bool, DataType::F64});
    }
    if (!one_in(random, 3)) {
        result.shape.clear();
        for (size_t axes = pick(random, 6); axes > 0; --axes) {
            result.shape.emplace_back(extent(random, hostility));
        }
    }
    // Which of the operator's results it is.
    node.outputs.assign(one_in(random, 4) ? pick(random, 4) : 0, kNoTensor);
    graph.outputs.push_back(graph.add_tensor(std::move(result)));
    node.outputs.push_back(graph.outputs.back());
    graph.nodes.push_back(std::move(node));
    return graph;
}

}  // namespace emulsion::fuzz
