// Folders for temporary files.
#pragma once

#include <filesystem>

namespace emulsion {

// A folder that is removed with all it holds. A process that is killed leaves it, and the next one that makes a
// folder of the same prefix removes it: its owner holds a lock (flock) on the folder, which ends with the process
// however it ends.
class TemporaryFolder {
public:
    // Creates a new folder `prefix` + kMark + six letters or digits; it is empty. Throws Error (failed), naming the
    // parent of `prefix`, where none can be made.
    explicit TemporaryFolder(const std::filesystem::path &prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    const std::filesystem::path &path() const { return path_; }

    // By this in its name a folder is known as ours.
    static constexpr const char *kMark = "emulsion-temporary-";

private:
    // 0, or an errno: EAGAIN where another try may do.
    int make(const std::filesystem::path &prefix);

    std::filesystem::path path_;
    int locked_ = -1;  // the folder, opened
};

}  // namespace emulsion
