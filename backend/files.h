// Files and folders as the backend needs them: whole or not at all. Everything here throws Error
// (failed), naming the file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "backend/temporary_folder.h"
#include "fusion/hash_hex.h"  // of what is read, for those who read it

namespace emulsion {

std::string read_file(const std::filesystem::path &path);
void write_file(const std::filesystem::path &path, std::string_view bytes);

// The folder of this program, and a file of Emulsion's own installed beside it in ../lib. Throws
// Error when it isn't there.
std::filesystem::path program_path();
std::filesystem::path library_file(const std::string &name);

}  // namespace emulsion
