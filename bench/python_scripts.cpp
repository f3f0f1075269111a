#include "bench/python_scripts.h"

#include <filesystem>

#include "backend/files.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

// What "bin" is in: a build folder, or where Emulsion was installed.
fs::path prefix() { return program_path().parent_path().parent_path(); }

}  // namespace

std::string script_path(const std::string &name) {
    const fs::path script = prefix() / "share" / "emulsion" / "python" / name;
    if (!fs::exists(script)) {
        throw failure("a part of Emulsion itself is missing here", {.file = script.string()});
    }
    return script.string();
}

std::string find_python(const std::string &wanted) {
    if (!wanted.empty()) {
        return wanted;
    }
    // Builds for debugging share the environment of the first build.
    for (const fs::path &environment : {prefix() / "venv", fs::path(EMULSION_VENV)}) {
        if (fs::exists(environment / "bin" / "python")) {
            return (environment / "bin" / "python").string();
        }
    }
    return "python3";
}

}  // namespace emulsion
