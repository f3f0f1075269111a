#include "frontend/onnx/value_names.h"

#include <onnx/onnx_pb.h>

#include "frontend/onnx/names.h"

namespace emulsion {

ValueNames::ValueNames(const onnx::GraphProto &graph, const ValueNames *outer) : outer_(outer) {
    for (const onnx::ValueInfoProto &input : graph.input()) {
        require_printable(input.name(), "the name of a graph input", {});
        if (!known_.insert(input.name()).second) {
            throw Error("graph input '" + input.name() + "' is listed twice");
        }
    }
    std::unordered_set<std::string> weights;
    for (const onnx::TensorProto &tensor : graph.initializer()) {
        require_printable(tensor.name(), "the name of an initializer", {});
        if (!weights.insert(tensor.name()).second) {
            throw Error("initializer '" + tensor.name() + "' is listed twice");
        }
        known_.insert(tensor.name());
    }
    for (const onnx::NodeProto &node : graph.node()) {
        made_.insert(node.output().begin(), node.output().end());
    }
}

ValueNames::ValueNames(const onnx::FunctionProto &function) {
    for (const std::string &input : function.input()) {
        require_printable(input, "the name of an operand of function '" + function.name() + "'",
                          {});
        if (!known_.insert(input).second) {
            throw Error("function '" + function.name() + "' lists its operand '" + input +
                        "' twice");
        }
    }
    for (const onnx::NodeProto &node : function.node()) {
        made_.insert(node.output().begin(), node.output().end());
    }
}

bool ValueNames::known(const std::string &name) const {
    return known_.count(name) != 0 || (outer_ != nullptr && outer_->known(name));
}

void ValueNames::read(const std::string &name, const ErrorPlace &place) const {
    if (name.empty() || known(name)) {
        return;
    }
    require_printable(name, "the name of an input", place);
    if (made_.count(name) != 0) {
        throw Error("it reads '" + name +
                        "' before that is made; nodes must be in topological order, without cycles",
                    place);
    }
    throw Error("it reads '" + name +
                    "', which is missing: it is neither a graph input nor an initializer nor the "
                    "output of a node",
                place);
}

void ValueNames::make(const std::string &name, const ErrorPlace &place) {
    if (name.empty()) {
        return;
    }
    require_printable(name, "the name of an output", place);
    if (known(name)) {
        throw Error("it makes '" + name + "', which exists already; names must be unique", place);
    }
    known_.insert(name);
}

void ValueNames::hand_out(const std::string &name, const std::string &what) const {
    require_printable(name, "the name of a " + what, {});
    if (!known(name)) {
        throw Error(what + " '" + name + "' is made by no node");
    }
}

}  // namespace emulsion
