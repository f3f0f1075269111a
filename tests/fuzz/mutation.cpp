#include "tests/fuzz/mutation.h"

#include <onnx/defs/schema.h>

#include <array>
#include <string>
#include <vector>

#include "frontend/ops/operator.h"
#include "tests/fuzz/frontend_run.h"
#include "tests/fuzz/hostile_values.h"

namespace emulsion::fuzz {

namespace {

using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;

class Mutator {
public:
    Mutator(onnx::ModelProto &model, PortableRandom &random)
        : model_(model), graph_(*model.mutable_graph()), random_(random) {}

    void run() {
        static constexpr std::array kChanges = {&Mutator::attribute_value,
                                                &Mutator::attribute_value,
                                                &Mutator::attribute_value,
                                                &Mutator::attribute_list,
                                                &Mutator::edge,
                                                &Mutator::edge,
                                                &Mutator::operand_list,
                                                &Mutator::operator_type,
                                                &Mutator::nodes,
                                                &Mutator::declared_shape,
                                                &Mutator::declared_shape,
                                                &Mutator::declared_type,
                                                &Mutator::tensor_shape,
                                                &Mutator::tensor_type,
                                                &Mutator::tensor_bytes,
                                                &Mutator::tensor_values,
                                                &Mutator::tensor_values,
                                                &Mutator::external,
                                                &Mutator::names,
                                                &Mutator::versions,
                                                &Mutator::constancy,
                                                &Mutator::outputs};
        for (size_t left = 1 + pick(random_, 4); left > 0; --left) {
            (this->*kChanges.at(pick(random_, kChanges.size())))();
        }
    }

private:
    // A list of nodes: the graph's, a function's or a branch's.
    google::protobuf::RepeatedPtrField<NodeProto> &node_list() {
        if (model_.functions_size() > 0 && one_in(random_, 3)) {
            return *choose_from(random_, *model_.mutable_functions()).mutable_node();
        }
        auto *nodes = graph_.mutable_node();
        for (NodeProto &node : *nodes) {
            for (AttributeProto &attribute : *node.mutable_attribute()) {
                if (attribute.has_g() && one_in(random_, 2)) {
                    return *attribute.mutable_g()->mutable_node();
                }
            }
        }
        return *nodes;
    }

    NodeProto *node() {
        auto &nodes = node_list();
        return nodes.empty() ? nullptr : &choose_from(random_, nodes);
    }

    TensorProto *tensor() {
        std::vector<TensorProto *> all;
        for (TensorProto &each : *graph_.mutable_initializer()) {
            all.push_back(&each);
        }
        for (NodeProto &each : *graph_.mutable_node()) {
            for (AttributeProto &attribute : *each.mutable_attribute()) {
                if (attribute.has_t()) {
                    all.push_back(attribute.mutable_t());
                }
            }
        }
        return all.empty() ? nullptr : choose_from(random_, all);
    }

    onnx::ValueInfoProto *declaration() {
        const size_t kind = pick(random_, 3);
        auto &list = kind == 0   ? *graph_.mutable_value_info()
                     : kind == 1 ? *graph_.mutable_output()
                                 : *graph_.mutable_input();
        return list.empty() ? nullptr : &choose_from(random_, list);
    }

    void attribute_value() {
        NodeProto *changed = node();
        if (changed == nullptr) {
            return;
        }
        if (changed->attribute_size() == 0) {
            add_attribute(*changed);
            return;
        }
        AttributeProto &attribute = choose_from(random_, *changed->mutable_attribute());
        switch (attribute.type()) {
        case AttributeProto::INT: attribute.set_i(integer(random_, kOften)); break;
        case AttributeProto::FLOAT:
            attribute.set_f(static_cast<float>(real(random_, kOften)));
            break;
        case AttributeProto::STRING: attribute.set_s(text(random_, kSeldom)); break;
        case AttributeProto::INTS: change_list(*attribute.mutable_ints()); break;
        case AttributeProto::FLOATS:
            attribute.add_floats(static_cast<float>(real(random_, kOften)));
            break;
        default: attribute.set_type(AttributeProto::INT); break;
        }
    }

    void change_list(google::protobuf::RepeatedField<int64_t> &list) {
        switch (pick(random_, 4)) {
        case 0: list.Add(integer(random_, kOften)); break;
        case 1:
            if (!list.empty()) {
                list.RemoveLast();
            }
            break;
        default:
            if (!list.empty()) {
                list[static_cast<int>(pick(random_, static_cast<size_t>(list.size())))] =
                    integer(random_, kOften);
            }
        }
    }

    // One that ONNX gives the operator.
    void add_attribute(NodeProto &changed) {
        const onnx::OpSchema *schema = onnx::OpSchemaRegistry::Schema(changed.op_type());
        if (schema == nullptr || schema->attributes().empty()) {
            return;
        }
        auto known = schema->attributes().begin();
        std::advance(known, pick(random_, schema->attributes().size()));
        AttributeProto &attribute = *changed.add_attribute();
        attribute.set_name(known->first);
        attribute.set_type(known->second.type);
        attribute.set_i(integer(random_, kOften));
        attribute.set_f(static_cast<float>(real(random_, kOften)));
        attribute.set_s(text(random_, kSeldom));
        for (size_t i = pick(random_, 6); i > 0; --i) {
            attribute.add_ints(integer(random_, kSeldom));
            attribute.add_floats(static_cast<float>(real(random_, kSeldom)));
        }
    }

