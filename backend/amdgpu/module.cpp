#include "backend/amdgpu/module.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "backend/amdgpu/bundle.h"
#include "backend/amdgpu/hip_names.h"
#include "fusion/chips.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace emulsion {

namespace {

void compile_one(const DeviceCompiler &compiler, const HipModule &hip, ChipCode *result) {
    const Chip &chip = find_chip(result->chip);
    result->findings = check_launches(hip.launches, chip);
    if (!result->findings.empty()) {
        return;
    }
    result->code = compiler.compile(hip.source, chip.name);
    result->object = read_code_object(result->code);
    result->findings = check_code_object(result->object, hip.launches, chip);
}

// What the runtime is told of each kernel. Its LDS may differ from chip to chip where the compiler moves
// arrays there; the most is told.
std::vector<BundledKernel> bundled_kernels(const HipModule &hip) {
    std::vector<BundledKernel> kernels;
    for (const KernelShape &shape : kernel_shapes(hip.launches)) {
        BundledKernel kernel;
        kernel.name = shape.kernel;
        kernel.dynamic_lds = !shape.lds_bytes;
        kernel.threads = shape.block.value_or(std::array<int, 3>{});
        for (const ChipCode &chip : hip.chips) {
            for (const KernelCode &code : chip.object.kernels) {
                if (code.name == shape.kernel) {
                    kernel.static_lds_bytes = std::max(kernel.static_lds_bytes, code.lds_bytes);
                }
            }
        }
        kernels.push_back(kernel);
    }
    return kernels;
}

}  // namespace

bool HipModule::has_findings() const {
    return std::any_of(chips.begin(), chips.end(),
                       [](const ChipCode &chip) { return !chip.findings.empty(); });
}

HipModule rewrite_for_hip(const Halide::Module &module, const std::vector<std::string> &chips,
                          const HipOptions &options) {
    HipModule hip;
    const Halide::Buffer<> text = opencl_text(module);
    if (!text.defined()) {
        hip.module = module;
        return hip;
    }
    hip.launches = collect_launches(module);
    hip.buffers = collect_buffers(module);
    hip.source = rewrite_kernels(
        std::string_view(static_cast<const char *>(static_cast<const void *>(text.data())),
                         text.size_in_bytes()),
        kernel_shapes(hip.launches));
    for (const std::string &chip : chips) {
        hip.chips.push_back({.chip = find_chip(chip).name});
    }
    std::optional<DeviceCompiler> own;
    const DeviceCompiler *compiler = options.compiler;
    if (compiler == nullptr) {
        compiler = &own.emplace();
    }
    in_parallel(hip.chips.size(), options.jobs,
                [&](size_t i) { compile_one(*compiler, hip, &hip.chips[i]); });
    std::vector<BundledCode> codes;
    for (const ChipCode &chip : hip.chips) {
        if (chip.code.empty()) {
            return hip;
        }
        codes.push_back({chip.chip, chip.code});
    }
    hip.module = with_hip_calls(module, make_bundle(codes, bundled_kernels(hip)));
    return hip;
}

}  // namespace emulsion
