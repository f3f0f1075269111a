#include "generators/amdgpu/generate.h"

#include <algorithm>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/amdgpu/emit.h"
#include "backend/amdgpu/module.h"
#include "backend/interrupt.h"
#include "fusion/error.h"
#include "generators/amdgpu/prepared_generator.h"

namespace emulsion {

namespace {

using Halide::Internal::get_registered_generators;

std::string generator_name(const std::string &given) {
    const std::vector<std::string> known = get_registered_generators().enumerate();
    const bool there = std::find(known.begin(), known.end(), given) != known.end();
    if (!there && (!given.empty() || known.size() != 1)) {
        throw Error(fmt::format("-g {}: there {} {}", given,
                                known.size() == 1 ? "is only the generator" : "are the generators",
                                fmt::join(known, ", ")));
    }
    return there ? given : known.front();
}

Halide::GeneratorParamsMap with_chip(const GeneratorCommand &command) {
    Halide::GeneratorParamsMap params = command.params;
    const auto scheduler = params.find("autoscheduler");
    if (scheduler != params.end() && scheduler->second == "Gao2025") {
        params.try_emplace("autoscheduler.chip", command.chips.front());
    }
    return params;
}

Halide::Module lowered(const GeneratorCommand &command, const std::string &name,
                       const std::string &function) {
    PreparedGenerator generator(
        get_registered_generators().create(name, Halide::GeneratorContext(command.target)));
    generator.set_generatorparam_values(with_chip(command));
    return command.gradient ? generator.build_gradient_module(function)
                            : generator.build_module(function);
}

void check_findings(const HipModule &hip, const std::string &name) {
    std::vector<std::string> sentences;
    for (const ChipCode &chip : hip.chips) {
        for (const Finding &finding : chip.findings) {
            if (!runs_nevertheless(finding.kind)) {
                sentences.push_back(
                    fmt::format("generator '{}': {}", name, describe(finding, chip.chip)));
            }
        }
    }
    if (!sentences.empty()) {
        throw failure(fmt::format("{}", fmt::join(sentences, "\n")));
    }
}

void write_outputs(const GeneratorCommand &command, const HipModule &hip, const std::string &base) {
    std::map<Halide::OutputFileType, std::string> files;
    for (const auto &[type, info] : Halide::Internal::get_output_info(command.target)) {
        if (std::find(command.outputs.begin(), command.outputs.end(), info.name) !=
            command.outputs.end()) {
            files[type] = command.folder / (base + info.extension);
        }
    }
    hip.module->compile(files);
    if (std::find(command.outputs.begin(), command.outputs.end(), "kernels") !=
        command.outputs.end()) {
        emit_kernels(hip, base, command.folder);
    }
}

}  // namespace

void generate_for_chips(const GeneratorCommand &command) {
    for (const std::string &plugin : command.plugins) {
        Halide::load_plugin(plugin);
    }
    alarm(command.timeout);
    const InterruptGuard guard;  // the temporary folders have to go
    const std::string name = generator_name(command.generator);
    const std::string function = command.function.empty() ? name : command.function;
    HipOptions options;
    options.jobs = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    const Halide::Module module = lowered(command, name, function);
    check_interrupted();
    const HipModule hip = rewrite_for_hip(module, command.chips, options);
    if (hip.launches.empty()) {
        throw Error(
            fmt::format("generator '{}' launches no kernel: its schedule has no loop on the "
                        "GPU (gpu_tile, gpu_blocks and gpu_threads)",
                        name));
    }
    check_findings(hip, name);
    write_outputs(command, hip,
                  command.base.empty() ? function.substr(function.rfind(':') + 1) : command.base);
}

}  // namespace emulsion

extern "C" __attribute__((visibility("default"))) int emulsion_amdgpu_generator_main(int argc,
                                                                                     char **argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!emulsion::is_for_chips(arguments)) {
        return Halide::Internal::generate_filter_main(argc, argv);
    }
    try {
        emulsion::generate_for_chips(emulsion::parse_generator_command(arguments));
        return 0;
    } catch (const emulsion::Error &error) {
        fmt::print(stderr, "{}\n", error.what());
        return error.exit_code();
    } catch (const Halide::Error &error) {
        const std::string_view what = error.what();
        fmt::print(stderr, "{}{}", what, what.ends_with('\n') ? "" : "\n");
        return 1;
    } catch (const std::exception &error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
