// From a model file to a graph that plan_network takes: the one way of all commands, so that they refuse a
// model with the same list.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/graph/pass.h"
#include "frontend/onnx/loader.h"

namespace emulsion {

struct LoadOptions {
    InputShapes shapes;                     // sizes that the model leaves open
    std::set<std::string> disabled_passes;  // by name
    bool exact = false;                     // implementations that change rounding don't count
    LoadLimits limits = {};
};

// The model at `path` after the passes, and all that is not supported of it, by loading and by the operators.
// Appends the times of the passes to `times` if given. Throws Error, with the file, for a model that is
// damaged, and for unknown passes.
ImportedModel examine_model(const std::string &path, const LoadOptions &options,
                            std::vector<PassTime> *times = nullptr);

ImportedModel examine_model(const ModelBytes &bytes, const LoadOptions &options,
                            std::vector<PassTime> *times = nullptr);

// The graph of a model that is supported as a whole. Throws UnsupportedModel for others.
Graph load_network(const std::string &path, const LoadOptions &options,
                   std::vector<PassTime> *times = nullptr);

Graph load_network(const ModelBytes &bytes, const LoadOptions &options,
                   std::vector<PassTime> *times = nullptr);

}  // namespace emulsion
