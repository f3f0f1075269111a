#include "fusion/machine_constants.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "fusion/error.h"
#include "fusion/json_document.h"

namespace emulsion {

namespace {

struct Constant {
    const char *name;
    std::variant<int64_t CpuMachine::*, double CpuMachine::*> cpu;
    double least, most;
    double GpuMachine::*gpu = nullptr;  // a GPU's sizes and rates are its chip's
};

constexpr double kKiB = 1024.0;
constexpr double kTiB = kKiB * kKiB * kKiB * kKiB;

const Constant kConstants[] = {
    {"l2_bytes", &CpuMachine::l2_bytes, kKiB, kTiB},
    {"l3_bytes", &CpuMachine::l3_bytes, kKiB, kTiB},
    {"private_bytes_per_cycle", &CpuMachine::private_bytes_per_cycle, 1e-3, 1e6},
    {"shared_bytes_per_cycle", &CpuMachine::shared_bytes_per_cycle, 1e-3, 1e6},
    {"memory_bytes_per_cycle", &CpuMachine::memory_bytes_per_cycle, 1e-3, 1e6},
    {"operations_per_cycle", &CpuMachine::operations_per_cycle, 1e-3, 1e3,
     &GpuMachine::operations_per_cycle},
    {"nest_slowdown", &CpuMachine::nest_slowdown, 1e-3, 1e3, &GpuMachine::nest_slowdown},
    {"crossing_cycles", &CpuMachine::crossing_cycles, 0.0, 1e6},
    {"far_crossing_slowdown", &CpuMachine::far_crossing_slowdown, 1e-3, 1e6},
    {"task_cycles", &CpuMachine::task_cycles, 0.0, 1e12},
    {"region_cycles", &CpuMachine::region_cycles, 0.0, 1e12},
    {"launch_cycles", &CpuMachine::launch_cycles, 0.0, 1e12, &GpuMachine::launch_cycles},
    {"gigahertz", &CpuMachine::gigahertz, 1e-3, 1e3, &GpuMachine::gigahertz},
    {"image_operation_cycles", &CpuMachine::image_operation_cycles, 1e-3, 1e3},
    {"image_load_cycles", &CpuMachine::image_load_cycles, 1e-3, 1e3},
    {"image_gather_cycles", &CpuMachine::image_gather_cycles, 1e-3, 1e6},
    {"image_scalar_cycles", &CpuMachine::image_scalar_cycles, 1e-3, 1e6},
    {"image_row_cycles", &CpuMachine::image_row_cycles, 0.0, 1e6},
    {"image_task_cycles", &CpuMachine::image_task_cycles, 0.0, 1e12},
    {"new_page_cycles", &CpuMachine::new_page_cycles, 0.0, 1e6},
};

const Constant *find(const std::string &name) {
    std::string names;
    for (const Constant &constant : kConstants) {
        if (name == constant.name) {
            return &constant;
        }
        names += names.empty() ? "" : ", ";
        names += constant.name;
    }
    throw Error("unknown machine constant '" + name + "'; known are " + names);
}

}  // namespace

MachineConstants constants_of(const Machine &machine) {
    MachineConstants constants;
    for (const Constant &constant : kConstants) {
        if (!machine.is_gpu()) {
            std::visit(
                [&](auto field) {
                    constants[constant.name] = static_cast<double>(machine.cpu().*field);
                },
                constant.cpu);
        } else if (constant.gpu != nullptr) {
            constants[constant.name] = machine.gpu().*constant.gpu;
        }
    }
    return constants;
}

void set_constants(Machine &machine, const MachineConstants &constants) {
    for (const auto &[name, value] : constants) {
        const Constant *known = find(name);
        if (!(value >= known->least && value <= known->most)) {  // a NaN is neither
            throw Error("machine constant '" + name + "' is " + nlohmann::json(value).dump() +
                        "; accepted are numbers from " + nlohmann::json(known->least).dump() +
                        " to " + nlohmann::json(known->most).dump());
        }
        const double number = value;
        if (!machine.is_gpu()) {
            std::visit(
                [&](auto field) {
                    using Field = std::remove_reference_t<decltype(machine.cpu().*field)>;
                    machine.cpu().*field = static_cast<Field>(number);
                },
                known->cpu);
        } else if (known->gpu != nullptr) {
            machine.gpu().*known->gpu = number;
        }
    }
}

std::string to_json(const MachineConstants &constants) {
    return json_document("emulsion-machine", constants);
}

MachineConstants constants_from_json(const std::string &text, const std::string &place) {
    const auto j = read_json_document("emulsion-machine", text, place);
    MachineConstants constants;
    for (const auto &[name, value] : j.items()) {
        if (!value.is_number()) {
            throw Error("machine constant '" + name + "' is no number", {.file = place});
        }
        constants[name] = value.get<double>();
    }
    return constants;
}

}  // namespace emulsion
