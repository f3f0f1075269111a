#include "backend/amdgpu/clang.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "backend/amdgpu/prelude.h"
#include "backend/files.h"
#include "backend/process.h"
#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr const char *kClangPackage = "clang-19";
constexpr const char *kLinkerPackage = "lld-19";
constexpr const char *kBitcodePackage = "rocm-device-libs";

// Chips for whose instruction set rocm-device-libs 5.2.3 has no bitcode: they take the nearest, which differs
// in nothing that Halide's kernels call.
struct IsaVersion {
    std::string_view chip;
    std::string_view version;
};
constexpr std::array<IsaVersion, 2> kIsaVersions{{
    {"gfx942", "940"},
    {"gfx1100", "1036"},
}};

std::string isa_version(const std::string &chip) {
    for (const IsaVersion &isa : kIsaVersions) {
        if (isa.chip == chip) {
            return std::string(isa.version);
        }
    }
    return chip.substr(std::string_view("gfx").size());
}

std::vector<fs::path> bitcode_files(const fs::path &folder, const Chip &chip) {
    const bool wide = chip.gpu.wavefront == 64;
    std::vector<fs::path> files;
    for (const std::string &name :
         {std::string("opencl"), std::string("ocml"), std::string("ockl"),
          fmt::format("oclc_isa_version_{}", isa_version(chip.name)),
          fmt::format("oclc_wavefrontsize64_{}", wide ? "on" : "off"),
          std::string("oclc_daz_opt_off"), std::string("oclc_finite_only_off"),
          std::string("oclc_unsafe_math_off"), std::string("oclc_correctly_rounded_sqrt_on"),
          std::string("oclc_abi_version_400")}) {
        files.push_back(folder / (name + ".bc"));
        if (!fs::exists(files.back())) {
            throw failure(fmt::format("'{}', which device code for {} needs, isn't there: install "
                                      "the package {}",
                                      files.back().string(), chip.name, kBitcodePackage));
        }
    }
    return files;
}

