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
#include "frontend/onnx/external_data.h"
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

using Proto = std::shared_ptr<onnx::ModelProto>;

Graph imported(const Proto &model, ExternalData external, const LoadLimits &limits,
               const InputShapes &shapes, Refused &refused) {
    check_structure(*model, limits, refused);
    Weights weights = take_weights(*model, external, limits, refused);
    bind_shapes(*model->mutable_graph(), shapes, names_of(weights, refused), refused);
    check_standard(*model, refused);
    Graph graph = import_graph(model, std::move(weights), limits, refused);
    split_results(graph);
    graph.verify();
    return graph;
}

// What `import`, which makes the graph, and `refused` make together of the model called `name`.
template<typename Import>
ImportedModel with_report(const std::string &name, const Import &import) {
    ErrorPlace place;
    place.file = name;
    Refused refused(name);
    try {
        Graph graph = import(refused);
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

}  // namespace

ImportedModel import_model(const std::string &path, const LoadLimits &limits,
                           const InputShapes &shapes) {
    return with_report(path, [&](Refused &refused) {
        const auto model = std::make_shared<onnx::ModelProto>();
        read_model(path, limits, *model);
        return imported(model, ExternalData(path, limits.external_bytes), limits, shapes, refused);
    });
}

ImportedModel import_model(const ModelBytes &bytes, const LoadLimits &limits,
                           const InputShapes &shapes) {
    return with_report(bytes.name, [&](Refused &refused) {
        const auto model = std::make_shared<onnx::ModelProto>();
        parse_model(bytes.bytes, limits, *model);
        ExternalData external = bytes.folder.empty()
                                    ? ExternalData::none()
                                    : ExternalData(bytes.folder + "/", limits.external_bytes);
        return imported(model, std::move(external), limits, shapes, refused);
    });
}

Graph load_model(const std::string &path, const LoadLimits &limits, const InputShapes &shapes) {
    ImportedModel model = import_model(path, limits, shapes);
    if (!model.report->clean()) {
        throw UnsupportedModel(model.report);
    }
    return std::move(model.graph);
}

}  // namespace emulsion
