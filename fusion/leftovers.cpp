#include "fusion/leftovers.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// Cleaning up must not take long where a folder is crowded; what is not seen goes another time.
constexpr int kMostEntries = 20'000;

bool has_no_locks(int error) {
    return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EBADF;
}

}  // namespace

bool lock(int descriptor) {
    struct stat status {};
    return (flock(descriptor, LOCK_EX | LOCK_NB) == 0 || has_no_locks(errno)) &&
           fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

bool is_abandoned(int descriptor) {
    struct stat status {};
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &status) == 0 &&
           status.st_nlink > 0 && status.st_uid == geteuid();
}

void remove_abandoned_file(const fs::path &file) {
    const int descriptor = open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status {};
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        is_abandoned(descriptor)) {
        unlink(file.c_str());
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
}

LockedFile::LockedFile(const fs::path &path)
    : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0 && !lock(descriptor_)) {
        close(descriptor_);
        descriptor_ = -1;
        errno = EAGAIN;
    }
}

LockedFile::~LockedFile() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

void for_entries(const fs::path &folder, const std::function<bool(std::string_view)> &is_ours,
                 const std::function<void(const fs::path &)> &visit) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (int seen = 0; !error && entry != fs::directory_iterator() && seen < kMostEntries; seen++) {
        if (is_ours(entry->path().filename().native())) {
            visit(entry->path());
        }
        entry.increment(error);
    }
}

}  // namespace emulsion
