#include "backend/amdgpu/check.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion {

namespace {

int64_t round_up(int64_t n, int64_t step) { return (n + step - 1) / step * step; }

int threads_of(const KernelLaunch &launch) {
    const std::optional<std::array<int, 3>> block = constant_block(launch);
    return block ? (*block)[0] * (*block)[1] * (*block)[2] : kMostWorkgroupThreads;
}

// A launch's LDS that is known only when it runs doesn't count here: the runtime refuses too much of it.
int64_t lds_of(const KernelCode &kernel, const KernelLaunch &launch) {
    return std::max(kernel.lds_bytes, constant_value(launch.lds_bytes).value_or(0));
}

// Whether a workgroup's threads and LDS are within what the chip gives it.
bool fits(const std::string &kernel, int threads, int64_t lds, const Chip &chip,
          std::vector<Finding> *findings) {
    const int64_t most_lds = std::min(kMostLdsBytes, chip.gpu.lds_bytes);
    if (lds > most_lds) {
        findings->push_back({kernel, FindingKind::Lds,
                             fmt::format("a workgroup has {} bytes of LDS; {} gives it {}", lds,
                                         chip.name, most_lds)});
    }
    if (threads > kMostWorkgroupThreads) {
        findings->push_back({kernel, FindingKind::Threads,
                             fmt::format("a workgroup has {} threads; {} gives it {}", threads,
                                         chip.name, kMostWorkgroupThreads)});
    }
    return lds <= most_lds && threads <= kMostWorkgroupThreads;
}

class Checker {
public:
    Checker(const CodeObject &object, const Chip &chip) : object_(object), chip_(chip) {}

    std::vector<Finding> run(std::span<const KernelLaunch> launches) {
        const std::string ending = "--" + chip_.name;
        const std::string target = object_.target.substr(0, object_.target.find(':'));
        if (!target.ends_with(ending)) {
            add("", FindingKind::Target,
                fmt::format("the code is for '{}', not for {}", object_.target, chip_.name));
        }
        for (const std::string &symbol : object_.undefined) {
            add("", FindingKind::Undefined, fmt::format("nothing defines '{}'", symbol));
        }
        for (const KernelLaunch &launch : launches) {
            const auto kernel =
                std::find_if(object_.kernels.begin(), object_.kernels.end(),
                             [&](const KernelCode &k) { return k.name == launch.kernel; });
            if (kernel == object_.kernels.end()) {
                add(launch.kernel, FindingKind::Missing, "the code object lacks this kernel");
                continue;
            }
            check_resources(*kernel, launch);
            check_arguments(*kernel, launch);
            check_workgroup(*kernel, launch);
        }
        return std::move(findings_);
    }

private:
    void add(const std::string &kernel, FindingKind kind, std::string sentence) {
        findings_.push_back({kernel, kind, std::move(sentence)});
    }

    void check_resources(const KernelCode &kernel, const KernelLaunch &launch) {
        const Gpu &gpu = chip_.gpu;
        const int threads = threads_of(launch);
        const int64_t lds = lds_of(kernel, launch);
        if (kernel.vgpr_spills > 0 || kernel.sgpr_spills > 0) {
            add(kernel.name, kernel.vgpr_spills > 0 ? FindingKind::Spill : FindingKind::ScalarSpill,
                fmt::format("{} vector and {} scalar registers are spilled on {}",
                            kernel.vgpr_spills, kernel.sgpr_spills, chip_.name));
        }
        if (kernel.private_bytes > 0) {
            add(kernel.name, FindingKind::Scratch,
                fmt::format("each lane has {} bytes of scratch memory on {}", kernel.private_bytes,
                            chip_.name));
        }
        if (kernel.dynamic_stack) {
            add(kernel.name, FindingKind::DynamicStack, "it calls a function that isn't inlined");
        }
        if (!fits(kernel.name, threads, lds, chip_, &findings_)) {
            return;
        }
        if (waves_per_simd(gpu, threads, static_cast<int>(kernel.vgprs), lds) == 0) {
            add(kernel.name, FindingKind::Registers,
                fmt::format("{} vector registers of {} threads don't fit into {}", kernel.vgprs,
                            threads, chip_.name));
        }
    }

