#include "backend/artifact_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

bool is_artifact(const fs::path &folder) {
    std::error_code error;
    if (!fs::is_regular_file(folder / "manifest.json", error)) {
        return false;
    }
    try {
        const auto manifest =
            nlohmann::json::parse(read_file(folder / "manifest.json"), nullptr, false);
        return manifest.is_object() && manifest.contains("emulsion");
    } catch (const Error &) {
        return false;
    }
}

ArtifactFolder::ArtifactFolder(const fs::path &output)
    : output_(fs::absolute(output).lexically_normal()) {
    if (!output_.has_filename()) {
        output_ = output_.parent_path();  // DIR/
    }
    std::error_code error;
    const bool exists = fs::exists(output_, error);
    if (exists && !fs::is_directory(output_, error)) {
        throw failure("is not a folder", {.file = output.string()});
    }
    if (exists && !is_artifact(output_) && !fs::is_empty(output_, error)) {
        throw failure("is neither empty nor an artifact of Emulsion's, so it is not replaced",
                      {.file = output.string()});
    }
    const fs::path parent = output_.parent_path();
    for (fs::path p = parent; !fs::exists(p, error) && p.has_relative_path(); p = p.parent_path()) {
        made_.insert(made_.begin(), p);
    }
    fs::create_directories(parent, error);
    try {
        temporary_.emplace(parent / fmt::format(".{}.", output_.filename().string()));
    } catch (...) {
        for (auto it = made_.rbegin(); it != made_.rend(); ++it) {
            fs::remove(*it, error);
        }
        throw;
    }
    fs::create_directory(path());
    fs::create_directory(scratch());
}

ArtifactFolder::~ArtifactFolder() {
    temporary_.reset();
    std::error_code not_empty;
    for (auto it = made_.rbegin(); it != made_.rend(); ++it) {
        fs::remove(*it, not_empty);
    }
}

void ArtifactFolder::commit() {
    std::error_code error;
    fs::rename(path(), output_, error);  // where nothing is, or an empty folder
    if (!error) {
        return;
    }
    // Swapped, so that there is an artifact at every moment; the old one goes with our folder.
    if (renameat2(AT_FDCWD, path().c_str(), AT_FDCWD, output_.c_str(), RENAME_EXCHANGE) == 0) {
        return;
    }
    // A file system that can't swap.
    fs::rename(output_, temporary_->path() / "old", error);
    if (!error) {
        fs::rename(path(), output_, error);
    }
    if (error) {
        throw failure(fmt::format("can't be written: {}", error.message()),
                      {.file = output_.string()});
    }
}

}  // namespace emulsion
