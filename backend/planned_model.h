// The first steps from a model to an artifact, as values: load, then plan. What follows is built_model.h and
// link_model.h; compiler.h is all of it.
#pragma once

#include <string>
#include <vector>

#include "backend/compiler.h"
#include "frontend/graph/graph.h"
#include "frontend/lower/load_network.h"
#include "frontend/lower/network.h"

namespace emulsion {

// A model after the passes.
struct LoadedModel {
    std::string file;  // what messages call it, and the artifact is named after
    Graph graph;
    std::vector<PassTime> pass_times;
};

struct PlannedModel {
    LoadedModel model;
    // One for the target; and for one that has a CPU beside its GPU, the same network for that.
    std::vector<PlannedNetwork> networks;
};

// Throw Error, naming the file; of a model that is not supported an UnsupportedModel.
LoadedModel loaded_model(const std::string &file, const CompileOptions &options);
LoadedModel loaded_model(const ModelBytes &bytes, const CompileOptions &options);
PlannedModel planned_model(LoadedModel model, const CompileOptions &options);

}  // namespace emulsion
