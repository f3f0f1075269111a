#include "frontend/onnx/write_model.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

#include "frontend/graph/output_flags.h"
#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/node_proto.h"
#include "frontend/onnx/tensor_data.h"

namespace emulsion {

namespace {

// Readers map files in pages of this size.
constexpr size_t kAlignment = 4096;
// Shapes and the like stay in the model, where shape inference can read them.
constexpr size_t kLeastExternal = 1024;
// The first version of the file format with metadata of nodes; later ones add types only, and readers
// refuse what is newer than they are.
constexpr int kIrVersion = 10;

std::string_view bytes_of(const ConstantData &data) {
    return {reinterpret_cast<const char *>(data.bytes), data.size};
}

// What stands before a field of `size` bytes: its number and the size.
std::string field_head(int field, size_t size) {
    using google::protobuf::internal::WireFormatLite;
    std::string head;
    google::protobuf::io::StringOutputStream stream(&head);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.WriteTag(WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED));
    out.WriteVarint64(size);
    out.Trim();
    return head;
}

template<typename Proto>
void set_metadata(Proto &proto, const Metadata &metadata) {
    for (const auto &[key, value] : metadata) {
        onnx::StringStringEntryProto &entry = *proto.add_metadata_props();
        entry.set_key(key);
        entry.set_value(value);
    }
}

void declare(onnx::ValueInfoProto &value, const Tensor &tensor) {
    value.set_name(tensor.name);
    auto &type = *value.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx_type_of(tensor.type));
    type.mutable_shape();  // present even for a scalar
    for (const int64_t extent : tensor.extents()) {
        type.mutable_shape()->add_dim()->set_dim_value(extent);
    }
}

// The first opset from kOpset on that has all operators of the graph.
int64_t opset_of(const Graph &graph) {
    const auto &ranges = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    const int64_t newest = ranges.at("").second;
    int64_t opset = kOpset;
    for (const Node &node : graph.nodes) {
        while (opset < newest && !is_expressible(node, opset)) {
            opset++;
        }
    }
    for (const Node &node : graph.nodes) {
        if (!is_expressible(node, opset)) {
            throw Error("opset " + std::to_string(opset) + " of ONNX does not have it in this form",
                        node.place());
        }
    }
    return opset;
}

class Writer {
public:
    Writer(const Graph &graph, const std::string &data_name, int64_t most_embedded)
        : graph_(graph), names_(graph), data_name_(data_name) {
        std::vector<bool> used(graph.tensors.size(), false);
        for (const Node &node : graph.nodes) {
            for (const TensorId id : node.inputs) {
                if (id != kNoTensor && graph.tensor(id).is_constant()) {
                    used[static_cast<size_t>(id)] = true;
                }
            }
        }
        int64_t bytes = 0;
        for (size_t i = 0; i < used.size(); i++) {
            if (used[i]) {
                weights_.push_back(static_cast<TensorId>(i));
                bytes += static_cast<int64_t>(graph.tensors[i].constant->size);
            }
        }
        is_external_ = bytes > most_embedded;
    }

    SerializedModel run(const std::vector<Metadata> &node_metadata,
                        const Metadata &model_metadata) {
        const int64_t opset = opset_of(graph_);
        onnx::ModelProto model;
        model.set_ir_version(kIrVersion);
        model.set_producer_name("emulsion");
        model.set_producer_version(EMULSION_VERSION);
        model.add_opset_import()->set_version(opset);
        set_metadata(model, model_metadata);
        for (const TensorId id : weights_) {
            add_weight(graph_.tensor(id));
        }
        const std::string &graph = keep(graph_proto(opset, node_metadata).SerializeAsString());
        size_t size = graph.size();
        for (const std::string_view part : weight_parts_) {
            size += part.size();
        }
        result_.model = {
            keep(model.SerializeAsString()),
            keep(field_head(onnx::ModelProto::kGraphFieldNumber, size)),
            graph,
        };
        result_.model.insert(result_.model.end(), weight_parts_.begin(), weight_parts_.end());
        return std::move(result_);
    }

private:
    const std::string &keep(std::string text) { return result_.made.emplace_back(std::move(text)); }

