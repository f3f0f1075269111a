#include "backend/kernel_report.h"

#include <algorithm>
#include <set>

#include <Halide.h>

#include "backend/hip_unit.h"
#include "backend/launch_work.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// Indices of launches, one per distinct unit, those with the most multiply-adds first.
std::vector<int> largest_launches(const PlannedNetwork &network, int count) {
    const std::vector<LaunchWork> work = launch_work(network);
    std::vector<int> order(network.launches.size());
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = static_cast<int>(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return work[static_cast<size_t>(a)].multiply_adds >
               work[static_cast<size_t>(b)].multiply_adds;
    });
    std::set<std::string> units;
    std::erase_if(order, [&](int launch) {
        return !units.insert(unit_key(network.launches[static_cast<size_t>(launch)].unit)).second;
    });
    order.resize(std::min(order.size(), static_cast<size_t>(count)));
    return order;
}

void add_kernels(int launch, const HipUnit &unit, std::vector<KernelReport> &reports) {
    for (const ChipCode &code : unit.hip.chips) {
        const Chip &chip = find_chip(code.chip);
        for (KernelDisassembly &kernel : disassemble(code.code)) {
            const auto facts =
                std::find_if(code.object.kernels.begin(), code.object.kernels.end(),
                             [&](const KernelCode &k) { return k.name == kernel.kernel; });
            const auto started =
                std::find_if(unit.hip.launches.begin(), unit.hip.launches.end(),
                             [&](const KernelLaunch &l) { return l.kernel == kernel.kernel; });
            if (facts == code.object.kernels.end() || started == unit.hip.launches.end()) {
                continue;
            }
            KernelReport report;
            report.launch = launch;
            report.chip = code.chip;
            report.threads = static_cast<int>(facts->most_threads);
            report.vector_registers = static_cast<int>(facts->vgprs);
            report.scalar_registers = static_cast<int>(facts->sgprs);
            report.lds_bytes = facts->lds_bytes;
            report.waves = kernel_waves_per_simd(*facts, *started, chip);
            report.most_waves = chip.gpu.most_waves;
            report.code = std::move(kernel);
            reports.push_back(std::move(report));
        }
    }
}

}  // namespace

std::vector<KernelReport>
report_kernels(const PlannedNetwork &network, int count,
               const std::function<void(int, int, const std::string &)> &progress) {
    const std::vector<int> launches = largest_launches(network, count);
    const DeviceCompiler compiler;
    std::vector<KernelReport> reports;
    int done = 0;
    for (const int launch : launches) {
        const PlannedLaunch &planned = network.launches[static_cast<size_t>(launch)];
        progress(done++, static_cast<int>(launches.size()), planned.label);
        try {
            add_kernels(launch, make_hip_unit(planned.unit, unit_key(planned.unit), compiler),
                        reports);
        } catch (const Halide::Error &e) {
            throw failure(planned.label + ": " + e.what());
        }
    }
    return reports;
}

}  // namespace emulsion
