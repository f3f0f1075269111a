// What is in use and what a killed process left, told apart: who makes a file or a folder holds a lock (flock) on it,
// which ends with the process however it ends.
//
// Who makes one locks it at once and then looks whether it is still there; who cleans up removes one only while it
// holds the lock itself. So neither takes away what the other has, and two who clean up at the same time are no harm.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace emulsion {

// A file in `folder` that is opened for writing and locked; closed, and so unlocked, with its owner.
class LockedFile {
public:
    // Makes the file, which must not be there. descriptor() is -1 and errno says why where that fails, also when
    // somebody who cleaned up was faster (EAGAIN: try again).
    explicit LockedFile(const std::filesystem::path &path);
    ~LockedFile();
    LockedFile(const LockedFile &) = delete;
    LockedFile &operator=(const LockedFile &) = delete;

    int descriptor() const { return descriptor_; }

private:
    int descriptor_ = -1;
};

// Locks a file or a folder that was made and opened just now, until its descriptor is closed. Whether it is still
// there and nobody's else. Where the file system has no locks it stays unlocked, and nothing there is ever taken for
// abandoned.
bool lock(int descriptor);

// Whether an opened file or folder is there, this user's, and was locked by nobody; it is locked now.
bool is_abandoned(int descriptor);

// Removes a regular file that is abandoned. A symbolic link is not followed, and stays.
void remove_abandoned_file(const std::filesystem::path &file);

// The entries of `folder` whose names `is_ours` accepts. Not more than a few thousand are looked at.
void for_entries(const std::filesystem::path &folder,
                 const std::function<bool(std::string_view name)> &is_ours,
                 const std::function<void(const std::filesystem::path &)> &visit);

}  // namespace emulsion
