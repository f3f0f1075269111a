#include "fusion/cost/gpu_price.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fusion/cost/group_view.h"
#include "fusion/cost/kernel_time.h"
#include "fusion/cost/placement_rules.h"
#include "fusion/cost/tiles.h"
#include "fusion/cost/workgroup_work.h"

namespace emulsion {

namespace {

// Cycles of a workgroup from one panel to what reads it: a barrier, and the pipeline that runs empty.
constexpr double kPanelCycles = 500.0;
// Each panel's tensors take scalar registers for their addresses, of which a wave has about 100.
constexpr size_t kMostPanels = 6;
// Vector registers of a thread that a panel's loops take, about.
constexpr int kPanelRegisters = 80;
// Bytes that come along where an element is read or written across the order in which it lies.
constexpr double kGpuLineBytes = 64.0;
// A workgroup where the loop nest doesn't say how it is cut: a copy's.
constexpr int kPlainThreads = 256;
constexpr int64_t kPlainElements = 1024;

double element_total(const std::vector<int64_t> &extents) {
    return static_cast<double>(element_count(extents));
}

// What a panel takes: the rows that it has in memory are whole vectors.
int64_t lds_bytes(const Value &value, std::vector<int64_t> panel) {
    if (!panel.empty()) {
        int64_t &row =
            value.order.empty() ? panel.back() : panel[static_cast<size_t>(value.order.back())];
        row = (row + kGpuVector - 1) / kGpuVector * kGpuVector;
    }
    return static_cast<int64_t>(element_total(panel)) * value.element_bytes;
}

class GpuPricing {
public:
    GpuPricing(const OperatorGraph &graph, const PlacedGroup &placed, const GpuMachine &machine)
        : graph_(graph), placed_(placed), machine_(machine), group_(graph, placed),
          crossings_(group_.crossings()) {}

    GroupPrice price() {
        if (std::string reason = refusal(); !reason.empty()) {
            return {std::move(reason), 0.0, {}};
        }
        GroupPrice best{"panels of the smallest workgroup take more than " +
                            std::to_string(kMostLdsBytes) + " bytes of LDS",
                        std::numeric_limits<double>::infinity(),
                        {}};
        const std::vector<NestPoint> &points = workgroups();
        const int lies = column_in_memory(points);
        for (size_t i = 0; i < points.size(); i++) {
            if (lies >= 0 && column(points[i]) != lies) {
                continue;
            }
            if (const double cycles = price(points[i].estimate); cycles < best.cycles) {
                best.refused.clear();
                best.cycles = cycles;
                best.placement = group_.placement();
                best.placement.point = static_cast<int>(i);
                set_cut(best.placement);
            }
        }
        if (best.refused.empty()) {
            best.cycles += machine_.launch_cycles;
        } else {
            best.cycles = 0.0;
        }
        return best;
    }

private:
    std::string refusal() const {
        if (std::string reason = misplaced_reduction(group_); !reason.empty()) {
            return reason;
        }
        if (group_.placement().panels.size() > kMostPanels) {
            return "more than " + std::to_string(kMostPanels) + " panels in one kernel";
        }
        std::string reason = group_.has_panels() ? no_place_for_panels(group_) : "";
        for (size_t i = 0; i < group_.size() && reason.empty(); i++) {
            reason = group_.panel(i) ? no_panel(group_, i) : "";
        }
        return reason;
    }

    static int column(const NestPoint &point) { return point.estimate.workgroup->column_axis; }

    // Of loop nests that may run along any axis, the one that is innermost in memory: -1 where none does.
    int column_in_memory(const std::vector<NestPoint> &points) const {
        const Value &result = group_.result(group_.root());
        int lies = -1;
        for (const int axis : result.order) {
            lies = result.extents[static_cast<size_t>(axis)] > 1 ? axis : lies;
        }
        const bool known = std::any_of(points.begin(), points.end(), [&](const NestPoint &point) {
            return column(point) == lies;
        });
        return group_.root_anchor().innermost_axis < 0 && known ? lies : -1;
    }

