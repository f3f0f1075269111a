#include "frontend/onnx/importer.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/graph/remedies.h"
#include "frontend/onnx/attributes.h"
#include "frontend/onnx/body_node.h"
#include "frontend/onnx/constants.h"
#include "frontend/onnx/function_body.h"
#include "frontend/onnx/imported_graph.h"
#include "frontend/onnx/known_operators.h"
#include "frontend/onnx/loose_ends.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/scope.h"
#include "frontend/onnx/structure.h"
#include "frontend/ops/operator.h"

namespace emulsion {

namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// Calls of functions and branches inside each other.
constexpr size_t kDeepestCall = 64;

// Nothing more of the model can be looked at.
class TooLarge : public Error {
public:
    explicit TooLarge(const std::string &message) : Error(message) {}
};

class Importer {
public:
    Importer(const std::shared_ptr<const onnx::ModelProto> &model, Weights weights,
             const LoadLimits &limits, Refused &refused)
        : model_(model), limits_(limits), refused_(refused), functions_(*model),
          graph_(model->graph(), std::move(weights), limits) {}

    Graph run() {
        const onnx::GraphProto &proto = model_->graph();
        Scope main;
        main.opset = imported_opset(*model_);
        main.owner = model_;
        for (const onnx::ValueInfoProto &input : proto.input()) {
            if (!graph_.has_weight(input.name())) {
                main.values[input.name()] = import_input(input);
            }
        }
        import_nodes(proto.node(), main);
        for (const onnx::ValueInfoProto &output : proto.output()) {
            try {
                const TensorId id = operand(output.name(), main);
                if (id != kUnknown) {
                    graph_.add_output(id, output.name());
                }
            } catch (const Error &error) {
                refused_.refuse_value(output.name(), error);
            }
        }
        Graph graph = std::move(graph_).take();
        if (!refused_.report().clean()) {
            hand_out_loose_ends(graph, loose_ends_);
        }
        return graph;
    }

private:
    TensorId import_input(const onnx::ValueInfoProto &input) {
        if (refused_.holds_value(input.name())) {
            return kUnknown;
        }
        try {
            return graph_.add_input(input);
        } catch (const Error &error) {
            refused_.refuse_value(input.name(), error);
            return kUnknown;
        }
    }

    void import_nodes(const Nodes &nodes, Scope &scope) {
        for (const onnx::NodeProto &proto : nodes) {
            charge(std::max(1, proto.output_size()));
            const BodyNode node = locate(proto, scope);
            if (refused_.holds(proto)) {
                leave_out(node, scope, Verdict::Refused);
            } else if (reads_unknown(proto, scope)) {
                leave_out_unjudged(node, scope);
            } else {
                import_or_refuse(node, scope);
            }
        }
    }

    void import_or_refuse(const BodyNode &node, Scope &scope) {
        const size_t depth = calls_.size();
        try {
            import(node, scope);
        } catch (const TooLarge &) {
            throw;
        } catch (const Error &error) {
            calls_.resize(depth);
            refuse(node, scope, error.with_place(node.place));
        }
    }

    // That the operator is not supported at all says more than what was wrong first.
    void refuse(const BodyNode &node, Scope &scope, const Error &error) {
        const bool is_failure = error.kind() != ErrorKind::Refused;
        refused_.report().refuse(is_known(node) || is_failure ? error : unknown(node));
        leave_out(node, scope, Verdict::Refused);
    }

    void leave_out_unjudged(const BodyNode &node, Scope &scope) {
        const bool known = is_known(node);
        if (!known) {
            refused_.report().refuse(unknown(node));
        }
        leave_out(node, scope, known ? Verdict::NotJudged : Verdict::Refused);
    }

    // What it makes is unknown. What it reads has to be made all the same, to be looked at further.
    void leave_out(const BodyNode &node, Scope &scope, Verdict verdict) {
        refused_.report().judge(node.place.node_index, verdict);
        for (const std::string &name : node.proto->output()) {
            bind(name, kUnknown, scope);
        }
        for (const std::string &name : node.proto->input()) {
            const auto known = scope.find(name);
            if (known && *known >= 0) {
                loose_ends_.insert(*known);
            }
        }
    }

    bool reads_unknown(const onnx::NodeProto &proto, const Scope &scope) const {
        return std::any_of(proto.input().begin(), proto.input().end(), [&](const auto &name) {
            const auto known = scope.find(name);
            return known ? *known == kUnknown : scope.reaches_main() && refused_.holds_value(name);
        });
    }

    bool is_known(const BodyNode &node) const {
        return functions_.find(*node.proto) != nullptr || has_operator(node);
    }

