#include "backend/x86/link.h"

#include <algorithm>

#include <fmt/format.h>

#include "backend/files.h"
#include "backend/process.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kCompiler = "cc";
constexpr const char *kCompilerPackage = "gcc";
// Of the compiler's messages, what fits into a sentence.
constexpr size_t kMessageLength = 400;

void run(const std::vector<std::string> &argv, const std::string &what) {
    const ToolResult result = run_tool(argv, kCompilerPackage);
    if (result.status != 0) {
        std::string output = result.output.substr(0, kMessageLength);
        std::replace(output.begin(), output.end(), '\n', ' ');
        throw failure(fmt::format("{} ended with status {} while {}: {}", kCompiler, result.status,
                                  what, output));
    }
}

}  // namespace

void link_library(const LinkInputs &inputs, const std::filesystem::path &library) {
    const std::filesystem::path tables = inputs.scratch / "tables.o";
    run({kCompiler, "-std=c99", "-O1", "-g0", "-fPIC", "-fno-strict-aliasing", "-c",
         inputs.tables.string(), "-o", tables.string()},
        "compiling the program's tables");

    const std::filesystem::path exports = inputs.scratch / "exports.map";
    write_file(exports, fmt::format("{{ global: {}_*; local: *; }};\n", inputs.name));

    std::vector<std::string> argv = {kCompiler, "-shared", "-o", library.string(), tables.string()};
    std::vector<std::string> units;
    for (const auto &unit : inputs.units) {
        units.push_back(unit.string());
    }
    std::sort(units.begin(), units.end());
    argv.insert(argv.end(), units.begin(), units.end());
    // All of our runtime: its strong symbols have to be there before Halide's weak ones are taken.
    argv.insert(argv.end(), {"-Wl,--whole-archive", library_file("libemulsion_runtime.a").string(),
                             "-Wl,--no-whole-archive", inputs.halide_runtime.string()});
    argv.insert(argv.end(), {"-Wl,--version-script=" + exports.string(),
                             "-Wl,-soname,lib" + inputs.name + ".so", "-Wl,--build-id=none",
                             "-Wl,-z,noexecstack", "-Wl,-z,now", "-Wl,-z,relro",
                             "-Wl,--gc-sections", "-Wl,--strip-debug", "-Wl,--as-needed",
                             "-static-libgcc", "-lm", "-lpthread", "-ldl"});
    if (!inputs.sanitized) {
        argv.emplace_back("-Wl,-z,defs");
    }
    run(argv, "linking the library");
}

}  // namespace emulsion
