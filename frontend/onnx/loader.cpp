#include "frontend/onnx/loader.h"

#include <onnx/onnx_pb.h>

#include <exception>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "frontend/graph/split_results.h"
#include "frontend/onnx/bind_shapes.h"
#include "frontend/onnx/check_standard.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/model_file.h"
#include "frontend/onnx/structure.h"
#include "frontend/onnx/weights.h"

namespace emulsion {

namespace {

std::set<std::string> names_of(const Weights &weights, const Refused &refused) {
    std::set<std::string> names(refused.values().begin(), refused.values().end());
    for (const auto &[name, tensor] : weights) {
        names.insert(name);
    }
    return names;
}

Graph imported(const std::string &path, const LoadLimits &limits, const InputShapes &shapes,
               Refused &refused) {
    const auto model = std::make_shared<onnx::ModelProto>();
    read_model(path, limits, *model);
    check_structure(*model, limits, refused);
    Weights weights = take_weights(*model, path, limits, refused);
    bind_shapes(*model->mutable_graph(), shapes, names_of(weights, refused), refused);
    check_standard(*model, refused);
    Graph graph = import_graph(model, std::move(weights), limits, refused);
    split_results(graph);
    graph.verify();
    return graph;
}

}  // namespace

ImportedModel import_model(const std::string &path, const LoadLimits &limits,
                           const InputShapes &shapes) {
    ErrorPlace place;
    place.file = path;
    Refused refused(path);
    try {
        Graph graph = imported(path, limits, shapes, refused);
        return {std::move(graph), refused.share_report()};
    } catch (const Error &error) {
        if (refused.report().clean() || error.kind() != ErrorKind::Refused) {
            throw error.with_place(place);
        }
        refused.report().refuse(error);  // the last one: nothing more can be said about the file
        throw refused.error();
    } catch (const std::bad_alloc &) {
        throw failure("loading it needs more memory than there is", place);
    } catch (const std::exception &error) {
        throw Error(one_sentence(error.what()), place);
    }
}

Graph load_model(const std::string &path, const LoadLimits &limits, const InputShapes &shapes) {
    ImportedModel model = import_model(path, limits, shapes);
    if (!model.report->clean()) {
        throw UnsupportedModel(model.report);
    }
    return std::move(model.graph);
}

}  // namespace emulsion
