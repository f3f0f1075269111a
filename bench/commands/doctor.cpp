// emulsion doctor: what this machine has and lacks.

#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "backend/amdgpu/clang.h"
#include "backend/cache.h"
#include "backend/process.h"
#include "bench/commands/command.h"
#include "bench/gpu_probe.h"
#include "bench/host.h"
#include "bench/python_scripts.h"
#include "bench/units.h"
#include "fusion/chips.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

constexpr const char *kDoctorManual =
    "Says for everything that is missing what to do about it. Exit status 0 when 'compile' can work\n"
    "here, 1 when it cannot.";

// Prints the lines of the report and remembers whether something that `compile` needs is missing.
class Report {
public:
    void line(const std::string &what, const std::string &value) {
        fmt::print("{:<14}{}\n", what, value);
    }
    void missing(const std::string &what, const std::string &problem, const std::string &remedy) {
        line(what, fmt::format("missing: {}; {}", problem, remedy));
    }
    void fatal(const std::string &what, const std::string &problem, const std::string &remedy) {
        missing(what, problem, remedy);
        able_ = false;
    }
    bool able() const { return able_; }

private:
    bool able_ = true;
};

// Status 127, as a shell would say, where there is no such program.
ToolResult try_tool(const std::vector<std::string> &argv) {
    try {
        return run_tool(argv, "");
    } catch (const Error &) {
        return {.status = 127, .output = ""};
    }
}

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

void check_machine(Report &report) {
    const HostInfo host = host_info();
    report.line("emulsion", EMULSION_VERSION);
    report.line("halide", fmt::format("{} with LLVM {}", host.halide, host.llvm));
    report.line("host target", host.target);
    report.line("processor", fmt::format("{}, {} of {} cores usable", host.processor,
                                         available_cores(), host.cores));
    report.line("features", host.features);
    report.line("caches", fmt::format("L1 {} KiB, L2 {} KiB, L3 {} KiB", host.l1_bytes >> 10,
                                      host.l2_bytes >> 10, host.l3_bytes >> 10));
    if (!host.x86_64) {
        report.fatal("code", "only x86-64 is supported", "compile on an x86-64 machine");
    }
}

void check_compiler(Report &report) {
    const ToolResult compiler = try_tool({"cc", "--version"});
    if (compiler.status == 0) {
        report.line("cc", first_line(compiler.output));
    } else {
        report.fatal("cc", "no C compiler to link libraries with", "apt install gcc");
    }
}

void check_graphviz(Report &report) {
    const ToolResult graphviz = try_tool({"dot", "-V"});
    if (graphviz.status == 0) {
        report.line("dot", first_line(graphviz.output));
    } else {
        report.missing("dot", "'explain --html' needs it", "apt install graphviz");
    }
}

void check_package(Report &report, const std::string &python, const std::string &package,
                   const std::string &needed_for) {
    const ToolResult result =
        try_tool({python, "-c",
                  fmt::format("import importlib.metadata as m; print(m.version('{}'))", package)});
    if (result.status == 0) {
        report.line(package, first_line(result.output));
    } else {
        report.missing(package, fmt::format("'{}' needs it", needed_for),
                       "run tools/setup or pip install " + package);
    }
}

void check_python(Report &report) {
    const std::string python = find_python();
    const ToolResult version = try_tool({python, "--version"});
    if (version.status != 0) {
        report.missing("python", "'verify' needs it", "apt install python3-venv, run tools/setup");
        return;
    }
    report.line("python", fmt::format("{} ({})", first_line(version.output), python));
    for (const char *package : {"numpy", "onnx", "onnxruntime"}) {
        check_package(report, python, package, "verify");
    }
    check_package(report, python, "openvino", "bench/compare");
}

// What code for GPUs is made with, and what runs it.
void check_gpus(Report &report) {
    try {
        std::string chips;
        const DeviceCompiler compiler;
        for (const Chip &chip : all_chips()) {
            compiler.compile("__kernel void nothing(void) {}\n", chip.name);
            chips += (chips.empty() ? "" : ", ") + chip.name;
        }
        report.line("amdgpu", "code for " + chips);
    } catch (const Error &e) {
        report.line("amdgpu", fmt::format("missing: {}", e.message()));
    }
    const ToolResult objdump = try_tool({"llvm-objdump-19", "--version"});
    if (objdump.status != 0) {
        report.missing("llvm-objdump", "'explain' of AMD GPUs needs llvm-objdump-19",
                       "apt install llvm-19");
    }
    for (const auto &[name, probe] :
         {std::pair{"hip", probe_hip()}, std::pair{"opencl", probe_opencl()}}) {
        if (probe.works) {
            report.line(name, probe.found);
        } else {
            report.missing(name, probe.missing, probe.remedy);
        }
    }
}

// Whether files can be made in `folder`, which need not exist yet.
bool writable(fs::path folder) {
    while (!fs::exists(folder) && folder.has_parent_path() && folder != folder.parent_path()) {
        folder = folder.parent_path();
    }
    return fs::is_directory(folder) && access(folder.c_str(), W_OK | X_OK) == 0;
}

void check_folders(Report &report) {
    const std::string cache = default_cache_folder().string();
    if (cache.empty() || !writable(cache)) {
        report.missing("cache", fmt::format("'{}' cannot be written to", cache),
                       "compile works without it, more slowly; name another folder with --cache");
    } else {
        report.line("cache", cache);
    }
    const fs::path temporary = fs::temp_directory_path();
    if (writable(temporary)) {
        report.line("temporary", temporary.string());
    } else {
        report.fatal("temporary", temporary.string() + " cannot be written to",
                     "set TMPDIR to a folder that can");
    }
}

int doctor() {
    Report report;
    check_machine(report);
    check_compiler(report);
    check_graphviz(report);
    check_python(report);
    check_gpus(report);
    check_folders(report);
    fmt::print("{}\n", report.able() ? "compile can work here" : "compile cannot work here");
    return report.able() ? 0 : 1;
}

}  // namespace

const Command &command_doctor() {
    static const Command command = {"doctor", "Say what this machine has and lacks",
                                    [](CLI::App &app) -> std::function<int()> {
                                        app.footer(kDoctorManual);
                                        return doctor;
                                    }};
    return command;
}

}  // namespace emulsion
