#include "bench/user_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

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
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    const bool in_place = fs::exists(status) && !fs::is_regular_file(status);
    const std::string name = in_place ? path : fmt::format("{}.{}.tmp", path, getpid());
    std::ofstream stream(name, std::ios::binary);
    for (const std::string_view part : parts) {
        stream.write(part.data(), static_cast<std::streamsize>(part.size()));
    }
    stream.close();
    int error = stream ? 0 : errno;
    if (error == 0 && !in_place) {
        fs::rename(name, path, code);
        error = code.value();
    }
    if (error != 0) {
        if (!in_place) {
            fs::remove(name, code);
        }
        throw failure(fmt::format("cannot be written: {}", std::strerror(error)), {.file = path});
    }
}

void expect_writable(const std::string &path) {
    if (path.empty()) {
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
    return std::make_unique<TemporaryFolder>(base / "emulsion-");
}

}  // namespace emulsion
