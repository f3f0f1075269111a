// The step from plans to machine code.
#pragma once

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

// Places the networks and compiles their units into `folder`, with the texts that options.emit asks for. Throws Error:
// where units fail, of all that do.
BuiltModel built_model(const PlannedModel &model, const CompileOptions &options,
                       const ArtifactFolder &folder);

}  // namespace emulsion