    void attribute_list() {
        NodeProto *changed = node();
        if (changed == nullptr) {
            return;
        }
        if (changed->attribute_size() > 0 && one_in(random_, 2)) {
            erase(*changed->mutable_attribute(),
                  pick(random_, static_cast<size_t>(changed->attribute_size())));
        } else {
            add_attribute(*changed);
        }
    }

    // The name of some value: an operand, a result, a weight.
    std::string value_name() {
        switch (pick(random_, 4)) {
        case 0:
            if (graph_.input_size() > 0) {
                return choose_from(random_, *graph_.mutable_input()).name();
            }
            break;
        case 1:
            if (graph_.initializer_size() > 0) {
                return choose_from(random_, *graph_.mutable_initializer()).name();
            }
            break;
        case 2:
            if (const NodeProto *made = node(); made != nullptr && made->output_size() > 0) {
                return made->output(
                    static_cast<int>(pick(random_, static_cast<size_t>(made->output_size()))));
            }
            break;
        default: return one_in(random_, 2) ? "" : "nothing";
        }
        return "";
    }

    void edge() {
        NodeProto *changed = node();
        if (changed != nullptr && changed->input_size() > 0) {
            choose_from(random_, *changed->mutable_input()) = value_name();
        }
    }

    void operand_list() {
        NodeProto *changed = node();
        if (changed == nullptr) {
            return;
        }
        auto &list = one_in(random_, 4) ? *changed->mutable_output() : *changed->mutable_input();
        if (!list.empty() && one_in(random_, 2)) {
            erase(list, pick(random_, static_cast<size_t>(list.size())));
        } else {
            *list.Add() = value_name();
        }
    }

    void operator_type() {
        if (NodeProto *changed = node()) {
            const auto all = all_operators();
            changed->set_op_type(all[pick(random_, all.size())]->type);
        }
    }

    void nodes() {
        auto &list = node_list();
        if (list.empty()) {
            return;
        }
        const size_t index = pick(random_, static_cast<size_t>(list.size()));
        switch (pick(random_, 3)) {
        case 0: erase(list, index); break;
        case 1:
            list.SwapElements(static_cast<int>(index),
                              static_cast<int>(pick(random_, static_cast<size_t>(list.size()))));
            break;
        default: {
            // Again, with results of other names, and sometimes as a reader of its own result.
            const NodeProto again = list[static_cast<int>(index)];
            NodeProto &added = *list.Add();
            added = again;
            for (std::string &name : *added.mutable_output()) {
                if (added.input_size() > 0 && one_in(random_, 2)) {
                    added.set_input(0, name);
                }
                name += "_again";
                if (one_in(random_, 2)) {
                    graph_.add_output()->set_name(name);
                }
            }
        }
        }
    }

    void declared_shape() {
        onnx::ValueInfoProto *changed = declaration();
        if (changed == nullptr) {
            return;
        }
        auto &shape = *changed->mutable_type()->mutable_tensor_type()->mutable_shape();
        switch (shape.dim_size() == 0 ? 0 : pick(random_, 5)) {
        case 0: shape.add_dim()->set_dim_value(extent(random_, kSeldom)); break;
        case 1: shape.mutable_dim()->RemoveLast(); break;
        case 2: choose_from(random_, *shape.mutable_dim()).set_dim_param("n"); break;
        default: choose_from(random_, *shape.mutable_dim()).set_dim_value(extent(random_, kSeldom));
        }
    }

    void declared_type() {
        if (onnx::ValueInfoProto *changed = declaration()) {
            changed->mutable_type()->mutable_tensor_type()->set_elem_type(
                static_cast<int>(pick(random_, 30)));
        }
    }

    void tensor_shape() {
        TensorProto *changed = tensor();
        if (changed == nullptr) {
            return;
        }
        change_list(*changed->mutable_dims());
        if (one_in(random_, 2) && changed->dims_size() > 1) {  // the same number of elements
            changed->set_dims(0, static_cast<int64_t>(static_cast<uint64_t>(changed->dims(0)) *
                                                      static_cast<uint64_t>(changed->dims(1))));
            changed->mutable_dims()->erase(changed->dims().begin() + 1);
        }
    }

    template<typename Field>
    static void erase(Field &field, size_t index) {
        field.DeleteSubrange(static_cast<int>(index), 1);
    }

    void tensor_type() {
        if (TensorProto *changed = tensor()) {
            changed->set_data_type(static_cast<int>(pick(random_, 24)));
        }
    }

