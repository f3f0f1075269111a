#include "frontend/onnx/importer.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/graph/remedies.h"
#include "frontend/onnx/attributes.h"
#include "frontend/onnx/body_node.h"
#include "frontend/onnx/constants.h"
#include "frontend/onnx/function_body.h"
#include "frontend/onnx/infer_types.h"
#include "frontend/onnx/known_operators.h"
#include "frontend/onnx/loose_ends.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/result_types.h"
#include "frontend/onnx/scope.h"
#include "frontend/onnx/small_values.h"
#include "frontend/onnx/structure.h"
#include "frontend/onnx/tensor_data.h"
#include "frontend/onnx/unique_names.h"
#include "frontend/onnx/upgrade.h"
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
        : model_(model), limits_(limits), weights_(std::move(weights)), refused_(refused),
          functions_(*model), types_(model->graph(), limits), names_(model->graph()) {}

    Graph run() {
        const onnx::GraphProto &proto = model_->graph();
        graph_.name = proto.name();
        graph_.opset = kOpset;
        Scope main;
        main.opset = imported_opset(*model_);
        main.owner = model_;
        for (const onnx::ValueInfoProto &input : proto.input()) {
            if (weights_.count(input.name()) == 0) {
                main.values[input.name()] = import_input(input);
            }
        }
        import_nodes(proto.node(), main);
        for (const onnx::ValueInfoProto &output : proto.output()) {
            try {
                hand_out(output.name(), main);
            } catch (const Error &error) {
                refused_.refuse_value(output.name(), error);
            }
        }
        if (!refused_.report().clean()) {
            hand_out_loose_ends(graph_, loose_ends_);
        }
        return std::move(graph_);
    }

