#include "generators/amdgpu/command_line.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Target;

constexpr std::string_view kChips = "chips=";
constexpr const char *kOptions =
    "-g GENERATOR, -f FUNCTION, -n FILE_BASE_NAME, -o FOLDER, -e OUTPUT[,...], -p PLUGIN[,...], "
    "-d 0|1, -t SECONDS, -v 0|1, chips=CHIP[,...], target=TARGET, NAME=VALUE";

std::vector<std::string> parts(const std::string &list) {
    return list.empty() ? std::vector<std::string>() : Halide::Internal::split_string(list, ",");
}

Target device_target(const std::string &text) {
    if (text.find(',') != std::string::npos) {
        throw Error(fmt::format("target={}: one target is accepted where chips are given", text));
    }
    if (!Target::validate_target_string(text)) {
        throw Error(fmt::format("target={}: that is no target of Halide's", text));
    }
    Target target(text);
    if (target.os != Target::Linux || target.arch != Target::X86 || target.bits != 64) {
        throw Error(fmt::format("target={}: with AMD GPUs, x86-64-linux is accepted", text));
    }
    target.set_feature(Target::OpenCL, false);
    if (target.has_gpu_feature()) {
        throw Error(fmt::format("target={}: the API of another GPU than the chips'", text));
    }
    return target.with_feature(Target::OpenCL).with_feature(Target::NoRuntime);
}

unsigned number(const std::string &option, const std::string &text) {
    unsigned value = 0;
    const char *const end = text.data() + text.size();
    if (text.empty() || std::from_chars(text.data(), end, value).ptr != end) {
        throw Error(fmt::format("{} {}: a number was expected", option, text));
    }
    return value;
}

void take_option(GeneratorCommand *command, char option, const std::string &value) {
    const std::string name = fmt::format("-{}", option);
    switch (option) {
    case 'g': command->generator = value; return;
    case 'f': command->function = value; return;
    case 'n': command->base = value; return;
    case 'o': command->folder = value; return;
    case 'e': command->outputs = parts(value); return;
    case 'p': command->plugins = parts(value); return;
    case 'd': command->gradient = number(name, value) != 0; return;
    case 't': command->timeout = number(name, value); return;
    case 'v': return;
    default:
        throw Error(fmt::format("{} {}: not understood where chips are given; accepted are {}",
                                name, value, kOptions));
    }
}

void check_outputs(const GeneratorCommand &command) {
    // Made by the generator itself, not from a module.
    const std::vector<std::string> others{"cpp_stub", "hlpipe", "compiler_log"};
    std::vector<std::string> accepted{"kernels"};
    for (const auto &[type, info] : Halide::Internal::get_output_info(command.target)) {
        if (std::find(others.begin(), others.end(), info.name) == others.end()) {
            accepted.push_back(info.name);
        }
    }
    for (const std::string &output : command.outputs) {
        if (std::find(accepted.begin(), accepted.end(), output) == accepted.end()) {
            throw Error(fmt::format("-e {}: accepted are {}", output, fmt::join(accepted, ", ")));
        }
    }
}

}  // namespace

bool is_for_chips(std::span<const std::string> arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const std::string &text) { return text.starts_with(kChips); });
}

GeneratorCommand parse_generator_command(std::span<const std::string> arguments) {
    GeneratorCommand command;
    std::string target = "x86-64-linux";
    for (size_t i = 0; i < arguments.size(); i++) {
        const std::string &text = arguments[i];
        if (text.size() == 2 && text[0] == '-') {
            if (i + 1 == arguments.size()) {
                throw Error(fmt::format("{} has no value", text));
            }
            take_option(&command, text[1], arguments[++i]);
            continue;
        }
        const size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0) {
            throw Error(fmt::format("'{}': not understood; accepted are {}", text, kOptions));
        }
        const std::string name = text.substr(0, equals), value = text.substr(equals + 1);
        if (text.starts_with(kChips)) {
            for (const std::string &chip : parts(value)) {
                if (std::find(command.chips.begin(), command.chips.end(), chip) !=
                    command.chips.end()) {
                    throw Error(fmt::format("{}: {} is named twice", text, chip));
                }
                command.chips.push_back(find_chip(chip).name);
            }
        } else if (name == "target") {
            target = value;
        } else {
            command.params[name] = value;
        }
    }
    if (command.chips.empty()) {
        throw Error("chips= names no chip");
    }
    if (command.folder.empty()) {
        throw Error("-o, the folder for the files, is missing");
    }
    command.target = device_target(target);
    if (command.outputs.empty()) {
        command.outputs = {"c_header", "registration", "static_library"};
    }
    check_outputs(command);
    return command;
}

}  // namespace emulsion
