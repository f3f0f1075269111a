#include "frontend/onnx/loader.h"

#include <onnx/onnx_pb.h>

#include <exception>
#include <new>

#include "frontend/onnx/build_graph.h"
#include "frontend/onnx/messages.h"
#include "frontend/onnx/model_file.h"
#include "frontend/onnx/structure.h"
#include "frontend/onnx/upgrade.h"
#include "frontend/onnx/weights.h"

namespace emulsion {

Graph load_model(const std::string &path, const LoadLimits &limits) {
    ErrorPlace place;
    place.file = path;
    try {
        onnx::ModelProto model;
        read_model(path, limits, model);
        check_structure(model, limits);
        Weights weights = take_weights(model, path, limits);
        upgrade_and_infer(model);
        Graph graph = build_graph(model, std::move(weights), limits);
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
