// What the planner knows of the machine that the code will run on. Filled in from the target
// (autoscheduler/machine.h), from parameters and from a calibration file that the user names; never
// from the environment. Where nothing has been measured, the figures are those of a typical current
// core: all prices start from these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <variant>

#include "fusion/element_type.h"
#include "fusion/gpu.h"
#include "fusion/vector_rates.h"

namespace emulsion {

struct CpuMachine {
    int threads = 1;              // workers that a parallel loop may use
    int vector_bytes = 16;        // width of a SIMD register
    int vector_registers = 16;    // architectural SIMD registers
    int64_t l2_bytes = 1 << 20;   // last private cache, per core
    int64_t l3_bytes = 16 << 20;  // the cache that the cores share

    // Bytes per cycle and core from the private cache, from the shared one and from memory.
    double private_bytes_per_cycle = 32.0;
    double shared_bytes_per_cycle = 10.0;
    double memory_bytes_per_cycle = 5.0;
    // Simple vector operations per cycle that element-wise code reaches, tails and addresses included.
    double operations_per_cycle = 1.3;
    // Cycles of the busiest core over those that a loop nest's own estimate has.
    double nest_slowdown = 1.2;
    // Cycles for an element that a loop nest reads or writes across the order in which it lies, one by one;
    // and how much longer it takes where the nest doesn't use its cache line up while it is near.
    double crossing_cycles = 1.1;
    double far_crossing_slowdown = 4.0;
    // Cycles to start a task, to start all cores on a parallel loop, and to launch a kernel at all.
    double task_cycles = 2000.0;
    double region_cycles = 10000.0;
    double launch_cycles = 1000.0;
    double gigahertz = 3.0;  // turns cycles into time

    // Of pipelines of images (fusion/image). Cycles of an operation on a vector, of a load of one, of an element that is
    // loaded alone into a vector, and of an operation where there are no vectors.
    double image_operation_cycles = 0.4;
    double image_load_cycles = 0.5;
    double image_gather_cycles = 1.5;
    double image_scalar_cycles = 0.5;
    // What a row costs beside its elements, and of vectors that are computed for nothing at its end.
    double image_row_cycles = 20.0;
    // What a tile costs that a thread takes from the queue.
    double image_task_cycles = 2000.0;
    // Of a byte of an allocation that is new pages of the system's, which it clears first.
    double new_page_cycles = 0.35;

    // Lanes of one register for elements of `element_bytes`.
    int lanes(int element_bytes) const { return std::max(vector_bytes / element_bytes, 1); }
    // What loop nests' own models count in: for sums in `accumulator` of what is read as `operand`.
    VectorRates rates(ElementType operand, ElementType accumulator) const;
    // What becomes of their sums.
    ArithmeticRates arithmetic() const { return {operations_per_cycle, nest_slowdown}; }
    // Whether `bytes` stay in a core's private cache while it works on them.
    bool stays_private(double bytes) const;
    // From where so much stays: the private cache, or the one that cores share.
    double cached_bytes_per_cycle(double bytes) const {
        return stays_private(bytes) ? private_bytes_per_cycle : shared_bytes_per_cycle;
    }
    // Bytes per cycle and core for a tensor of `bytes` that all cores walk together: of the level that it
    // stays in from one kernel to the next.
    double bytes_per_cycle(double bytes) const;
    // Cycles to start a parallel loop and one of its tasks. A thread that is alone wakes nobody, and takes its tasks
    // one after the other.
    double region_start() const { return threads > 1 ? region_cycles : 0.0; }
    double task_start() const { return threads > 1 ? task_cycles : task_cycles * kQueuedShare; }
    // The share of a task's start that taking another one from the queue takes (measured: 2,000 to 10,000 tasks take
    // two threads 15 to 60 cycles each).
    static constexpr double kQueuedShare = 0.02;
    bool operator==(const CpuMachine &) const = default;
};

struct GpuMachine {
    Gpu chip{};
    // Of the multiply-adds that a compute unit could do, the instructions of element-wise code that it does.
    double operations_per_cycle = 0.5;
    // Cycles of a compute unit over those that a loop nest's own estimate has.
    double nest_slowdown = 1.2;
    double launch_cycles = 6000.0;  // from one kernel of a stream to the next
    double gigahertz = 1.5;

