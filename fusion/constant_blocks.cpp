#include "fusion/constant_blocks.h"

#include <algorithm>

#include "fusion/error.h"

namespace emulsion {

namespace {

const ImplementationChoice &implementation_of(const OperatorGraph &graph,
                                              const PlannedMember &member) {
    return graph.operators[static_cast<size_t>(graph.index_of(member.op))].implementation;
}

bool has_blocks(const Operand &operand) { return operand.constant_layout.block_axis >= 0; }

// How many compute groups read each planned value.
std::vector<int> readers_of(const Plan &plan) {
    std::vector<int> readers(plan.values.size(), 0);
    for (const PlannedGroup &group : plan.groups) {
        for (const int v : group.inputs) {
            readers[static_cast<size_t>(v)]++;
        }
    }
    return readers;
}

// The planned value of the same constant in that layout: one that is there, `v` itself where nobody else reads it, or a
// new one.
int with_layout(Plan &plan, std::vector<int> &readers, int v, const Layout &layout) {
    const std::string name = plan.values[static_cast<size_t>(v)].name;
    const auto known =
        std::find_if(plan.values.begin(), plan.values.end(), [&](const PlannedValue &value) {
            return value.name == name && value.alias_of < 0 && value.layout == layout;
        });
    readers[static_cast<size_t>(v)]--;
    if (known != plan.values.end()) {
        const auto found = static_cast<int>(known - plan.values.begin());
        readers[static_cast<size_t>(found)]++;
        return found;
    }
    if (readers[static_cast<size_t>(v)] == 0) {
        plan.values[static_cast<size_t>(v)].layout = layout;
        readers[static_cast<size_t>(v)]++;
        return v;
    }
    plan.values.push_back({name, layout});
    readers.push_back(1);
    return static_cast<int>(plan.values.size()) - 1;
}

}  // namespace

Layout constant_layout(const Operand &operand, const NestSpace &space, const Nest &nest) {
    Layout layout = operand.constant_layout;
    if (layout.block_axis < 0 || space.block_parameters.empty() || nest.empty()) {
        return layout;
    }
    layout.block = 1;
    for (const std::string &name : space.block_parameters) {
        layout.block *= nest.parameters.at(name);
    }
    return layout;
}

std::vector<Layout> input_layouts(const Plan &plan, const OperatorGraph &graph,
                                  const PlannedGroup &group) {
    std::vector<Layout> layouts;
    for (const int v : group.inputs) {
        const PlannedValue &input = plan.values[static_cast<size_t>(v)];
        layouts.push_back(input.layout);
        bool is_decided = false;
        for (const PlannedMember &member : group.members) {
            const ImplementationChoice &implementation = implementation_of(graph, member);
            for (const Operand &operand : implementation.operands) {
                if (!has_blocks(operand) ||
                    graph.values[static_cast<size_t>(operand.value)].name != input.name) {
                    continue;
                }
                const Layout wanted = constant_layout(operand, implementation.nest, member.nest);
                if (is_decided && wanted != layouts.back()) {
                    throw Error("constant '" + input.name + "' is read in blocks of " +
                                std::to_string(layouts.back().block) + " and of " +
                                std::to_string(wanted.block) + " by one group");
                }
                layouts.back() = wanted;
                is_decided = true;
            }
        }
    }
    return layouts;
}

bool shares_blocks(const OperatorGraph &graph, const PlannedGroup &group,
                   const PlannedMember &member) {
    const std::vector<Operand> &own = implementation_of(graph, member).operands;
    return std::any_of(group.members.begin(), group.members.end(), [&](const PlannedMember &other) {
        const std::vector<Operand> &read = implementation_of(graph, other).operands;
        return other.op != member.op &&
               std::any_of(read.begin(), read.end(), [&](const Operand &operand) {
                   return std::any_of(own.begin(), own.end(), [&](const Operand &mine) {
                       return has_blocks(mine) && mine.value == operand.value;
                   });
               });
    });
}

void lay_out_constants(Plan &plan, const OperatorGraph &graph) {
    std::vector<int> readers = readers_of(plan);
    for (PlannedGroup &group : plan.groups) {
        if (group.kind != GroupKind::Compute) {
            continue;
        }
        const std::vector<Layout> layouts = input_layouts(plan, graph, group);
        for (size_t i = 0; i < layouts.size(); i++) {
            if (plan.values[static_cast<size_t>(group.inputs[i])].layout != layouts[i]) {
                group.inputs[i] = with_layout(plan, readers, group.inputs[i], layouts[i]);
            }
        }
    }
}

}  // namespace emulsion
