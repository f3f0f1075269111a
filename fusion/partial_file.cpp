#include "fusion/partial_file.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>

#include <unistd.h>

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// NAME.PROCESS-NUMBER.emulsion-part
constexpr std::string_view kSuffix = ".emulsion-part";
constexpr int kMostTries = 100;

// Of `name`, for which is_partial_file holds.
std::string_view whole_name(std::string_view name) {
    name.remove_suffix(kSuffix.size());
    return name.substr(0, name.rfind('.'));
}

void remove_abandoned(const fs::path &folder, std::string_view name) {
    for_entries(
        folder,
        [&](std::string_view found) { return is_partial_file(found) && whole_name(found) == name; },
        remove_abandoned_file);
}

}  // namespace

bool is_partial_file(std::string_view name) {
    if (!name.ends_with(kSuffix)) {
        return false;
    }
    name.remove_suffix(kSuffix.size());
    const size_t dot = name.rfind('.');
    return dot != std::string_view::npos && dot > 0 && dot + 1 < name.size() &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0 || c == '-'; });
}

PartialFile::PartialFile(const fs::path &path, Leftovers leftovers) : path_(path) {
    const std::string name = path.filename().string();
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (leftovers == Leftovers::Remove) {
        remove_abandoned(folder, name);
    }
    // Another thread may write the same file.
    for (int i = 0; i < kMostTries; i++) {
        temporary_ = folder / (name + "." + std::to_string(getpid()) + "-" + std::to_string(i) +
                               std::string(kSuffix));
        file_.emplace(temporary_);
        if (file_->descriptor() >= 0 || (errno != EEXIST && errno != EAGAIN)) {
            return;
        }
    }
}

PartialFile::~PartialFile() {
    if (descriptor() >= 0 && !published_) {
        unlink(temporary_.c_str());
    }
}

int PartialFile::publish() {
    published_ = std::rename(temporary_.c_str(), path_.c_str()) == 0;
    return published_ ? 0 : errno;
}

int write_all(int descriptor, std::span<const std::string_view> parts) {
    for (std::string_view part : parts) {
        while (!part.empty()) {
            const ssize_t written = write(descriptor, part.data(), part.size());
            if (written < 0 && errno != EINTR) {
                return errno;
            }
            part.remove_prefix(static_cast<size_t>(std::max<ssize_t>(written, 0)));
        }
    }
    return 0;
}

int write_whole(const fs::path &path, std::span<const std::string_view> parts,
                PartialFile::Leftovers leftovers) {
    PartialFile file(path, leftovers);
    if (file.descriptor() < 0) {
        return errno;
    }
    const int error = write_all(file.descriptor(), parts);
    return error != 0 ? error : file.publish();
}

}  // namespace emulsion
