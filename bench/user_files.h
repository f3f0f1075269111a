// Files and folders that the user names, and temporary ones.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/files.h"

namespace emulsion {

// The whole of a regular file. Throws Error: refused when there is none, failed when it can't be
// read.
std::string read_user_file(const std::string &path);

// Writes `parts` one after the other under a temporary name, then renames, so that nobody ever sees
// half a file; what is there and no regular file (a device, a pipe) is written to directly, and "-" is the
// standard output that expect_writable() has kept. Throws Error (failed) when that is impossible.
void write_whole_file(const std::string &path, std::span<const std::string_view> parts);
void write_whole_file(const std::string &path, std::initializer_list<std::string_view> parts);

// Before long work whose result goes there: throws Error (failed) if `path` is a folder, or a new file
// in a place where none can be made. Nothing for an empty path. "-" is standard output: it is kept for that
// result, and what else is printed there from then on goes to stderr. Throws Error (refused) for a second one.
void expect_writable(const std::string &path);

// Makes a folder and its parents. Throws Error (failed) when that is impossible, also for a folder
// that is there but cannot be written to.
void make_folder(const std::string &path);

// A name of a tensor as a file name: letters, digits, '.', '_' and '-'; no leading dot, not empty.
std::string sanitised(std::string_view name);

// A new folder for temporary files, removed with its owner; see InterruptGuard for signals.
std::unique_ptr<TemporaryFolder> make_scratch_folder();

}  // namespace emulsion
