#include "bench/user_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "fusion/error.h"
#include "fusion/partial_file.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStandardOutput = "-";

// The descriptor that was standard output before what is printed went to stderr; -1: it still is.
int kept_standard_output = -1;

void keep_standard_output() {
    if (kept_standard_output >= 0) {
        throw Error("only one result can go to standard output ('-'); give the others files");
    }
    std::fflush(stdout);
    kept_standard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (kept_standard_output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        throw failure(fmt::format("standard output cannot be used: {}", std::strerror(errno)));
    }
}

// Into a device or a pipe. Returns 0 or an errno.
int write_in_place(const std::string &path, std::span<const std::string_view> parts) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno;
    }
    const int error = write_all(descriptor, parts);
    const int closed = close(descriptor) == 0 ? 0 : errno;
    return error != 0 ? error : closed;
}

void write_standard_output(std::span<const std::string_view> parts) {
    const int descriptor = kept_standard_output >= 0 ? kept_standard_output : STDOUT_FILENO;
    if (const int error = write_all(descriptor, parts); error != 0) {
        throw failure(fmt::format("standard output cannot be written: {}", std::strerror(error)));
    }
}

}  // namespace

std::string read_user_file(const std::string &path) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status)) {
        throw Error("no such file", {.file = path});
    }
    if (!fs::is_regular_file(status)) {
        throw Error("not a regular file", {.file = path});
    }
    std::ifstream stream(path, std::ios::binary);
    std::string text;
    text.resize(fs::file_size(path, code));
    if (!stream || code || !stream.read(text.data(), static_cast<std::streamsize>(text.size()))) {
        throw failure("cannot be read", {.file = path});
    }
    return text;
}

void write_whole_file(const std::string &path, std::initializer_list<std::string_view> parts) {
    write_whole_file(path, std::span(parts.begin(), parts.size()));
}

void write_whole_file(const std::string &path, std::span<const std::string_view> parts) {
    if (path == kStandardOutput) {
        write_standard_output(parts);
        return;
    }
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
    std::fflush(stdout);  // it may be /dev/stdout; and what was printed comes before an error
    const int error = in_place ? write_in_place(path, parts) : write_whole(path, parts);
    if (error != 0) {
        throw failure(fmt::format("cannot be written: {}", std::strerror(error)), {.file = path});
    }
}

void expect_writable(const std::string &path) {
    if (path.empty()) {
        return;
    }
    if (path == kStandardOutput) {
        keep_standard_output();
        return;
    }
    std::error_code code;
    const fs::path parent = fs::absolute(path).parent_path();
    int error = 0;
    if (fs::is_directory(path, code)) {
        error = EISDIR;
    } else if (!fs::exists(parent, code)) {
        error = ENOENT;
    } else if (!fs::is_directory(parent, code)) {
        error = ENOTDIR;
    } else if (access(parent.c_str(), W_OK | X_OK) != 0) {
        error = errno;
    }
    if (error != 0) {
        throw failure(fmt::format("cannot be written: {}", std::strerror(error)), {.file = path});
    }
}

void make_folder(const std::string &path) {
    std::error_code code;
    fs::create_directories(path, code);
    if (!code && !fs::is_directory(path)) {
        code = std::make_error_code(std::errc::not_a_directory);
    }
    if (!code && access(path.c_str(), W_OK | X_OK) != 0) {
        code.assign(errno, std::generic_category());
    }
    if (code) {
        throw failure("is not a folder that can be written to: " + code.message(), {.file = path});
    }
}

std::string sanitised(std::string_view name) {
    constexpr size_t kLongest = 200;  // file systems end at 255, and temporary names add to it
    std::string text(name.substr(0, kLongest));
    for (char &character : text) {
        const bool plain = (character >= 'a' && character <= 'z') ||
                           (character >= 'A' && character <= 'Z') ||
                           (character >= '0' && character <= '9') || character == '.' ||
                           character == '_' || character == '-';
        if (!plain) {
            character = '_';
        }
    }
    if (text.empty() || text[0] == '.') {
        text.insert(0, "_");
    }
    return text;
}

std::unique_ptr<TemporaryFolder> make_scratch_folder() {
    std::error_code code;
    const fs::path base = fs::temp_directory_path(code);
    if (code) {
        throw failure("is no folder for temporary files; set TMPDIR to one",
                      {.file = base.string()});
    }
    return std::make_unique<TemporaryFolder>(base / "");
}

}  // namespace emulsion