std::vector<std::string> chip_flags(const ClangOptions &options, const Chip &chip,
                                    const std::vector<fs::path> &bitcode) {
    // Version 4 of the code object is what the HIP runtimes from ROCm 4.5 on load. The text of OpenCL is
    // not looked at for warnings: no one could mend it.
    std::vector<std::string> flags{
        "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + chip.name,
        "-mcode-object-version=4", "-O3", "-ffp-contract=" + options.fp_contract, "-nogpulib",
        // Halide's vectors are what it wants; made of others' halves, products and
        // sums no longer meet, and become no FMA.
        "-fno-slp-vectorize", "-w"};
    if (options.exact_division) {
        flags.emplace_back("-cl-fp32-correctly-rounded-divide-sqrt");
    }
    // A workgroup stays on one compute unit, as fusion/gpu.h has it; otherwise RDNA spreads it over two.
    if (chip.gpu.wavefront == 32) {
        flags.emplace_back("-mcumode");
    }
    for (const fs::path &file : bitcode) {
        flags.insert(flags.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", file.string()});
    }
    return flags;
}

// The argument lists of the two programs.
struct Commands {
    std::vector<std::string> compile, link;
};

// Two steps: clang would put the object between them into a folder of its own choice.
Commands commands(const ClangOptions &options, const Chip &chip,
                  const std::vector<fs::path> &bitcode, const fs::path &folder) {
    const std::string object = folder / "kernels.o";
    Commands made{{options.compiler}, {}};
    const std::vector<std::string> flags = chip_flags(options, chip, bitcode);
    made.compile.insert(made.compile.end(), flags.begin(), flags.end());
    made.compile.insert(made.compile.end(), {"-c", folder / "kernels.cl", "-o", object});
    made.link = {options.linker, "-shared", "--no-undefined",
                 object,         "-o",      folder / "kernels.hsaco"};
    return made;
}

std::string whole_text(std::string_view source) {
    return fmt::format("{}\n#line 1\n{}", amdgpu_prelude(), source);
}

// Texts one behind the other, so that different lists are different texts.
std::string joined(std::span<const std::string> texts) {
    std::string all;
    for (const std::string &text : texts) {
        all += fmt::format("{} {}\n", text.size(), text);
    }
    return all;
}

// The kernel of the text that has this line, or the last before it; "" where there is none.
std::string kernel_at(std::string_view source, int line) {
    size_t end = 0;
    for (int i = 0; i < line && end != std::string_view::npos; i++) {
        end = source.find('\n', end + (i > 0 ? 1 : 0));
    }
    const size_t kernel = source.rfind("__kernel ", end);
    const size_t name = kernel == std::string_view::npos ? kernel : source.find(" void ", kernel);
    if (name == std::string_view::npos) {
        return "";
    }
    const size_t begin = name + std::string_view(" void ").size();
    return std::string(source.substr(begin, source.find_first_of(" (", begin) - begin));
}

// The linker names the function that an undefined symbol is called in on a line of its own.
std::string with_caller(const std::string &error, const std::string &output) {
    static const std::regex caller("kernels\\.o:\\(([^)]+)\\)");
    std::smatch match;
    return std::regex_search(output, match, caller)
               ? fmt::format("function '{}': {}", match[1].str(), error)
               : error;
}

// In place of the name of a file that nobody will see, the kernel: `kernels.cl:7:9: error: ...` becomes
// `kernel 'K', line 7: ...`.
std::string with_kernel(const std::string &error, std::string_view source) {
    static const std::regex place("^kernels\\.cl:([0-9]{1,9}):[0-9]+: error: ");
    std::smatch match;
    if (!std::regex_search(error, match, place)) {
        return error;
    }
    const std::string kernel = kernel_at(source, std::stoi(match[1]));
    return fmt::format("{}line {}: {}", kernel.empty() ? "" : fmt::format("kernel '{}', ", kernel),
                       match[1].str(), match.suffix().str());
}

// The first line that says "error:", without the temporary folder's name.
std::string first_error(const std::string &output, const std::string &folder) {
    std::string line;
    for (size_t start = 0; start < output.size();) {
        const size_t end = std::min(output.find('\n', start), output.size());
        const std::string here = output.substr(start, end - start);
        if (here.find("error:") != std::string::npos) {
            line = here;
            break;
        }
        line = line.empty() ? here : line;
        start = end + 1;
    }
    if (const size_t at = line.find(folder + "/"); at != std::string::npos) {
        line.erase(at, folder.size() + 1);
    }
    return line;
}

void run(const std::vector<std::string> &argv, const char *package, const std::string &chip,
         const std::string &folder, std::string_view source) {
    const ToolResult result = run_tool(argv, package);
    if (result.status != 0) {
        throw failure(fmt::format(
            "{} ended with status {} on device code for {}: {}", argv[0], result.status, chip,
            with_kernel(with_caller(first_error(result.output, folder), result.output), source)));
    }
}

std::string version_of(const std::string &program, const char *package) {
    const ToolResult result = run_tool({program, "--version"}, package);
    if (result.status != 0) {
        throw failure(fmt::format("'{} --version' ended with status {}: install the package {}",
                                  program, result.status, package));
    }
    return result.output;
}

}  // namespace

DeviceCompiler::DeviceCompiler(ClangOptions options, const UnitCache *cache)
    : options_(std::move(options)), cache_(cache),
      versions_(version_of(options_.compiler, kClangPackage) +
                version_of(options_.linker, kLinkerPackage)) {}

std::string DeviceCompiler::identity(const std::string &name) const {
    const std::scoped_lock lock(mutex_);
    std::string &identity = identities_[name];
    if (identity.empty()) {
        const Chip &chip = find_chip(name);
        const std::vector<fs::path> bitcode = bitcode_files(options_.bitcode, chip);
        const Commands programs = commands(options_, chip, bitcode, fs::path());
        std::vector<std::string> parts{versions_, joined(programs.compile), joined(programs.link),
                                       whole_text("")};
        for (const fs::path &file : bitcode) {
            parts.push_back(hash_hex(read_file(file)));
        }
        identity = hash_hex(joined(parts));
    }
    return identity;
}

std::string DeviceCompiler::compile(std::string_view source, const std::string &name) const {
    const Chip &chip = find_chip(name);
    std::string key;
    if (cache_ != nullptr) {
        key = "amdgpu-" + hash_hex(identity(name) + whole_text(source));
        if (std::optional<std::string> known = cache_->find(key)) {
            return std::move(*known);
        }
    }
    const TemporaryFolder folder(
        (options_.temporary.empty() ? fs::temp_directory_path() : options_.temporary) /
        "emulsion-amdgpu-");
    write_file(folder.path() / "kernels.cl", whole_text(source));
    const Commands programs =
        commands(options_, chip, bitcode_files(options_.bitcode, chip), folder.path());
    run(programs.compile, kClangPackage, name, folder.path(), source);
    run(programs.link, kLinkerPackage, name, folder.path(), source);
    std::string code = read_file(folder.path() / "kernels.hsaco");
    if (cache_ != nullptr) {
        cache_->store(key, code);
    }
    return code;
}

}  // namespace emulsion
