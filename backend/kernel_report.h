// What became of a network's kernels on AMD GPUs: how many waves fit, and how much of the arithmetic is in
// instructions that multiply and add at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend/amdgpu/disassembly.h"
#include "frontend/lower/network.h"

namespace emulsion {

struct KernelReport {
    int launch = -1;  // index into PlannedNetwork::launches: the first that runs it
    std::string chip;
    int threads = 0;  // of a workgroup
    int vector_registers = 0, scalar_registers = 0;
    int64_t lds_bytes = 0;
    int waves = 0, most_waves = 0;  // of a SIMD: that fit, and that it can keep
    KernelDisassembly code;
};

// The kernels of the network's `count` largest units, by multiply-adds, for every chip of its target; units
// compute them in the order of these. Compiles them in this process. `progress` is called before each unit:
// (done, all, label). Throws Error.
std::vector<KernelReport>
report_kernels(const PlannedNetwork &network, int count,
               const std::function<void(int, int, const std::string &)> &progress);

}  // namespace emulsion
