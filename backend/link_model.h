// The last step to an artifact: weights, tables, libraries and the manifest.
#pragma once

#include <string>

#include "backend/artifact_folder.h"
#include "backend/built_model.h"

namespace emulsion {

// Writes all files of the artifact `name` but the emitted texts. Throws Error (failed).
void link_model(const Graph &graph, const BuiltModel &model, const CompileOptions &options,
                const ArtifactFolder &folder, const std::string &name);

}  // namespace emulsion
