#include "fusion/chips.h"

#include <array>

#include "fusion/error.h"

namespace emulsion {

namespace {

// Figures per second in the makers' data sheets, turned into figures per cycle.
double per_cycle(double gigabytes_per_second, double gigahertz) {
    return gigabytes_per_second / gigahertz;
}

// GCN 5 and CDNA: four SIMDs of 16 lanes; a wave takes four cycles for an instruction.
Chip gfx906() {
    Chip chip{"gfx906", "Radeon Instinct MI50", 1.725, {}};
    chip.gpu.compute_units = 60;
    chip.gpu.l2_bytes_per_cycle = 1024.0;
    chip.gpu.memory_bytes_per_cycle = per_cycle(1024.0, chip.gigahertz);
    return chip;
}

// CDNA 2 and 3: registers and accumulators in one file of 512.
Gpu cdna(int compute_units) {
    Gpu gpu;
    gpu.compute_units = compute_units;
    gpu.most_waves = 8;
    gpu.vector_registers = 512;
    gpu.most_vector_registers = 512;
    gpu.register_granule = 8;
    return gpu;
}

Chip gfx90a() {
    Chip chip{"gfx90a", "Instinct MI210", 1.7, cdna(104)};
    chip.gpu.l2_bytes = 8 << 20;
    chip.gpu.l2_bytes_per_cycle = 2048.0;
    chip.gpu.memory_bytes_per_cycle = per_cycle(1638.0, chip.gigahertz);
    return chip;
}

Chip gfx942() {
    Chip chip{"gfx942", "Instinct MI300X", 2.1, cdna(304)};
    chip.gpu.l2_bytes = 256 << 20;
    chip.gpu.l2_bytes_per_cycle = 8192.0;
    chip.gpu.memory_bytes_per_cycle = per_cycle(5300.0, chip.gigahertz);
    chip.gpu.l1_bytes = 32 << 10;
    chip.gpu.host_gigabytes_per_second = 48.0;
    return chip;
}

// RDNA: waves of 32 lanes on SIMDs as wide as that, two to a compute unit.
Gpu rdna(int compute_units) {
    Gpu gpu;
    gpu.compute_units = compute_units;
    gpu.wavefront = 32;
    gpu.simds = 2;
    gpu.simd_lanes = 32;
    gpu.most_waves = 16;
    gpu.lds_granule = 1024;
    gpu.host_gigabytes_per_second = 24.0;
    return gpu;
}

Chip gfx1030() {
    Chip chip{"gfx1030", "Radeon RX 6900 XT", 2.25, rdna(80)};
    chip.gpu.vector_registers = 1024;
    chip.gpu.register_granule = 16;
    chip.gpu.l2_bytes = 128 << 20;
    chip.gpu.l2_bytes_per_cycle = 1024.0;
    chip.gpu.memory_bytes_per_cycle = per_cycle(512.0, chip.gigahertz);
    return chip;
}

Chip gfx1100() {
    Chip chip{"gfx1100", "Radeon RX 7900 XTX", 2.5, rdna(96)};
    chip.gpu.vector_registers = 1536;
    chip.gpu.register_granule = 24;
    chip.gpu.simd_lanes = 64;  // two multiply-adds of a wave at once, where the compiler pairs them
    chip.gpu.l1_bytes = 32 << 10;
    chip.gpu.l2_bytes = 96 << 20;
    chip.gpu.l2_bytes_per_cycle = 1536.0;
    chip.gpu.memory_bytes_per_cycle = per_cycle(960.0, chip.gigahertz);
    return chip;
}

}  // namespace

std::span<const Chip> all_chips() {
    static const std::array<Chip, 5> chips{gfx906(), gfx90a(), gfx942(), gfx1030(), gfx1100()};
    return chips;
}

const Chip &find_chip(const std::string &name) {
    std::string known;
    for (const Chip &chip : all_chips()) {
        if (chip.name == name) {
            return chip;
        }
        known += (known.empty() ? "" : ", ") + chip.name;
    }
    throw Error("unknown GPU '" + name + "'; known are " + known);
}

Machine machine_of(const Chip &chip) {
    constexpr double kCyclesPerMicrosecond = 1000.0;  // of a clock of one gigahertz
    GpuMachine machine;
    machine.chip = chip.gpu;
    machine.gigahertz = chip.gigahertz;
    machine.launch_cycles = chip.gpu.launch_microseconds * chip.gigahertz * kCyclesPerMicrosecond;
    return machine;
}

}  // namespace emulsion
