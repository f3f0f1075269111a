#include "backend/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

std::string read_file(const fs::path &path) {
    constexpr size_t kBlock = 1 << 16;
    std::ifstream in(path, std::ios::binary);
    std::string bytes;
    std::vector<char> block(kBlock);
    while (in.read(block.data(), static_cast<std::streamsize>(kBlock)) || in.gcount() > 0) {
        bytes.append(block.data(), static_cast<size_t>(in.gcount()));
    }
    if (!in.eof()) {
        throw failure("can't be read", {.file = path.string()});
    }
    return bytes;
}

void write_file(const fs::path &path, std::string_view bytes) {
    errno = 0;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) {
        throw failure(fmt::format("can't be written{}{}", errno == 0 ? "" : ": ",
                                  errno == 0 ? "" : std::strerror(errno)),
                      {.file = path.string()});
    }
}

fs::path program_path() { return fs::read_symlink("/proc/self/exe"); }

fs::path library_file(const std::string &name) {
    const fs::path path = program_path().parent_path().parent_path() / "lib" / name;
    if (!fs::exists(path)) {
        throw failure("a part of Emulsion itself is missing here", {.file = path.string()});
    }
    return path;
}

}  // namespace emulsion
