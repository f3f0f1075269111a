// The step from plans to machine code.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "backend/artifact_folder.h"
#include "backend/planned_model.h"
#include "backend/program.h"
#include "backend/unit_builder.h"

namespace emulsion {

// A network with all that goes into an artifact.
struct BuiltNetwork {
    PlannedNetwork planned;  // with the loop nests that were compiled
    LinkedNetwork linked;
    BuiltUnits units;
};

// As in PlannedModel: the network, and perhaps the one to fall back on.
using BuiltModel = std::vector<BuiltNetwork>;
using ModelUnits = std::vector<BuiltUnits>;

// The units of all networks of all models, compiled together: distinct ones once, by one pool of workers. By model;
// what fails is in them (BuiltUnits::errors). As build_units otherwise.
std::vector<ModelUnits> units_of_models(std::span<const PlannedModel *const> models,
                                        const CompileOptions &options,
                                        const std::filesystem::path &scratch,
                                        const std::filesystem::path &emit);

// Places the networks of a model whose units were compiled. Throws Error: where units fail, of all that do.
BuiltModel built_model(const PlannedModel &model, ModelUnits units);

// Both: compiles the units into `folder`, with the texts that options.emit asks for.
BuiltModel built_model(const PlannedModel &model, const CompileOptions &options,
                       const ArtifactFolder &folder);

}  // namespace emulsion
