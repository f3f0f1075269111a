#include "backend/amdgpu/emit.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/files.h"
#include "fusion/error.h"
#include "fusion/json_document.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

// Halide makes a kernel's name of its loops' names, but a file's name has at most 255 bytes.
constexpr size_t kMostNameBytes = 200;

std::string file_name(const std::string &kernel) {
    return kernel.size() <= kMostNameBytes
               ? kernel
               : kernel.substr(0, kMostNameBytes) + "-" + hash_hex(kernel).substr(0, 16);
}

Json value(const Halide::Expr &e) {
    if (const std::optional<int64_t> constant = constant_value(e)) {
        return *constant;
    }
    std::ostringstream text;
    text << e;
    return text.str();
}

Json values(const std::array<Halide::Expr, 3> &expressions) {
    Json list = Json::array();
    for (const Halide::Expr &e : expressions) {
        list.push_back(value(e));
    }
    return list;
}

Json lds_bytes(const KernelLaunch &launch) {
    return launch.computed_lds_bytes ? Json(*launch.computed_lds_bytes) : value(launch.lds_bytes);
}

Json arguments(const KernelCode &kernel, const KernelLaunch &launch, const TensorNames &tensors) {
    Json list = Json::array();
    size_t i = 0;
    for (const KernelArgument &argument : kernel.arguments) {
        if (argument.hidden() || i == launch.arguments.size()) {
            continue;
        }
        const LaunchArgument &launched = launch.arguments[i++];
        Json entry{{"name", launched.name},
                   {"kind", launched.is_buffer ? "buffer" : "scalar"},
                   {"type", argument.type},
                   {"bytes", argument.bytes},
                   {"offset", argument.offset}};
        if (launched.number) {
            entry["value"] = *launched.number;
        }
        if (launched.is_buffer) {
            const auto tensor = tensors.find(launched.name);
            entry["tensor"] = tensor == tensors.end() ? launched.name : tensor->second;
        }
        list.push_back(entry);
    }
    return list;
}

// What a run of the module is: its launches in order, and the tensors between them.
Json describe_run(const HipModule &hip, const TensorNames &tensors) {
    Json launches = Json::array();
    for (const KernelLaunch &launch : hip.launches) {
        Json list = Json::array();
        for (const LaunchArgument &argument : launch.arguments) {
            const auto tensor = tensors.find(argument.name);
            list.push_back(tensor == tensors.end() ? argument.name : tensor->second);
        }
        launches.push_back({{"kernel", launch.kernel},
                            {"file", file_name(launch.kernel)},
                            {"grid", values(launch.grid)},
                            {"block", values(launch.block)},
                            {"lds_bytes", lds_bytes(launch)},
                            {"arguments", list}});
    }
    Json buffers = Json::array();
    for (const KernelBuffer &buffer : hip.buffers) {
        Json dimensions = Json::array();
        for (const KernelBuffer::Dimension &d : buffer.dimensions) {
            dimensions.push_back(
                {{"min", value(d.min)}, {"extent", value(d.extent)}, {"stride", value(d.stride)}});
        }
        std::ostringstream type;
        type << buffer.type;
        buffers.push_back(
            {{"name", buffer.name}, {"type", type.str()}, {"dimensions", dimensions}});
    }
    return {{"launches", launches}, {"buffers", buffers}};
}

Json describe(const KernelCode &kernel, const HipModule &hip, const ChipCode &code,
              const TensorNames &tensors) {
    Json launches = Json::array();
    Json list;
    int waves = 0;
    for (const KernelLaunch &launch : hip.launches) {
        if (launch.kernel == kernel.name) {
            launches.push_back({{"grid", values(launch.grid)},
                                {"block", values(launch.block)},
                                {"lds_bytes", lds_bytes(launch)}});
            list = launches.size() == 1 ? arguments(kernel, launch, tensors) : list;
            waves = kernel_waves_per_simd(kernel, launch, find_chip(code.chip));
        }
    }
    Json findings = Json::array();
    for (const Finding &finding : code.findings) {
        if (finding.kernel.empty() || finding.kernel == kernel.name) {
            findings.push_back(finding.sentence);
        }
    }
    return {{"kernel", kernel.name},
            {"chip", code.chip},
            {"launches", launches},
            {"static_lds_bytes", kernel.lds_bytes},
            {"kernarg_bytes", kernel.kernarg_bytes},
            {"arguments", list},
            {"vector_registers", kernel.vgprs},
            {"accumulator_registers", kernel.agprs},
            {"scalar_registers", kernel.sgprs},
            {"scratch_bytes", kernel.private_bytes},
            {"wavefront", kernel.wavefront},
            {"waves_per_simd", waves},
            {"findings", findings}};
}

}  // namespace

std::vector<fs::path> emit_kernels(const HipModule &hip, const std::string &name,
                                   const fs::path &folder, const TensorNames &tensors) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        throw failure(fmt::format("can't be made: {}", error.message()), {.file = folder.string()});
    }
    std::vector<fs::path> files;
    for (const ChipCode &code : hip.chips) {
        if (code.code.empty()) {
            continue;
        }
        const std::string object = fmt::format("{}.{}.hsaco", name, code.chip);
        files.push_back(folder / object);
        write_file(files.back(), code.code);
        for (const KernelCode &kernel : code.object.kernels) {
            Json json = describe(kernel, hip, code, tensors);
            json["code_object"] = object;
            files.push_back(folder / fmt::format("{}.{}.json", file_name(kernel.name), code.chip));
            write_file(files.back(), json_document("emulsion-kernel", json));
        }
    }
    files.push_back(folder / fmt::format("{}.kernels.json", name));
    write_file(files.back(), json_document("emulsion-kernels", describe_run(hip, tensors)));
    return files;
}

}  // namespace emulsion