    static Error unknown(const BodyNode &node) {
        return unsupported_operator("", node.proto->op_type(), node.place);
    }

    BodyNode locate(const onnx::NodeProto &proto, const Scope &scope) {
        BodyNode node;
        node.proto = &proto;
        node.owner = scope.owner;
        node.opset = scope.opset;
        node.place = place_of(proto);
        if (!scope.is_main()) {
            node.place.node =
                scope.prefix + (proto.name().empty() ? proto.op_type() : proto.name());
            node.place.node_index = scope.index;
        }
        return node;
    }

    void import(BodyNode node, Scope &scope) {
        node.attributes = resolved_attributes(*node.proto, scope);
        for (const std::string &name : node.proto->input()) {
            node.inputs.push_back(name.empty() ? kNoTensor : operand(name, scope));
        }
        if (const onnx::FunctionProto *function = functions_.find(*node.proto)) {
            call(node, *function, model_, nullptr, scope);
        } else if (node.proto->op_type() == "Constant") {
            bind_constant(node, scope);
        } else if (node.proto->op_type() == "If") {
            branch(node, scope);
        } else {
            apply(node, scope);
        }
    }

    // Work that grows with something else than the file is counted in nodes: a call of a function may
    // be a few bytes.
    void charge(int64_t nodes) {
        imported_ += nodes;
        if (imported_ > limits_.nodes) {
            throw TooLarge("with functions expanded the model has more than the " +
                           std::to_string(limits_.nodes) + " nodes accepted");
        }
    }

    TensorId operand(const std::string &name, const Scope &scope) {
        if (const auto known = scope.find(name)) {
            return *known;
        }
        if (scope.reaches_main()) {
            if (graph_.has_weight(name)) {
                return graph_.weight(name);
            }
            if (refused_.holds_value(name)) {
                return kUnknown;
            }
        }
        throw Error("it reads '" + name + "', which is missing");
    }

    void bind_constant(const BodyNode &node, Scope &scope) {
        if (node.attributes.size() != 1) {
            throw Error("a Constant needs one value attribute, one output and no input");
        }
        const auto &[form, value] = *node.attributes.begin();
        const std::string &name = node.proto->output(0);
        const auto proto = [&, &form = form, &value = value] {
            return constant_value(form, *value, node.owner, node.place);
        };
        bind(name, constant(value, name, proto, scope), scope);
    }

    // `object` of the model is its identity; what belongs to a body that ONNX makes may not last.
    TensorId constant(const void *object, const std::string &name,
                      const std::function<std::shared_ptr<const onnx::TensorProto>()> &proto,
                      const Scope &scope) {
        return graph_.constant(scope.owner == model_ ? object : nullptr, scope.prefix + name,
                               proto);
    }

    void bind(const std::string &name, TensorId id, Scope &scope) {
        if (!name.empty()) {
            scope.values[name] = id;
        }
    }

    // The function's nodes in place of the call. `schema`: of an operator of ONNX, else null.
    void call(const BodyNode &node, const onnx::FunctionProto &function,
              const std::shared_ptr<const void> &owner, const onnx::OpSchema *schema,
              Scope &caller) {
        const auto active = std::find(calls_.begin(), calls_.end(), &function);
        if (active != calls_.end()) {
            throw Error("function '" + function.name() +
                        "' calls itself; recursion is not accepted");
        }
        if (schema == nullptr) {
            charge(function.input_size() + function.attribute_proto_size());
        }
        Scope scope = inner_scope(node, caller);
        scope.owner = owner;
        scope.opset = imported_opset(function);
        scope.attributes = attributes_of_call(node, function, schema);
        if (node.inputs.size() > static_cast<size_t>(function.input_size()) ||
            node.proto->output_size() > function.output_size()) {
            throw Error("it has more operands or results than function '" + function.name() + "'");
        }
        for (int i = 0; i < function.input_size(); ++i) {
            const auto position = static_cast<size_t>(i);
            scope.values[function.input(i)] =
                position < node.inputs.size() ? node.inputs[position] : kNoTensor;
        }
        const auto first_inner = graph_.next_tensor();
        calls_.push_back(&function);
        import_nodes(function.node(), scope);
        calls_.pop_back();
        for (int i = 0; i < node.proto->output_size(); ++i) {
            take_out(function.output(i), node.proto->output(i), first_inner, scope, caller);
        }
    }

