#include "frontend/onnx/upgrade.h"

#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>
#include <onnx/version_converter/convert.h>

#include <algorithm>
#include <exception>
#include <new>

#include "frontend/onnx/constants.h"
#include "frontend/onnx/loader.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/structure.h"

namespace emulsion {

namespace {

// Runs one step of the onnx library; its complaints become Errors that begin with `what`.
template<typename Step>
void guarded(const std::string &what, const onnx::ModelProto &model, const Step &step) {
    try {
        step();
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &error) {
        throw complaint(what, error.what(), model.graph());
    }
}

int since(const onnx::NodeProto &node, int64_t opset) {
    const onnx::OpSchema *schema =
        onnx::OpSchemaRegistry::Schema(node.op_type(), static_cast<int>(opset), "");
    return schema == nullptr ? -1 : schema->since_version();
}

// Whether every operator of the model is the same in both opsets.
bool unchanged(const onnx::GraphProto &graph, int64_t from, int64_t to) {
    return std::all_of(graph.node().begin(), graph.node().end(), [&](const onnx::NodeProto &node) {
        return since(node, from) == since(node, to);
    });
}

void set_opset(onnx::ModelProto &model, int64_t opset) {
    model.clear_opset_import();
    model.add_opset_import()->set_version(opset);
}

void upgrade(onnx::ModelProto &model) {
    const int64_t opset = imported_opset(model);
    if (opset == kOpset) {
        return;
    }
    if (!unchanged(model.graph(), opset, kOpset)) {
        const std::string what = "it can't be converted from opset " + std::to_string(opset) +
                                 " to " + std::to_string(kOpset);
        guarded(what, model, [&] {
            model = onnx::version_conversion::ConvertVersion(model, static_cast<int>(kOpset));
        });
        // Attributes that have become inputs since are Constant nodes now.
        constants_to_initializers(*model.mutable_graph());
    }
    set_opset(model, kOpset);
}

}  // namespace

void upgrade_and_infer(onnx::ModelProto &model) {
    const auto check = [&] { onnx::checker::check_model(model); };
    guarded("it breaks the ONNX standard", model, check);
    upgrade(model);
    guarded("it breaks the ONNX standard", model, check);
    guarded("types or shapes do not fit", model, [&] {
        // The checker's "full check" is its plain check and this.
        const onnx::ShapeInferenceOptions strict(/*check_type=*/true, /*strict_mode=*/1,
                                                 /*data_prop=*/true);
        onnx::shape_inference::DataValueMap values;
        onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), strict,
                                           &values);
    });
}

}  // namespace emulsion
