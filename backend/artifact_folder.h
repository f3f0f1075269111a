// The folder that an artifact is written into: it appears under its name when it is complete, and
// takes the place of an older artifact as a whole.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "backend/files.h"

namespace emulsion {

class ArtifactFolder {
public:
    // Throws Error (failed) when `output` is something else than an artifact or an empty folder, or
    // when no folder can be made beside it.
    explicit ArtifactFolder(const std::filesystem::path &output);
    ~ArtifactFolder();
    ArtifactFolder(const ArtifactFolder &) = delete;
    ArtifactFolder &operator=(const ArtifactFolder &) = delete;

    // Where to write what will be in the folder, and where everything else.
    std::filesystem::path path() const { return temporary_->path() / "artifact"; }
    std::filesystem::path scratch() const { return temporary_->path() / "scratch"; }
    // Puts the folder in its place.
    void commit();

private:
    std::filesystem::path output_;
    std::vector<std::filesystem::path> made_;  // parents of it that were not there, outermost first
    std::optional<TemporaryFolder> temporary_;
};

// Whether `folder` holds a manifest of ours.
bool is_artifact(const std::filesystem::path &folder);

}  // namespace emulsion
