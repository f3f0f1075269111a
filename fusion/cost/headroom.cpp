#include "fusion/cost/headroom.h"

#include <algorithm>

#include "fusion/layout.h"

namespace emulsion {

double cycles_without_intermediates(const OperatorGraph &graph, const Machine &machine) {
    // Of every operator the larger of its arithmetic and its constants' way through the cache.
    double cycles = 0.0;
    for (const PlannerOperator &op : graph.operators) {
        const ImplementationChoice &choice = op.implementation;
        double constants = 0.0;
        for (const Operand &operand : choice.operands) {
            const Value &value = graph.values[static_cast<size_t>(operand.value)];
            if (value.role == ValueRole::Constant) {
                constants += static_cast<double>(element_count(value.extents)) *
                             value.element_bytes / machine.constant_bytes_per_cycle();
            }
        }
        cycles += std::max(arithmetic_cycles(choice, machine) * choice.nest.usual().imbalance,
                           constants) /
                  machine.cores();
    }
    for (const Value &value : graph.values) {
        if (value.role == ValueRole::Input || value.is_output) {
            const double bytes =
                static_cast<double>(element_count(value.extents)) * value.element_bytes;
            cycles += bytes / machine.bytes_per_cycle(bytes) / machine.cores();
        }
    }
    return cycles;
}

}  // namespace emulsion
