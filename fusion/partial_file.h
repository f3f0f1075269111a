// A file that appears under its name when it is complete.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "fusion/leftovers.h"

namespace emulsion {

class PartialFile {
public:
    // What killed processes left of the same path: removed first, or left for somebody who goes through the whole
    // folder (is_partial_file, remove_abandoned_file).
    enum class Leftovers { Remove, Stay };

    // Makes a file beside `path`, which is removed with its owner unless it was published. descriptor() is -1 and
    // errno says why where none can be made.
    explicit PartialFile(const std::filesystem::path &path,
                         Leftovers leftovers = Leftovers::Remove);
    ~PartialFile();
    PartialFile(const PartialFile &) = delete;
    PartialFile &operator=(const PartialFile &) = delete;

    int descriptor() const { return file_ ? file_->descriptor() : -1; }
    // Puts the file in its place, whatever is there. Returns 0 or an errno.
    int publish();

private:
    std::filesystem::path path_, temporary_;
    std::optional<LockedFile> file_;
    bool published_ = false;
};

// Writes `parts` one after the other. Return 0 or an errno.
int write_all(int descriptor, std::span<const std::string_view> parts);
// The same into a new file at `path`, whatever is there; nobody ever sees half of it.
int write_whole(const std::filesystem::path &path, std::span<const std::string_view> parts,
                PartialFile::Leftovers leftovers = PartialFile::Leftovers::Remove);

// Whether a file of this name is one that is still being written, or was when its process was killed.
bool is_partial_file(std::string_view name);

}  // namespace emulsion