private:
    TensorId import_input(const onnx::ValueInfoProto &input) {
        if (refused_.holds_value(input.name())) {
            return kUnknown;
        }
        try {
            graph_.inputs.push_back(graph_.add_tensor(types_.input(input)));
            return graph_.inputs.back();
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

    // Weights become tensors where they are first read; what nothing reads is dropped.
    TensorId operand(const std::string &name, const Scope &scope) {
        if (const auto known = scope.find(name)) {
            return *known;
        }
        if (scope.reaches_main()) {
            if (const auto known = weight_ids_.find(name); known != weight_ids_.end()) {
                return known->second;
            }
            if (const auto weight = weights_.find(name); weight != weights_.end()) {
                return weight_ids_[name] = graph_.add_tensor(std::move(weight->second));
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
        bind(name, constant(proto, name, value, scope), scope);
    }

    // A function of the model that is called often has its constants once: one tensor for one
    // `object` of the model, which `proto` makes a TensorProto of.
    template<typename MakeProto>
    TensorId constant(const MakeProto &proto, const std::string &name, const void *object,
                      const Scope &scope) {
        const bool lasting = scope.owner == model_;
        if (const auto known = constants_.find(object); lasting && known != constants_.end()) {
            return known->second;
        }
        ExternalData none("", 0);
        Tensor tensor = constant_tensor(proto(), none, limits_);
        tensor.name = names_.make(scope.prefix + name);
        const TensorId id = graph_.add_tensor(std::move(tensor));
        if (lasting) {
            constants_[object] = id;
        }
        return id;
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
        const auto first_inner = static_cast<TensorId>(graph_.tensors.size());
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
            scope.values[tensor.name()] = constant(proto, tensor.name(), &tensor, scope);
        }
        const auto first_inner = static_cast<TensorId>(graph_.tensors.size());
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
        if (id >= first_inner && caller.is_main() && !graph_.tensor(id).is_constant() &&
            renamed_.insert(id).second) {
            graph_.tensor(id).name = outer;
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
            if (const auto body = schema_body(*schema, node, graph_)) {
                call(node, *body, body, schema, scope);
                return;
            }
        }
        if (type == "Identity" && graph_.tensor(node.inputs.at(0)).is_constant()) {
            bind(node.proto->output(0), node.inputs[0], scope);  // a weight that is shared
            return;
        }
        make_node(*schema, node, scope);
    }

    // Operators without a file of their own, and GroupNormalization as it was before opset 21 (with
    // a scale for each group), are taken apart if ONNX says how.
    static bool is_native(const std::string &type, int since) {
        return find_operator("", type) != nullptr && !(type == "GroupNormalization" && since < 21);
    }

    // Until opset 13, BatchNormalization was asked for training by results beyond the first one.
    static void refuse_training(const onnx::OpSchema &schema, const onnx::NodeProto &node) {
        if (node.op_type() == "BatchNormalization" && schema.since_version() < 14 &&
            std::any_of(node.output().begin() + 1, node.output().end(),
                        [](const std::string &name) { return !name.empty(); })) {
            throw Error("it has " + std::to_string(node.output_size()) +
                        " results, which asks for training; accepted is inference, with one");
        }
    }

    void make_node(const onnx::OpSchema &schema, const BodyNode &body, Scope &scope) {
        refuse_training(schema, *body.proto);
        Node node;
        node.name = body.place.node;
        node.index = body.place.node_index;
        node.operator_type = body.proto->op_type();
        node.inputs = body.inputs;
        for (const auto &[name, attribute] : body.attributes) {
            node.attributes.emplace(name, attribute_of(*attribute));
        }
        const std::vector<onnx::TypeProto> inferred = infer_types(schema, body, graph_);
        for (int i = 0; i < body.proto->output_size(); ++i) {
            const std::string &name = body.proto->output(i);
            if (name.empty()) {
                node.outputs.push_back(kNoTensor);
                continue;
            }
            Tensor tensor = types_.result(inferred[static_cast<size_t>(i)], name, scope.is_main());
            if (!scope.is_main()) {
                tensor.name = names_.make(scope.prefix + name);
            }
            node.outputs.push_back(graph_.add_tensor(std::move(tensor)));
            bind(name, node.outputs.back(), scope);
        }
        const UpgradeContext context = {
            graph_, [this](const std::string &name) { return names_.make(name); }};
        for (Node &made : upgrade(context, std::move(node), schema.since_version())) {
            add(std::move(made));
        }
    }

    // Results with a value need no node.
    void add(Node node) {
        drop_empty_operands(graph_, node);
        bool open = false;
        for (TensorId &id : node.outputs) {
            if (id == kNoTensor) {
                continue;
            }
            Node single = node;
            std::fill(single.outputs.begin(), single.outputs.end(), kNoTensor);
            single.outputs[static_cast<size_t>(&id - node.outputs.data())] = id;
            graph_.tensor(id).constant = small_value(budget_, graph_, single);
            if (graph_.tensor(id).is_constant()) {
                id = kNoTensor;
            } else {
                open = true;
                types_.require_elements(graph_.tensor(id));
            }
        }
        if (open) {
            graph_.nodes.push_back(std::move(node));
        }
    }

    // A graph output is made by a node, under the output's name: what is an input, a constant or
    // another output as well is handed out by an Identity.
    void hand_out(const std::string &name, const Scope &main) {
        const TensorId id = operand(name, main);
        if (id == kUnknown) {
            return;
        }
        const Tensor &tensor = graph_.tensor(id);
        const bool is_input = id < static_cast<TensorId>(graph_.inputs.size());  // they come first
        const bool made = !tensor.is_constant() && tensor.name == name && !is_input;
        if (made) {
            graph_.outputs.push_back(id);
            return;
        }
        Tensor result = tensor;
        result.constant.reset();
        if (tensor.name == name) {
            // Two tensors can't have one name, and users know the output by it.
            if (tensor.is_constant()) {
                graph_.tensor(id).name = names_.make(name + ".value");
            } else {
                result.name = names_.make(name + ".output");
            }
        } else {
            result.name = name;
        }
        Node identity;
        identity.operator_type = "Identity";
        identity.name = result.name + ".Identity";
        identity.inputs = {id};
        types_.require_elements(result);
        identity.outputs = {graph_.add_tensor(std::move(result))};
        graph_.outputs.push_back(identity.outputs[0]);
        graph_.nodes.push_back(std::move(identity));
    }

    std::shared_ptr<const onnx::ModelProto> model_;
    const LoadLimits &limits_;
    Weights weights_;
    Refused &refused_;
    FunctionTable functions_;
    ResultTypes types_;
    UniqueNames names_;
    Graph graph_;
    int64_t imported_ = 0;
    EvaluationBudget budget_;
    std::unordered_map<std::string, TensorId> weight_ids_;
    std::unordered_map<const void *, TensorId> constants_;
    std::vector<const onnx::FunctionProto *> calls_;  // null: a branch
    std::unordered_set<TensorId> renamed_;
    std::set<TensorId> loose_ends_;  // read by nodes that were left out
};

}  // namespace

Graph import_graph(const std::shared_ptr<const onnx::ModelProto> &model, Weights weights,
                   const LoadLimits &limits, Refused &refused) {
    return Importer(model, std::move(weights), limits, refused).run();
}

}  // namespace emulsion
