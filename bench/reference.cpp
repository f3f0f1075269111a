#include "bench/reference.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "frontend/onnx/loader.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// The model; sizes that it leaves open are the network's.
Graph load_model_of(const std::string &model, const Artifact &network) {
    try {
        return load_model(model);
    } catch (const Error &) {
        InputShapes shapes;
        for (const TensorInfo &input : network.inputs()) {
            shapes[input.name] = input.shape;
        }
        return load_model(model, LoadLimits(), shapes);
    }
}

// Throws Error for a tensor of the network that the model does not have.
void expect_tensors(const std::string &model, const Graph &graph, const std::vector<TensorId> &has,
                    const std::vector<TensorInfo> &wanted, const char *what) {
    for (const TensorInfo &tensor : wanted) {
        const bool found = std::any_of(has.begin(), has.end(), [&](TensorId id) {
            const Tensor &candidate = graph.tensor(id);
            return candidate.name == tensor.name && candidate.type == tensor.type &&
                   candidate.extents() == tensor.shape;
        });
        if (!found) {
            throw Error(fmt::format("is not the network's model: it has no {} '{}' of {}", what,
                                    tensor.name, describe(tensor.type, tensor.shape)),
                        {.file = model});
        }
    }
}

}  // namespace

void expect_model_of(const std::string &model, const Artifact &network) {
    const Graph graph = load_model_of(model, network);
    expect_tensors(model, graph, graph.inputs, network.inputs(), "input");
    expect_tensors(model, graph, graph.outputs, network.outputs(), "output");
}

std::vector<Array> read_reference(const std::vector<std::string> &files, const Artifact &network) {
    const auto &outputs = network.outputs();
    std::vector<Array> arrays(outputs.size());
    std::vector<bool> found(outputs.size());
    for (const std::string &text : files) {
        size_t match = outputs.size();
        std::string file = text;
        for (size_t i = 0; i < outputs.size(); i++) {
            if (text.starts_with(outputs[i].name + "=")) {
                match = i;
                file = text.substr(outputs[i].name.size() + 1);
            } else if (fs::path(text).filename() == sanitised(outputs[i].name) + ".npy") {
                match = i;
            }
        }
        if (match == outputs.size() && outputs.size() == 1 && files.size() == 1) {
            match = 0;
        }
        if (match == outputs.size() || found[match]) {
            throw Error("is not named after an output of the network; write NAME=FILE.npy",
                        {.file = text});
        }
        arrays[match] = read_npy(file);
        if (arrays[match].type != outputs[match].type ||
            arrays[match].shape != outputs[match].shape) {
            throw Error(fmt::format("output '{}': the network has {}, the file {}",
                                    outputs[match].name,
                                    describe(outputs[match].type, outputs[match].shape),
                                    describe(arrays[match].type, arrays[match].shape)),
                        {.file = file});
        }
        found[match] = true;
    }
    for (size_t i = 0; i < outputs.size(); i++) {
        if (!found[i]) {
            throw Error(fmt::format("--against has no file for output '{}'", outputs[i].name));
        }
    }
    return arrays;
}

}  // namespace emulsion
