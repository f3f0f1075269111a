#include "backend/temporary_folder.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "fusion/error.h"
#include "fusion/leftovers.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kRandom = "XXXXXX";  // as mkdtemp wants it
constexpr int kMostTries = 100;

int open_folder(const fs::path &path) {
    return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// `begin` and six letters or digits.
bool is_made_from(std::string_view begin, std::string_view name) {
    return name.size() == begin.size() + kRandom.size() && name.starts_with(begin) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin.size()), name.end(),
                       [](unsigned char c) { return std::isalnum(c) != 0; });
}

// Through the descriptor: it stays the same folder whoever renames what. Symbolic links are removed, not followed.
void remove_folder(const fs::path &path, int folder) {
    std::error_code ignored;
    fs::directory_iterator entry("/proc/self/fd/" + std::to_string(folder), ignored);
    for (; !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
        std::error_code kept;
        fs::remove_all(entry->path(), kept);
    }
    // Where a worker of the killed process still writes, it is not empty and goes another time.
    rmdir(path.c_str());
}

void remove_abandoned_folders(const fs::path &parent, const std::string &begin) {
    for_entries(
        parent, [&](std::string_view name) { return is_made_from(begin, name); },
        [](const fs::path &path) {
            const int folder = open_folder(path);
            if (folder >= 0 && is_abandoned(folder)) {
                remove_folder(path, folder);
            }
            if (folder >= 0) {
                close(folder);
            }
        });
}

}  // namespace

TemporaryFolder::TemporaryFolder(const fs::path &prefix) {
    const fs::path parent = prefix.has_parent_path() ? prefix.parent_path() : fs::path(".");
    remove_abandoned_folders(parent, prefix.filename().string() + kMark);
    int error = EAGAIN;
    for (int i = 0; i < kMostTries && error == EAGAIN; i++) {
        error = make(prefix);
    }
    if (error != 0) {
        throw failure(fmt::format("no folder can be made here: {}", std::strerror(error)),
                      {.file = parent.string()});
    }
}

int TemporaryFolder::make(const fs::path &prefix) {
    std::string name = prefix.string() + kMark + std::string(kRandom);
    if (mkdtemp(name.data()) == nullptr) {
        return errno;
    }
    // Somebody who cleans up may have taken it before it is locked.
    locked_ = open_folder(name);
    if (locked_ < 0) {
        return errno == ENOENT ? EAGAIN : errno;
    }
    if (!lock(locked_)) {
        close(locked_);
        locked_ = -1;
        return EAGAIN;
    }
    path_ = name;
    return 0;
}

TemporaryFolder::~TemporaryFolder() {
    remove_folder(path_, locked_);
    close(locked_);
}

}  // namespace emulsion
