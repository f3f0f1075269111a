#include "backend/x86/link.h"

#include <algorithm>

#include <fmt/format.h>

#include "backend/embedded.h"
#include "backend/files.h"
#include "backend/names.h"
#include "backend/process.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr const char *kCompiler = "cc";
constexpr const char *kCompilerPackage = "gcc";
constexpr const char *kBinutilsPackage = "binutils";
// Of a tool's messages, what fits into a sentence.
constexpr size_t kMessageLength = 400;

void run(const std::vector<std::string> &argv, const char *package, const std::string &what) {
    const ToolResult result = run_tool(argv, package);
    if (result.status != 0) {
        std::string output = result.output.substr(0, kMessageLength);
        std::replace(output.begin(), output.end(), '\n', ' ');
        throw failure(fmt::format("{} ended with status {} while {}: {}", argv[0], result.status,
                                  what, output));
    }
}

// The functions that the C API's source defines: in each line that begins with a type, the name
// before the first parenthesis.
std::vector<std::string> api_functions(const std::string &name) {
    const std::string source = replace_name(api_source_template(), name);
    const std::string prefix = name + "_";
    std::vector<std::string> functions;
    for (size_t start = 0; start < source.size();) {
        const size_t end = source.find('\n', start);
        const std::string line = source.substr(start, end - start);
        start = end == std::string::npos ? source.size() : end + 1;
        const size_t parenthesis = line.find('(');
        if (parenthesis == std::string::npos || line[0] < 'a' || line[0] > 'z') {
            continue;
        }
        const size_t before = line.find_last_of(" *", parenthesis);
        const std::string function = line.substr(before + 1, parenthesis - before - 1);
        if (function.starts_with(prefix)) {
            functions.push_back(function);
        }
    }
    return functions;
}

class Linker {
public:
    explicit Linker(const LinkInputs &inputs)
        : inputs_(inputs),
          functions_(inputs.exports.empty() ? api_functions(inputs.name) : inputs.exports) {}

    void run(const fs::path &library, const fs::path &archive) {
        compile_tables();
        link_library(library);
        if (!archive.empty()) {
            make_archive(archive);
        }
    }

private:
    std::string scratch(const std::string &name) const { return (inputs_.scratch / name).string(); }

    void compile_tables() const {
        for (const fs::path &tables : inputs_.tables) {
            emulsion::run({kCompiler, "-std=c99", "-O1", "-g0", "-fPIC", "-fno-strict-aliasing",
                           "-c", tables.string(), "-o", object_of(tables)},
                          kCompilerPackage, "compiling the program's tables");
        }
    }

    std::string object_of(const fs::path &tables) const {
        return scratch(tables.stem().string() + ".o");
    }

    // All that both libraries are made of, in an order that does not depend on the caller's.
    std::vector<std::string> objects() const {
        std::vector<std::string> units;
        for (const auto &unit : inputs_.units) {
            units.push_back(unit.string());
        }
        std::sort(units.begin(), units.end());
        std::vector<std::string> list;
        for (const fs::path &tables : inputs_.tables) {
            list.push_back(object_of(tables));
        }
        list.insert(list.end(), units.begin(), units.end());
        // All of our runtime: its strong symbols have to be there before Halide's weak ones are
        // taken.
        list.insert(list.end(),
                    {"-Wl,--whole-archive", library_file("libemulsion_runtime.a").string(),
                     "-Wl,--no-whole-archive"});
        if (!inputs_.gpu_runtime.empty()) {
            list.push_back(inputs_.gpu_runtime.string());
        }
        list.push_back(inputs_.halide_runtime.string());
        return list;
    }

    void link_library(const fs::path &library) const {
        std::string exports = "{ global:";
        for (const std::string &function : functions_) {
            exports += fmt::format(" {};", function);
        }
        write_file(scratch("exports.map"), exports + " local: *; };\n");
        std::vector<std::string> argv = {kCompiler, "-shared", "-o", library.string()};
        const std::vector<std::string> parts = objects();
        argv.insert(argv.end(), parts.begin(), parts.end());
        argv.insert(argv.end(), {"-Wl,--version-script=" + scratch("exports.map"),
                                 "-Wl,-soname,lib" + inputs_.name + ".so", "-Wl,--build-id=none",
                                 "-Wl,-z,noexecstack", "-Wl,-z,now", "-Wl,-z,relro",
                                 "-Wl,--gc-sections", "-Wl,--strip-debug", "-Wl,--as-needed",
                                 "-static-libgcc", "-lm", "-lpthread", "-ldl"});
        if (!inputs_.sanitized) {
            argv.emplace_back("-Wl,-z,defs");
        }
        emulsion::run(argv, kCompilerPackage, "linking the library");
    }

    // One object in which all symbols but the API's are local. Section groups have to go before: the
    // linker knows them by name, and would keep only one of two libraries' groups.
    void make_archive(const fs::path &archive) const {
        std::vector<std::string> argv = {kCompiler, "-r", "-nostdlib", "-o", scratch("whole.o")};
        const std::vector<std::string> parts = objects();
        argv.insert(argv.end(), parts.begin(), parts.end());
        argv.insert(argv.end(), {"-Wl,--force-group-allocation", "-Wl,--build-id=none",
                                 "-Wl,-z,noexecstack", "-Wl,--strip-debug", "-Wl,--gc-sections"});
        std::string names;
        for (const std::string &function : functions_) {
            argv.push_back("-Wl,--undefined=" + function);  // the roots of what is needed
            names += function + "\n";
        }
        emulsion::run(argv, kCompilerPackage, "joining the objects of the archive");

        write_file(scratch("exports.txt"), names);
        const std::string object = scratch(inputs_.name + ".o");
        emulsion::run({"objcopy", "--keep-global-symbols=" + scratch("exports.txt"),
                       "--enable-deterministic-archives", scratch("whole.o"), object},
                      kBinutilsPackage, "making the archive's symbols local");
        emulsion::run({"ar", "rcsD", archive.string(), object}, kBinutilsPackage,
                      "writing the archive");
    }

    const LinkInputs &inputs_;
    std::vector<std::string> functions_;
};

}  // namespace

void link_artifact(const LinkInputs &inputs, const fs::path &library, const fs::path &archive) {
    Linker(inputs).run(library, archive);
}

}  // namespace emulsion
