#include "backend/amdgpu/module.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "backend/amdgpu/bundle.h"
#include "backend/amdgpu/hip_names.h"
#include "fusion/chips.h"
#include "fusion/error.h"

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

// Each chip's code by one of `jobs` threads; what went wrong first, in the order of the chips, is
// thrown.
void compile_all(const DeviceCompiler &compiler, HipModule *hip, int jobs) {
    std::vector<std::exception_ptr> errors(hip->chips.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < hip->chips.size(); i = next++) {
            try {
                compile_one(compiler, *hip, &hip->chips[i]);
            } catch (...) {
                errors[i] = std::current_exception();
            }
        }
    };
    std::vector<std::thread> helpers;
    for (size_t i = 1; i < std::min(static_cast<size_t>(std::max(jobs, 1)), errors.size()); i++) {
        helpers.emplace_back(work);
    }
    work();
    for (std::thread &helper : helpers) {
        helper.join();
    }
    for (const std::exception_ptr &error : errors) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
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
    compile_all(*compiler, &hip, options.jobs);
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
