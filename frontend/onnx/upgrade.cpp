#include "frontend/onnx/upgrade.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <utility>

#include "frontend/onnx/loader.h"
#include "frontend/onnx/upgrades.h"

namespace emulsion {

namespace {

struct Rule {
    const char *type;
    int before;  // definitions older than this opset need the upgrade
    Upgrade upgrade;
    const char *becomes = nullptr;  // null: the type stays
};

const Rule *find_rule(const std::string &type, int since) {
    static const Rule kRules[] = {
        {"BatchNormalization", 14, upgrades::batch_normalization},
        {"Clip", 11, upgrades::clip},
        {"Dropout", 12, upgrades::dropout},
        {"GridSample", 20, upgrades::grid_sample},
        {"Hardmax", 13, upgrades::softmax},
        {"LogSoftmax", 13, upgrades::softmax},
        {"Pad", 11, upgrades::pad},
        {"ReduceL1", 18, upgrades::axes},
        {"ReduceL2", 18, upgrades::axes},
        {"ReduceLogSum", 18, upgrades::axes},
        {"ReduceLogSumExp", 18, upgrades::axes},
        {"ReduceMax", 18, upgrades::axes},
        {"ReduceMean", 18, upgrades::axes},
        {"ReduceMin", 18, upgrades::axes},
        {"ReduceProd", 18, upgrades::axes},
        {"ReduceSum", 13, upgrades::axes},
        {"ReduceSumSquare", 18, upgrades::axes},
        {"Resize", 11, upgrades::resize},
        {"RoiAlign", 16, upgrades::roi_align},
        {"Scatter", 11, upgrades::scatter, "ScatterElements"},
        {"Slice", 10, upgrades::slice},
        {"Softmax", 13, upgrades::softmax},
        {"Split", 18, upgrades::split},
        {"Squeeze", 13, upgrades::axes},
        {"TopK", 10, upgrades::top_k},
        {"Unsqueeze", 13, upgrades::axes},
        {"Upsample", 10, upgrades::upsample, "Resize"},
    };
    const auto *const rule = std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule &r) {
        return type == r.type && since < r.before;
    });
    return rule == std::end(kRules) ? nullptr : rule;
}

bool equals(const Attribute &attribute, const onnx::AttributeProto &value) {
    switch (value.type()) {
    case onnx::AttributeProto::INT: return attribute == Attribute(value.i());
    case onnx::AttributeProto::FLOAT: return attribute == Attribute(static_cast<double>(value.f()));
    case onnx::AttributeProto::STRING: return attribute == Attribute(value.s());
    default: return false;
    }
}

// What opsets after kOpset added and the operator's file knows.
bool is_known_addition(const std::string &type, const std::string &attribute) {
    return type == "SpaceToDepth" && attribute == "mode";
}

// An attribute that opset kOpset does not have says nothing new only where it has its default.
void require_known_form(Node &node, int since) {
    const onnx::OpSchema *own = onnx::OpSchemaRegistry::Schema(node.operator_type, since, "");
    const onnx::OpSchema *schema =
        onnx::OpSchemaRegistry::Schema(node.operator_type, static_cast<int>(kOpset), "");
    if (schema == nullptr) {
        return;  // newer than kOpset: there is one form
    }
    for (auto attribute = node.attributes.begin(); attribute != node.attributes.end();) {
        if (schema->attributes().count(attribute->first) != 0 ||
            is_known_addition(node.operator_type, attribute->first)) {
            ++attribute;
            continue;
        }
        const auto known = own->attributes().find(attribute->first);
        if (known == own->attributes().end() ||
            !equals(attribute->second, known->second.default_value)) {
            throw Error("attribute '" + attribute->first + "' of opset " + std::to_string(since) +
                            " is not supported; opset " + std::to_string(kOpset) +
                            " does not have it",
                        node.place());
        }
        attribute = node.attributes.erase(attribute);
    }
    const auto operands = static_cast<int>(node.inputs.size());
    if (operands < schema->min_input() || operands > schema->max_input()) {
        throw Error("it has " + std::to_string(operands) + " operands; opset " +
                        std::to_string(kOpset) + " has " + std::to_string(schema->min_input()) +
                        " to " + std::to_string(schema->max_input()),
                    node.place());
    }
}

}  // namespace

TensorId UpgradeContext::integers(const std::string &name,
                                  const std::vector<int64_t> &values) const {
    const TensorId id = value(name, DataType::I64, {static_cast<int64_t>(values.size())});
    std::vector<std::byte> bytes(values.size() * sizeof(int64_t));
    if (!bytes.empty()) {
        std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    graph.tensor(id).constant = make_constant(std::move(bytes));
    return id;
}

TensorId UpgradeContext::reals(const std::string &name, const std::vector<double> &values,
                               DataType type, bool scalar) const {
    const TensorId id = value(name, type,
                              scalar ? std::vector<int64_t>()
                                     : std::vector<int64_t>{static_cast<int64_t>(values.size())});
    std::vector<std::byte> bytes(values.size() * static_cast<size_t>(size_of(type)));
    for (size_t i = 0; i < values.size(); ++i) {
        if (type == DataType::F64) {
            reinterpret_cast<double *>(bytes.data())[i] = values[i];
        } else {
            reinterpret_cast<float *>(bytes.data())[i] = static_cast<float>(values[i]);
        }
    }
    graph.tensor(id).constant = make_constant(std::move(bytes));
    return id;
}

TensorId UpgradeContext::value(const std::string &name, DataType type,
                               const std::vector<int64_t> &shape) const {
    Tensor tensor;
    tensor.name = unique_name(name);
    tensor.type = type;
    tensor.shape.assign(shape.begin(), shape.end());
    return graph.add_tensor(std::move(tensor));
}

std::vector<Node> upgrade(const UpgradeContext &context, Node node, int since) {
    std::vector<Node> nodes;
    if (const Rule *rule = find_rule(node.operator_type, since)) {
        nodes = rule->upgrade(context, std::move(node));
    } else {
        nodes.push_back(std::move(node));
    }
    for (Node &made : nodes) {
        require_known_form(made, since);
    }
    return nodes;
}

std::string upgraded_type(const std::string &type, int since) {
    const Rule *rule = find_rule(type, since);
    return rule == nullptr || rule->becomes == nullptr ? type : rule->becomes;
}

}  // namespace emulsion