    void tensor_bytes() {
        TensorProto *changed = tensor();
        if (changed == nullptr) {
            return;
        }
        std::string &raw = *changed->mutable_raw_data();
        switch (raw.empty() ? 0 : pick(random_, 3)) {
        case 0: raw += std::string(pick(random_, 64), '\x7F'); break;
        case 1: raw.resize(pick(random_, raw.size())); break;
        default: raw[pick(random_, raw.size())] = static_cast<char>(random_.next());
        }
    }

    // Elements of another value, where they are, and in the first of those that are read as lists.
    void tensor_values() {
        TensorProto *changed = tensor();
        if (changed == nullptr) {
            return;
        }
        if (changed->int64_data_size() > 0) {
            change_list(*changed->mutable_int64_data());
        }
        for (float &value : *changed->mutable_float_data()) {
            if (one_in(random_, 4)) {
                value = static_cast<float>(real(random_, kOften));
            }
        }
        if (changed->has_raw_data() && changed->data_type() == TensorProto::INT64) {
            std::string &raw = *changed->mutable_raw_data();
            const int64_t value = integer(random_, kOften);
            if (raw.size() >= sizeof(value)) {
                const size_t at = pick(random_, raw.size() / sizeof(value)) * sizeof(value);
                raw.replace(at, sizeof(value),
                            std::string(reinterpret_cast<const char *>(&value), sizeof(value)));
            }
        }
    }

    void external() {
        TensorProto *changed = tensor();
        if (changed == nullptr) {
            return;
        }
        changed->set_data_location(TensorProto::EXTERNAL);
        onnx::StringStringEntryProto &entry = *changed->add_external_data();
        entry.set_key(choose<std::string>(random_, {"location", "location", "offset", "length"}));
        entry.set_value(entry.key() == "location"
                            ? choose<std::string>(random_, {FrontendRun::kExternalFile, "../x",
                                                            "/etc/passwd", "model.onnx", ".", ""})
                            : std::to_string(integer(random_, kOften)));
    }

    void names() {
        const std::string name = one_in(random_, 2) ? value_name() : text(random_, kOften);
        switch (pick(random_, 5)) {
        case 0:
            if (graph_.initializer_size() > 0) {
                choose_from(random_, *graph_.mutable_initializer()).set_name(name);
            }
            break;
        case 1:
            if (graph_.input_size() > 0) {
                choose_from(random_, *graph_.mutable_input()).set_name(name);
            }
            break;
        case 2:
            if (graph_.output_size() > 0) {
                choose_from(random_, *graph_.mutable_output()).set_name(name);
            }
            break;
        case 3:
            if (NodeProto *changed = node(); changed != nullptr && changed->output_size() > 0) {
                choose_from(random_, *changed->mutable_output()) = name;
            }
            break;
        default:
            if (NodeProto *changed = node()) {
                changed->set_domain(name);
            }
        }
    }

    void versions() {
        if (one_in(random_, 4)) {
            model_.set_ir_version(integer(random_, kOften));
        } else if (model_.opset_import_size() > 0) {
            choose_from(random_, *model_.mutable_opset_import())
                .set_version(one_in(random_, 8) ? integer(random_, kOften)
                                                : static_cast<int64_t>(7 + pick(random_, 19)));
        }
    }

    // A weight becomes an input, or an input a weight of no data.
    void constancy() {
        if (graph_.initializer_size() > 0 && one_in(random_, 2)) {
            const size_t index = pick(random_, static_cast<size_t>(graph_.initializer_size()));
            const TensorProto &weights = graph_.initializer(static_cast<int>(index));
            onnx::ValueInfoProto &input = *graph_.add_input();
            input.set_name(weights.name());
            auto &type = *input.mutable_type()->mutable_tensor_type();
            type.set_elem_type(weights.data_type());
            type.mutable_shape();
            for (const int64_t each : weights.dims()) {
                type.mutable_shape()->add_dim()->set_dim_value(each);
            }
            erase(*graph_.mutable_initializer(), index);
        } else if (graph_.input_size() > 0) {
            const onnx::ValueInfoProto &input = choose_from(random_, *graph_.mutable_input());
            TensorProto &weights = *graph_.add_initializer();
            weights.set_name(input.name());
            weights.set_data_type(input.type().tensor_type().elem_type());
            int64_t count = 1;
            for (const auto &dim : input.type().tensor_type().shape().dim()) {
                weights.add_dims(dim.dim_value());
                count = dim.dim_value() > 0 && dim.dim_value() < 100 && count < 10'000
                            ? count * dim.dim_value()
                            : 0;
            }
            weights.set_raw_data(std::string(static_cast<size_t>(count) * sizeof(float), '\x01'));
        }
    }

    void outputs() {
        if (graph_.output_size() > 0 && one_in(random_, 3)) {
            graph_.mutable_output()->RemoveLast();
        } else {
            graph_.add_output()->set_name(value_name());
        }
    }

    static constexpr Hostility kOften = {.rarity = 2};
    static constexpr Hostility kSeldom = {.rarity = 4};

    onnx::ModelProto &model_;
    onnx::GraphProto &graph_;
    PortableRandom &random_;
};

}  // namespace

void mutate(onnx::ModelProto &model, PortableRandom &random) { Mutator(model, random).run(); }

}  // namespace emulsion::fuzz