    // Elements of `element_bytes` on which a compute unit starts an operation per cycle.
    int lanes(int element_bytes) const;
    ArithmeticRates arithmetic() const { return {operations_per_cycle, nest_slowdown}; }
    // Cycles of a compute unit for operations on single elements of 4 bytes, all lanes busy.
    double operation_cycles(double operations) const {
        return operations / lanes(4) / operations_per_cycle;
    }
    // Whether a tensor of `bytes` stays in the last cache before memory from one kernel to the next.
    bool stays_cached(double bytes) const;
    bool operator==(const GpuMachine &) const = default;
};

// One of the two, and what both answer: a *core* is a CPU's, or a compute unit.
class Machine {
public:
    Machine() = default;  // a typical CPU
    Machine(const CpuMachine &cpu) : kind_(cpu) {}
    Machine(const GpuMachine &gpu) : kind_(gpu) {}

    bool is_gpu() const { return std::holds_alternative<GpuMachine>(kind_); }
    // Only of the kind that it is.
    const CpuMachine &cpu() const { return std::get<CpuMachine>(kind_); }
    CpuMachine &cpu() { return std::get<CpuMachine>(kind_); }
    const GpuMachine &gpu() const { return std::get<GpuMachine>(kind_); }
    GpuMachine &gpu() { return std::get<GpuMachine>(kind_); }

    int cores() const { return is_gpu() ? gpu().chip.compute_units : cpu().threads; }
    // Elements of `element_bytes` that a core computes in one operation.
    int lanes(int element_bytes) const {
        return is_gpu() ? gpu().lanes(element_bytes) : cpu().lanes(element_bytes);
    }
    ArithmeticRates arithmetic() const {
        return is_gpu() ? gpu().arithmetic() : cpu().arithmetic();
    }
    // Bytes per cycle and core for a tensor of `bytes` that all cores walk together, and for constants, of any size:
    // those of all other kernels have evicted them.
    double bytes_per_cycle(double bytes) const;
    double constant_bytes_per_cycle() const;
    double milliseconds(double cycles) const {
        return cycles / ((is_gpu() ? gpu().gigahertz : cpu().gigahertz) * 1e6);
    }
    bool operator==(const Machine &) const = default;

private:
    std::variant<CpuMachine, GpuMachine> kind_;
};

// The share of a cache that one tensor may fill and still stay there.
inline constexpr double kCacheShare = 0.7;

inline bool CpuMachine::stays_private(double bytes) const {
    return bytes < kCacheShare * static_cast<double>(l2_bytes);
}

inline VectorRates CpuMachine::rates(ElementType operand, ElementType accumulator) const {
    // Floating point and integers of all widths: what sets them apart is how many lanes a register has.
    VectorRates rates;
    rates.load += operand == accumulator ? 0.0 : rates.conversion;
    return rates;
}

inline double CpuMachine::bytes_per_cycle(double bytes) const {
    return bytes < kCacheShare * static_cast<double>(l2_bytes) * threads ? private_bytes_per_cycle
           : bytes < kCacheShare * static_cast<double>(l3_bytes)         ? shared_bytes_per_cycle
                                                                         : memory_bytes_per_cycle;
}

inline int GpuMachine::lanes(int element_bytes) const {
    constexpr int kLaneBytes = 4;
    return std::max(chip.simds * chip.simd_lanes * kLaneBytes / element_bytes, 1);
}

inline bool GpuMachine::stays_cached(double bytes) const {
    return bytes < kCacheShare * static_cast<double>(chip.l2_bytes);
}

inline double Machine::bytes_per_cycle(double bytes) const {
    if (!is_gpu()) {
        return cpu().bytes_per_cycle(bytes);
    }
    const Gpu &chip = gpu().chip;
    return (gpu().stays_cached(bytes) ? chip.l2_bytes_per_cycle : chip.memory_bytes_per_cycle) /
           chip.compute_units;
}

inline double Machine::constant_bytes_per_cycle() const {
    return is_gpu() ? gpu().chip.memory_bytes_per_cycle / gpu().chip.compute_units
                    : cpu().shared_bytes_per_cycle;
}

}  // namespace emulsion