    // Without its initializers.
    onnx::GraphProto graph_proto(int64_t opset, const std::vector<Metadata> &node_metadata) {
        assert(node_metadata.size() == graph_.nodes.size());
        onnx::GraphProto graph;
        graph.set_name(graph_.name.empty() ? "graph" : graph_.name);
        for (size_t i = 0; i < graph_.nodes.size(); i++) {
            *graph.add_node() = node_proto(graph_, graph_.nodes[i], opset, names_);
            onnx::NodeProto &node = *graph.mutable_node(static_cast<int>(i));
            node.set_name(unique_name(node.name()));
            set_metadata(node, node_metadata[i]);
        }
        for (const TensorId id : graph_.inputs) {
            declare(*graph.add_input(), graph_.tensor(id));
        }
        for (const TensorId id : graph_.outputs) {
            declare(*graph.add_output(), graph_.tensor(id));
        }
        const std::vector<bool> is_output = output_flags(graph_);
        for (const Node &node : graph_.nodes) {
            const TensorId id = node.result();
            if (!is_output[static_cast<size_t>(id)]) {
                declare(*graph.add_value_info(), graph_.tensor(id));
            }
        }
        return graph;
    }

    // ONNX Runtime refuses two nodes of one name, which results of one operator and nodes of one
    // function have.
    std::string unique_name(const std::string &name) {
        int &uses = uses_[name];
        std::string unique = name;
        while (!node_names_.insert(unique).second) {
            unique = name + "." + std::to_string(++uses);
        }
        return unique;
    }

    void add_weight(const Tensor &tensor) {
        onnx::TensorProto proto;
        proto.set_name(tensor.name);
        proto.set_data_type(onnx_type_of(tensor.type));
        for (const int64_t extent : tensor.extents()) {
            proto.add_dims(extent);
        }
        std::string_view bytes = bytes_of(*tensor.constant);
        std::string head;
        if (is_external_ && bytes.size() >= kLeastExternal) {
            add_external(proto, bytes);
            bytes = {};
            head = proto.SerializeAsString();
        } else {
            head = proto.SerializeAsString() +
                   field_head(onnx::TensorProto::kRawDataFieldNumber, bytes.size());
        }
        const size_t size = head.size() + bytes.size();
        weight_parts_.push_back(keep(field_head(onnx::GraphProto::kInitializerFieldNumber, size)));
        weight_parts_.push_back(keep(std::move(head)));
        weight_parts_.push_back(bytes);
    }

    void add_external(onnx::TensorProto &proto, std::string_view bytes) {
        const size_t padding = (kAlignment - data_size_ % kAlignment) % kAlignment;
        result_.data.push_back(keep(std::string(padding, '\0')));
        result_.data.push_back(bytes);
        data_size_ += padding;
        proto.set_data_location(onnx::TensorProto::EXTERNAL);
        const std::pair<const char *, std::string> entries[] = {
            {"location", data_name_},
            {"offset", std::to_string(data_size_)},
            {"length", std::to_string(bytes.size())}};
        for (const auto &[key, value] : entries) {
            onnx::StringStringEntryProto &entry = *proto.add_external_data();
            entry.set_key(key);
            entry.set_value(value);
        }
        data_size_ += bytes.size();
    }

    const Graph &graph_;
    UnusedNames names_;  // of tensors
    std::unordered_set<std::string> node_names_;
    std::unordered_map<std::string, int> uses_;
    const std::string data_name_;
    bool is_external_ = false;
    std::vector<TensorId> weights_;
    std::vector<std::string_view> weight_parts_;
    size_t data_size_ = 0;
    SerializedModel result_;
};

}  // namespace

SerializedModel serialize_model(const Graph &graph, const std::vector<Metadata> &node_metadata,
                                const Metadata &model_metadata, const std::string &data_name,
                                int64_t most_embedded) {
    return Writer(graph, data_name, most_embedded).run(node_metadata, model_metadata);
}

}  // namespace emulsion
