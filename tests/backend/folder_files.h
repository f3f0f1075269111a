// What lies in a folder.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "backend/files.h"

namespace emulsion::test {

// The bytes of all regular files, by path.
inline std::map<std::string, std::string> files_of(const std::filesystem::path &folder) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> files;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            files[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
        }
    }
    return files;
}

}  // namespace emulsion::test
