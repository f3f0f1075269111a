#include "fusion/cost/price_key.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace emulsion {

namespace {

// Appends values as bytes, lists behind their lengths. Structs are taken apart by structured bindings, which name every
// field; those that are named and not added are what prices don't depend on.
class KeyWriter {
public:
    template<typename... T>
    void add(const T &...values) {
        (write(values), ...);
    }
    std::string key() && { return std::move(key_); }

private:
    template<typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void write(const T &value) {
        key_.append(reinterpret_cast<const char *>(&value), sizeof(value));
    }
    void write(const std::string &text) {
        write(text.size());
        key_.append(text);
    }
    template<typename T>
    void write(const std::vector<T> &list) {
        write(list.size());
        for (const T &item : list) {
            write(item);
        }
    }
    template<typename K, typename T>
    void write(const std::map<K, T> &map) {
        write(map.size());
        for (const auto &[key, value] : map) {
            add(key, value);
        }
    }
    template<typename T>
    void write(const std::optional<T> &value) {
        write(value.has_value());
        if (value) {
            write(*value);
        }
    }

    void write(const AxisReach &reach) {
        const auto &[axis, stride, window, whole, divisor, gathered_along] = reach;
        add(axis, stride, window, whole, divisor, gathered_along);
    }
    void write(const Footprint &footprint) {
        const auto &[axes] = footprint;
        add(axes);
    }
    void write(const Margin &margin) {
        const auto &[before, after] = margin;
        add(before, after);
    }
    void write(const Workgroup &way) {
        const auto &[block, tile, threads, column_axis, registers] = way;
        add(block, tile, threads, column_axis, registers);
    }
    void write(const NestEstimate &estimate) {
        const auto &[cycles, fed_cycles, operation_slowdown, column_axis, imbalance, tasks,
                     reread_bytes, workgroup] = estimate;
        add(cycles, fed_cycles, operation_slowdown, column_axis, imbalance, tasks, reread_bytes,
            workgroup);
    }
    void write(const NestPoint &point) {
        const auto &[nest, estimate] = point;  // nests are priced by what is estimated
        add(estimate);
    }
    void write(const PanelLoops &panels) {
        const auto &[outer_axes, row_axis, column_axis, rows_parameter, step, task_parameter,
                     whole_axes, serial, is_panel, unused_alone, unused_hosting,
                     unused_as_panel] = panels;  // what is unused tells tuners what not to try
        add(outer_axes, row_axis, column_axis, rows_parameter, step, task_parameter, whole_axes,
            serial, is_panel);
    }
    void write(const NestSpace &nest) {
        // Of its points the planner takes these.
        const auto &[template_name, version, parameters, constraints, panels, crossing_parameter,
                     block_parameters, points, single_rows, model] = nest;
        add(template_name, panels, crossing_parameter, points, single_rows);
    }
    void write(const Value &value) {
        const auto &[name, extents, element_bytes, role, is_output, natural_order, order, copy] =
            value;
        add(extents, element_bytes, role, order);
    }
    void write(const OperatorPart &part) {
        const auto &[name, placement] = part;
        add(placement);
    }

public:
    void write(const ImplementationChoice &choice, const std::vector<Value> &values) {
        const auto &[name, exact, parts, nest, operands, innermost_axis, copies, reduces,
                     ends_in_sum, vector_operations, multiply_adds, shared_steps] = choice;
        add(parts, nest, innermost_axis, copies, reduces, ends_in_sum, vector_operations,
            multiply_adds, shared_steps);
        for (const Operand &operand : operands) {
            const auto &[v, type, footprint, reads, offset, halo, fill, vectors_along,
                         constant_layout, wants_row_major] = operand;
            add(values[static_cast<size_t>(v)], type, footprint, reads, offset, halo, fill,
                vectors_along);
        }
    }

private:
    std::string key_;
};

}  // namespace

std::string price_key(const OperatorGraph &graph, const PlannerOperator &op) {
    const auto &[name, origin, result, implementation, type, concatenation] = op;
    KeyWriter writer;
    writer.add(type, concatenation.axis, graph.values[static_cast<size_t>(result)]);
    writer.write(implementation, graph.values);
    return std::move(writer).key();
}

}  // namespace emulsion