    // The nodes of the branch that a constant condition chooses.
    void branch(const BodyNode &node, Scope &caller) {
        if (node.inputs.empty() || node.inputs[0] == kNoTensor ||
            !graph_.tensor(node.inputs[0]).is_constant() ||
            graph_.tensor(node.inputs[0]).constant->size != 1) {
            throw Error("control flow is not supported, unless its condition is constant")
                .with_remedy(kWithoutControlFlow);
        }
        const bool taken = *graph_.tensor(node.inputs[0]).constant->as<uint8_t>() != 0;
        const onnx::AttributeProto *attribute =
            node.attribute(taken ? "then_branch" : "else_branch");
        if (attribute == nullptr || !attribute->has_g()) {
            throw Error("it has no graph for a condition that is " +
                        std::string(taken ? "true" : "false"));
        }
        const onnx::GraphProto &graph = attribute->g();
        if (graph.output_size() != node.proto->output_size()) {
            throw Error("its branches have other results than the node");
        }
        charge(graph.initializer_size());
        Scope scope = inner_scope(node, caller);
        scope.outer = &caller;
        scope.attributes = caller.attributes;
        for (const onnx::TensorProto &tensor : graph.initializer()) {
            const auto proto = [&, &tensor = tensor] {
                return std::shared_ptr<const onnx::TensorProto>(scope.owner, &tensor);
            };
            scope.values[tensor.name()] = constant(&tensor, tensor.name(), proto, scope);
        }
        const auto first_inner = graph_.next_tensor();
        calls_.push_back(nullptr);
        import_nodes(graph.node(), scope);
        calls_.pop_back();
        for (int i = 0; i < graph.output_size(); ++i) {
            take_out(graph.output(i).name(), node.proto->output(i), first_inner, scope, caller);
        }
    }

    Scope inner_scope(const BodyNode &node, const Scope &caller) const {
        if (calls_.size() >= kDeepestCall) {
            throw Error("functions and branches are nested more than " +
                        std::to_string(kDeepestCall) + " deep");
        }
        Scope scope;
        scope.owner = caller.owner;
        scope.opset = caller.opset;
        scope.prefix = name_prefix(node.place.node);
        scope.index = std::max(0, node.place.node_index);
        return scope;
    }

    // Result `inner` of a body is `outer` for its caller, and a value made there gets this name.
    void take_out(const std::string &inner, const std::string &outer, TensorId first_inner,
                  const Scope &scope, Scope &caller) {
        if (outer.empty()) {
            return;
        }
        const TensorId id = operand(inner, scope);
        if (id == kNoTensor) {
            throw Error("its result '" + outer + "' is an operand that is absent");
        }
        if (id == kUnknown) {
            bind(outer, id, caller);
            return;
        }
        if (id >= first_inner && caller.is_main()) {
            graph_.name_as_outside(id, outer);
        }
        bind(outer, id, caller);
    }

    void apply(const BodyNode &node, Scope &scope) {
        const std::string &type = node.proto->op_type();
        if (!default_domain(node.proto->domain()).empty()) {
            throw no_such_domain(node.proto->domain());
        }
        const onnx::OpSchema *schema =
            onnx::OpSchemaRegistry::Schema(type, static_cast<int>(node.opset), "");
        if (schema == nullptr) {
            throw no_such_operator(type, node.opset);
        }
        require_operands(*schema, node);
        require_attributes(*schema, node);
        if (!is_native(type, schema->since_version())) {
            if (const auto body = schema_body(*schema, node, graph_.graph())) {
                call(node, *body, body, schema, scope);
                return;
            }
        }
        if (type == "Identity" && graph_.tensor(node.inputs.at(0)).is_constant()) {
            bind(node.proto->output(0), node.inputs[0], scope);  // a weight that is shared
            return;
        }
        const std::vector<TensorId> results = graph_.add_node(*schema, node, scope);
        for (int i = 0; i < node.proto->output_size(); ++i) {
            bind(node.proto->output(i), results[static_cast<size_t>(i)], scope);
        }
    }

    // Operators without a file of their own, and GroupNormalization as it was before opset 21 (with
    // a scale for each group), are taken apart if ONNX says how.
    static bool is_native(const std::string &type, int since) {
        return find_operator("", type) != nullptr && !(type == "GroupNormalization" && since < 21);
    }

    std::shared_ptr<const onnx::ModelProto> model_;
    const LoadLimits &limits_;
    Refused &refused_;
    FunctionTable functions_;
    ImportedGraph graph_;
    int64_t imported_ = 0;
    std::vector<const onnx::FunctionProto *> calls_;  // null: a branch
    std::set<TensorId> loose_ends_;                   // read by nodes that were left out
};

}  // namespace

Graph import_graph(const std::shared_ptr<const onnx::ModelProto> &model, Weights weights,
                   const LoadLimits &limits, Refused &refused) {
    return Importer(model, std::move(weights), limits, refused).run();
}

}  // namespace emulsion