    // Those of the root's stage; where its loop nest doesn't say how it is cut, one.
    const std::vector<NestPoint> &workgroups() {
        const NestSpace &nest = group_.root_anchor().nest;
        if (!nest.points.empty()) {
            return nest.points;
        }
        Workgroup plain;
        plain.threads = {kPlainThreads};
        plain.block = group_.result(group_.root()).extents;
        int64_t rest = kPlainElements;
        for (size_t axis = plain.block.size(); axis-- > 0;) {
            plain.block[axis] = std::min(plain.block[axis], rest);
            rest = std::max<int64_t>(rest / std::max<int64_t>(plain.block[axis], 1), 1);
        }
        plain_ = {{.nest = {}, .estimate = {.workgroup = plain}}};
        return plain_;
    }

    // Infinity where the panels don't fit.
    double price(const NestEstimate &nest) {
        const Workgroup &way = *nest.workgroup;
        const std::vector<int64_t> &extents = group_.result(group_.root()).extents;
        KernelWork work;
        std::vector<int64_t> block = way.block;
        for (size_t axis = 0; axis < block.size(); axis++) {
            block[axis] = std::min(block[axis], extents[axis]);
            work.workgroups *=
                std::ceil(static_cast<double>(extents[axis]) / static_cast<double>(block[axis]));
        }
        tiles_ = tiles_of(graph_, placed_, block);
        work.threads = way.all_threads();
        work.registers = way.registers;
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.panel(i)) {
                work.lds_bytes += lds_bytes(group_.result(i), tiles_[i]);
                work.cycles += kPanelCycles;
                work.registers = std::max(work.registers, kPanelRegisters);
            }
        }
        if (work.lds_bytes > kMostLdsBytes) {
            return std::numeric_limits<double>::infinity();
        }
        const WorkgroupWork computed = workgroup_work(group_, nest, tiles_, machine_);
        work.cycles += computed.cycles;
        work.lds_read_bytes = computed.lds_read_bytes;
        add_traffic(work);
        return kernel_cycles(machine_.chip, work);
    }

    void add_traffic(KernelWork &work) const {
        std::map<int, double> read;  // by value: bytes that a workgroup reads
        for (size_t i = 0; i < group_.size(); i++) {
            for (const Operand &operand : group_.choice(i).operands) {
                if (group_.position(operand.value) >= 0) {
                    continue;
                }
                const Value &value = group_.value(operand.value);
                const std::vector<int64_t> needed =
                    operand.footprint.known() ? operand.footprint.needed(tiles_[i], value.extents)
                                              : value.extents;
                double &bytes = read[operand.value];
                bytes = std::max(bytes, element_total(needed) * value.element_bytes);
            }
        }
        for (const auto &[v, bytes] : read) {
            work.read_bytes += bytes;
            work.memory_bytes += memory_bytes(v);
        }
        const int result = group_.op(group_.root()).result;
        work.memory_bytes += memory_bytes(result);
        for (const Crossing &crossing : crossings_) {
            work.read_bytes += crossing.elements * kGpuLineBytes / work.workgroups;
        }
    }

    // What value `v` moves between memory and the last cache: constants have been evicted by those of all
    // other kernels.
    double memory_bytes(int v) const {
        const Value &value = group_.value(v);
        const double bytes = element_total(value.extents) * value.element_bytes;
        const bool stays = value.role != ValueRole::Constant && machine_.stays_cached(bytes);
        return stays ? 0.0 : bytes;
    }

    void set_cut(GroupPlacement &placement) const {
        placement.cut.clear();
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.panel(i)) {
                placement.cut.push_back(group_.cut_axes(i, tiles_[i]));
            }
        }
    }

    const OperatorGraph &graph_;
    const PlacedGroup &placed_;
    const GpuMachine &machine_;
    GroupView group_;
    std::vector<Crossing> crossings_;
    std::vector<NestPoint> plain_;
    std::vector<std::vector<int64_t>> tiles_;  // by position, of the workgroup that is being priced
};

}  // namespace

GroupPrice gpu_price(const OperatorGraph &graph, const PlacedGroup &group,
                     const GpuMachine &machine) {
    return GpuPricing(graph, group, machine).price();
}

}  // namespace emulsion
