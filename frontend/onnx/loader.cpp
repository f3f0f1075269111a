#include "frontend/onnx/loader.h"

#include <onnx/checker.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <exception>
#include <memory>
#include <new>
#include <set>
#include <utility>
#include <vector>

#include "frontend/graph/split_results.h"
#include "frontend/onnx/bind_shapes.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/model_file.h"
#include "frontend/onnx/structure.h"
#include "frontend/onnx/weights.h"

namespace emulsion {

namespace {

// The checker refuses operators that a later opset has given another meaning (GroupNormalization of
// opset 18); those that have a body are well defined. While it looks they are in another domain.
class HiddenNodes {
public:
    explicit HiddenNodes(onnx::ModelProto &model) : model_(model) {
        const auto opset = static_cast<int>(imported_opset(model));
        for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node()) {
            const onnx::OpSchema *schema =
                onnx::OpSchemaRegistry::Schema(node.op_type(), opset, "");
            if (node.domain().empty() && schema != nullptr && schema->Deprecated()) {
                node.set_domain(kDomain);
                nodes_.push_back(&node);
            }
        }
        onnx::OperatorSetIdProto &import = *model.add_opset_import();
        import.set_domain(kDomain);
        import.set_version(1);
    }
    ~HiddenNodes() {
        model_.mutable_opset_import()->RemoveLast();
        for (onnx::NodeProto *node : nodes_) {
            node->clear_domain();
        }
    }
    HiddenNodes(const HiddenNodes &) = delete;
    HiddenNodes &operator=(const HiddenNodes &) = delete;

private:
    static constexpr const char *kDomain = "emulsion.unchecked";
    onnx::ModelProto &model_;
    std::vector<onnx::NodeProto *> nodes_;
};

// What ONNX's own checker complains about, at the node that it mentions. It wants types for outputs;
// they are inferred here.
void check_standard(onnx::ModelProto &model) {
    google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> outputs;
    outputs.Swap(model.mutable_graph()->mutable_output());
    try {
        const HiddenNodes hidden(model);
        onnx::checker::check_model(model);
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &error) {
        throw complaint("it breaks the ONNX standard", error.what(), model.graph());
    }
    outputs.Swap(model.mutable_graph()->mutable_output());
}

std::set<std::string> names_of(const Weights &weights) {
    std::set<std::string> names;
    for (const auto &[name, tensor] : weights) {
        names.insert(name);
    }
    return names;
}

}  // namespace

Graph load_model(const std::string &path, const LoadLimits &limits, const InputShapes &shapes) {
    ErrorPlace place;
    place.file = path;
    try {
        const auto model = std::make_shared<onnx::ModelProto>();
        read_model(path, limits, *model);
        check_structure(*model, limits);
        Weights weights = take_weights(*model, path, limits);
        bind_shapes(*model->mutable_graph(), shapes, names_of(weights));
        check_standard(*model);
        Graph graph = import_graph(model, std::move(weights), limits);
        split_results(graph);
        graph.verify();
        return graph;
    } catch (const Error &error) {
        throw error.with_place(place);
    } catch (const std::bad_alloc &) {
        throw failure("loading it needs more memory than there is", place);
    } catch (const std::exception &error) {
        throw Error(one_sentence(error.what()), place);
    }
}

}  // namespace emulsion