    void check_arguments(const KernelCode &kernel, const KernelLaunch &launch) {
        std::vector<int64_t> want = packed_offsets(launch.arguments);
        std::vector<int64_t> have;
        std::vector<std::string> wrong;
        for (const KernelArgument &argument : kernel.arguments) {
            if (argument.hidden() || (argument.bytes == 0 && argument.kind != "by_value")) {
                continue;
            }
            const size_t index = have.size();
            have.push_back(argument.offset);
            if (index < launch.arguments.size()) {
                const LaunchArgument &launched = launch.arguments[index];
                if (argument.bytes != launched.bytes ||
                    (argument.kind == "global_buffer") != launched.is_buffer) {
                    wrong.push_back(fmt::format("'{}' is {} of {} bytes", launched.name,
                                                argument.kind, argument.bytes));
                }
            }
        }
        const int64_t bytes = packed_bytes(launch.arguments);
        if (have != want) {
            wrong.push_back(fmt::format("they lie at {}, not at {}", fmt::join(have, ", "),
                                        fmt::join(want, ", ")));
        }
        if (kernel.kernarg_bytes < bytes) {
            wrong.push_back(fmt::format("there are {} bytes, not {}", kernel.kernarg_bytes, bytes));
        }
        if (!wrong.empty()) {
            add(kernel.name, FindingKind::Arguments,
                fmt::format("its arguments aren't those of its launch: {}",
                            fmt::join(wrong, "; ")));
        }
    }

    void check_workgroup(const KernelCode &kernel, const KernelLaunch &launch) {
        const bool any = kernel.workgroup == std::array<int64_t, 3>{};
        const std::optional<std::array<int, 3>> block = constant_block(launch);
        if (!any &&
            (!block || !std::equal(block->begin(), block->end(), kernel.workgroup.begin()))) {
            add(kernel.name, FindingKind::Workgroup,
                fmt::format("it was compiled for workgroups of {}, not of {}",
                            fmt::join(kernel.workgroup, " x "),
                            block ? fmt::format("{}", fmt::join(*block, " x ")) : "any size"));
        }
        if (threads_of(launch) > kernel.most_threads) {
            add(kernel.name, FindingKind::Workgroup,
                fmt::format("its workgroups have at most {} threads, but it is launched with {}",
                            kernel.most_threads, threads_of(launch)));
        }
        if (kernel.wavefront != chip_.gpu.wavefront) {
            add(kernel.name, FindingKind::Target,
                fmt::format("its waves have {} lanes, those of {} have {}", kernel.wavefront,
                            chip_.name, chip_.gpu.wavefront));
        }
    }

    const CodeObject &object_;
    const Chip &chip_;
    std::vector<Finding> findings_;
};

}  // namespace

bool smaller_schedule_helps(FindingKind kind) {
    return kind == FindingKind::Spill || kind == FindingKind::ScalarSpill ||
           kind == FindingKind::Scratch || kind == FindingKind::Registers ||
           kind == FindingKind::Lds || kind == FindingKind::Threads;
}

bool runs_nevertheless(FindingKind kind) { return kind == FindingKind::ScalarSpill; }

std::string describe(const Finding &finding, const std::string &chip) {
    return fmt::format(
        "{} for {}: {}{}",
        finding.kernel.empty() ? "the code" : fmt::format("kernel '{}'", finding.kernel), chip,
        finding.sentence,
        smaller_schedule_helps(finding.kind) ? "; smaller tiles or less unrolling would help" : "");
}

std::vector<Finding> check_code_object(const CodeObject &object,
                                       std::span<const KernelLaunch> launches, const Chip &chip) {
    return Checker(object, chip).run(launches);
}

std::vector<Finding> check_launches(std::span<const KernelLaunch> launches, const Chip &chip) {
    std::vector<Finding> findings;
    for (const KernelLaunch &launch : launches) {
        fits(launch.kernel, threads_of(launch), constant_value(launch.lds_bytes).value_or(0), chip,
             &findings);
    }
    return findings;
}

int kernel_waves_per_simd(const KernelCode &kernel, const KernelLaunch &launch, const Chip &chip) {
    return waves_per_simd(chip.gpu, threads_of(launch), static_cast<int>(kernel.vgprs),
                          lds_of(kernel, launch));
}

std::vector<int64_t> packed_offsets(std::span<const LaunchArgument> arguments) {
    std::vector<int64_t> offsets;
    int64_t end = 0;
    for (const LaunchArgument &argument : arguments) {
        offsets.push_back(round_up(end, argument.bytes));
        end = offsets.back() + argument.bytes;
    }
    return offsets;
}

int64_t packed_bytes(std::span<const LaunchArgument> arguments) {
    return arguments.empty() ? 0 : packed_offsets(arguments).back() + arguments.back().bytes;
}

}  // namespace emulsion
