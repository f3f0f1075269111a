#include "fusion/cost/placed_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "fusion/cost/core_choice.h"
#include "fusion/cost/group_view.h"
#include "fusion/cost/placement_rules.h"

namespace emulsion {

namespace {

// Tasks for each core whose starts are part of a region's.
constexpr double kStartedTasks = 4.0;
// Of loops that read beyond the edges of a value in which nothing lies there: they are split at the edges,
// and ask in the pieces. Sums over channels ask for every channel (measured: 2 to 3 times as long).
constexpr double kEdgeSlowdown = 1.0, kEdgeSlowdownOfSums = 2.5;

double edge_slowdown(const Operand &operand) {
    const bool sums = std::any_of(
        operand.footprint.axes.begin(), operand.footprint.axes.end(),
        [](const AxisReach &reach) { return reach.whole || (reach.axis < 0 && reach.window > 1); });
    return sums ? kEdgeSlowdownOfSums : kEdgeSlowdown;
}

double count(const std::vector<int64_t> &extents) {
    return static_cast<double>(element_count(extents));
}

// Of one placement, for any number of rows.
class Pricing {
public:
    Pricing(const OperatorGraph &graph, const PlacedGroup &placed, const CpuMachine &machine)
        : machine_(machine), group_(graph, placed), crossings_(group_.crossings()),
          smallest_(group_.tiles(1)), in_whole_(static_cast<size_t>(group_.root_stage()) + 1),
          traffic_(in_whole_.size()), alone_(in_whole_.size()) {
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.whole(i)) {
                in_whole_[static_cast<size_t>(group_.stage(i))] = true;
            }
        }
        add_traffic();
    }

    // That the root's nest may be.
    size_t points() const { return std::max<size_t>(group_.root_anchor().nest.points.size(), 1); }

    GroupPrice price(RowChoice rows, int point) {
        rows_ = rows;
        point_ = point;
        tiles_ = group_.tiles(rows.rows);
        task_tiles_ = rows.task_panels > 1 ? group_.tiles(rows.rows * rows.task_panels) : tiles_;
        stages_.assign(in_whole_.size(), Work());
        for (size_t stage = 0; stage < stages_.size(); stage++) {
            stages_[stage].traffic = traffic_[stage];
        }
        panel_bytes_ = panel_bytes();
        add_arithmetic();
        add_crossings();
        GroupPrice price;
        price.placement = group_.placement();
        set_rows(price);
        CoreChoice cores = choose_cores(regions());
        price.placement.serial = std::move(cores.serial);
        price.cycles = cores.cycles + machine_.launch_cycles;
        price.busy_cycles = cores.busy_cycles;
        return price;
    }

private:
    // Everything of the placement but which stages are serial.
    void set_rows(GroupPrice &price) const {
        GroupPlacement &placement = price.placement;
        placement.rows = group_.has_panels() ? rows_.rows : 0;
        placement.single_rows = group_.has_panels() && rows_.single_rows;
        placement.task_panels = group_.has_panels() ? rows_.task_panels : 1;
        placement.point = point_;
        placement.cut.clear();
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.panel(i)) {
                placement.cut.push_back(group_.cut_axes(i, smallest_[i]));
            }
        }
        if (panel_bytes_ > most_shared_panel_bytes(machine_)) {
            price.refused =
                "a panel of " + std::to_string(rows_.rows) + " rows leaves no room in the caches";
        }
    }

    // Of all panels that are kept.
    double panel_bytes() const {
        double bytes = 0.0;
        for (size_t i = 0; i < group_.size(); i++) {
            bytes += group_.panel(i) ? kept_elements(i) * group_.result(i).element_bytes : 0.0;
        }
        return bytes;
    }

    // Of the panels, the share that has left the private cache until it is read: none while they fill what is meant for
    // them, all when nothing else has room beside them.
    double panel_share_outside() const {
        const double room = most_panel_bytes(machine_);
        const double rest = static_cast<double>(machine_.l2_bytes) - room;
        return std::clamp((panel_bytes_ - room) / rest, 0.0, 1.0);
    }

    // Elements of a panel that are kept: rows that live from one panel to the next lie in a ring, whose
    // length is a power of two.
    double kept_elements(size_t i) const {
        std::vector<int64_t> kept = tiles_[i];
        if (rows_.task_panels > 1) {
            for (const int axis : group_.cut_axes(i, smallest_[i])) {
                int64_t &rows = kept[static_cast<size_t>(axis)];
                rows = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(rows)));
            }
        }
        return count(kept);
    }

    // Of every stage: of one task, or of all of it.
    void add_arithmetic() {
        std::vector<double> computed(group_.size(), 0.0);  // elements
        for (size_t i = group_.size(); i-- > 0;) {
            const double elements = group_.elements(i);
            const bool own = group_.kept(i) || (group_.choice(i).reduces && group_.is_anchor(i));
            if (own) {
                computed[i] = count(task_tiles_[i]);
            }
            const double share = elements > 0.0 ? computed[i] / elements : 0.0;
            const NestEstimate &nest = estimate(group_.stage(i));
            double slower = slowdown(i);
            for (const Operand &operand : group_.choice(i).operands) {
                const bool inside = group_.position(operand.value) >= 0;
                slower *= inside && !operand.halo.empty() ? edge_slowdown(operand) : 1.0;
            }
            stages_[static_cast<size_t>(group_.stage(i))].arithmetic +=
                share * group_.arithmetic(i, nest, machine_.arithmetic()) * slower;
            for (const Operand &operand : group_.choice(i).operands) {
                if (const int from = group_.position(operand.value); from >= 0) {
                    computed[static_cast<size_t>(from)] += share * operand.reads;
                }
            }
        }
    }

    // Elements that are not read or written in vectors.
    void add_crossings() {
        for (size_t i = 0; i < group_.size(); i++) {
            const auto stage = static_cast<size_t>(group_.stage(i));
            if (!group_.kept(i)) {
                continue;
            }
            if (const int axis = estimate(group_.stage(i)).column_axis;
                axis >= 0 && !is_innermost(i, axis)) {
                stages_[stage].arithmetic += count(task_tiles_[i]) * machine_.crossing_cycles *
                                             machine_.far_crossing_slowdown;
            }
            const Crossing &crossing = crossings_[stage];
            if (crossing.elements <= 0.0) {
                continue;
            }
            const bool near =
                !crossing.far || computes_blocks(crossing, group_.anchor(group_.stage(i)).nest,
                                                 group_.placement(), i == group_.root());
            stages_[stage].arithmetic += count(task_tiles_[i]) / group_.elements(i) *
                                         crossing.elements * machine_.crossing_cycles *
                                         (near ? 1.0 : machine_.far_crossing_slowdown);
        }
    }

    // Whether no other axis with more than one element lies further inside of the member's result.
    bool is_innermost(size_t i, int axis) const {
        const Value &value = group_.result(i);
        for (auto it = value.order.rbegin(); it != value.order.rend() && *it != axis; ++it) {
            if (value.extents[static_cast<size_t>(*it)] > 1) {
                return false;
            }
        }
        return !value.order.empty() || axis + 1 == static_cast<int>(value.extents.size());
    }

    // Of a sum that is kept as it is: its loops run as they are written.
    double slowdown(size_t i) const {
        return group_.kept(i) && group_.choice(i).ends_in_sum
                   ? machine_.lanes(group_.result(i).element_bytes)
                   : 1.0;
    }

    // Of the stage's nest as it runs: in panels, with rows one at a time, or by itself.
    const NestEstimate &estimate(int stage) const {
        const NestSpace &nest = group_.anchor(stage).nest;
        const bool root = stage == group_.root_stage();
        const bool single_rows = group_.has_panels() && (!root || rows_.single_rows) &&
                                 !in_whole_[static_cast<size_t>(stage)];
        if (single_rows) {
            return nest.single_rows.estimate;
        }
        return root && !nest.points.empty() ? nest.points.at(static_cast<size_t>(point_)).estimate
                                            : nest.usual();
    }

    // Values that are read and not made here, in the stage that reads them first, and the result.
    void add_traffic() {
        std::vector<std::set<int>> read(traffic_.size());
        for (size_t i = 0; i < group_.size(); i++) {
            for (const Operand &operand : group_.choice(i).operands) {
                if (group_.position(operand.value) < 0) {
                    read[static_cast<size_t>(group_.stage(i))].insert(operand.value);
                    add_constant(i, operand);
                }
            }
        }
        std::set<int> known;
        for (size_t stage = 0; stage < traffic_.size(); stage++) {
            // Those of panels are read in the region of the root.
            const size_t region = in_whole_[stage] ? stage : traffic_.size() - 1;
            for (const int v : read[stage]) {
                if (known.insert(v).second) {
                    add_traffic(region, v);
                }
            }
        }
        add_traffic(traffic_.size() - 1, group_.op(group_.root()).result);
    }

    void add_traffic(size_t stage, int v) {
        // Constants have been evicted by those of all other kernels.
        const double rate = group_.value(v).role == ValueRole::Constant
                                ? machine_.shared_bytes_per_cycle
                                : machine_.bytes_per_cycle(bytes(v));
        const double alone =
            machine_.threads > 1 ? std::min(rate, machine_.shared_bytes_per_cycle) : rate;
        traffic_[stage] += bytes(v) / rate;
        alone_[stage] += bytes(v) / alone;
    }

    // What a panel of one row walks of a constant that member `i` reads.
    void add_constant(size_t i, const Operand &operand) {
        const Value &constant = group_.value(operand.value);
        if (constant.role != ValueRole::Constant || !walked_.insert(operand.value).second) {
            return;
        }
        constant_bytes_ += operand.footprint.known() && !smallest_[i].empty()
                               ? count(operand.footprint.needed(smallest_[i], constant.extents)) *
                                     constant.element_bytes
                               : bytes(operand.value);
    }

    double bytes(int v) const {
        return count(group_.value(v).extents) * group_.value(v).element_bytes;
    }

    struct Panels {
        double on_busiest = 0.0;  // cycles of a core
        double even = 0.0;        // where all cores have as much to do
    };

    // Of all panels, their constants' way from the cache included.
    Panels panels_cycles(int threads) const {
        const PanelLoops &loops = group_.root_anchor().nest.panels;
        const std::vector<int64_t> &extents = group_.result(group_.root()).extents;
        const int64_t all = extents[static_cast<size_t>(loops.row_axis)];
        const int64_t task_rows = rows_.rows * rows_.task_panels;
        const int64_t row_tasks = (all + task_rows - 1) / task_rows;
        auto tasks = static_cast<double>(row_tasks);
        for (const int axis : loops.outer_axes) {
            tasks *= static_cast<double>(extents[static_cast<size_t>(axis)]);
        }
        Work task;
        for (size_t stage = 0; stage < stages_.size(); stage++) {
            task.arithmetic += in_whole_[stage] ? 0.0 : stages_[stage].arithmetic;
        }
        // Every panel walks its constants.
        task.traffic = static_cast<double>(rows_.task_panels) * constant_bytes_ /
                       machine_.cached_bytes_per_cycle(constant_bytes_);
        // What the private cache doesn't hold is written to the shared one and read from there; rows that panels share
        // once.
        if (const double outside = panel_share_outside(); outside > 0.0) {
            task.traffic +=
                2.0 * outside * group_.panel_bytes(task_tiles_) / machine_.shared_bytes_per_cycle;
        }
        // The loops of a panel begin anew.
        const double again = machine_.task_cycles * CpuMachine::kQueuedShare;
        task.arithmetic += static_cast<double>(rows_.task_panels - 1) * again;
        const double rounds = std::ceil(tasks / threads);
        const double queued = std::max(rounds - kStartedTasks, 0.0);
        return {rounds * task.cycles() + (rounds - queued) * machine_.task_start() +
                    queued * std::min(machine_.task_start(), again),
                tasks / machine_.threads * task.cycles()};
    }

    std::vector<Region> regions() const {
        std::vector<Region> regions;
        for (size_t i = 0; i < group_.size(); i++) {
            if (i == group_.root() || group_.whole(i)) {
                const NestSpace &nest = group_.anchor(group_.stage(i)).nest;
                const bool may = machine_.threads > 1 && !nest.panels.serial.empty();
                const bool one_task =
                    estimate(group_.stage(i)).tasks == 1.0 && !group_.has_panels();
                regions.push_back({group_.member(i), may, region(i, machine_.threads),
                                   may ? region(i, 1) : Work(), even_work(i),
                                   one_task ? 0.0 : machine_.region_start()});
            }
        }
        return regions;
    }

    // Of every core, for the region whose result member `i` is.
    Work even_work(size_t i) const {
        const Work &all = stages_[static_cast<size_t>(group_.stage(i))];
        const double arithmetic = i == group_.root() && group_.has_panels()
                                      ? panels_cycles(machine_.threads).even
                                      : all.arithmetic / machine_.threads;
        return {arithmetic, all.traffic / machine_.threads};
    }

    // Of the busiest core, for the region whose result member `i` is, on `threads` cores.
    Work region(size_t i, int threads) const {
        const Work &all = stages_[static_cast<size_t>(group_.stage(i))];
        if (i == group_.root() && group_.has_panels()) {
            // Panels run on one core where the tasks of the nest alone do.
            const int cores =
                estimate(group_.root_stage()).imbalance < machine_.threads ? threads : 1;
            return {panels_cycles(cores).on_busiest, traffic(i, cores)};
        }
        const NestEstimate &nest = estimate(group_.stage(i));
        if (threads == 1 || nest.imbalance >= threads) {
            return {all.arithmetic, traffic(i, 1)};
        }
        const double rereading = nest.reread_bytes / machine_.shared_bytes_per_cycle;
        const double starts = std::max(nest.tasks - kStartedTasks * threads, 0.0) *
                              machine_.task_cycles * CpuMachine::kQueuedShare;
        return {(all.arithmetic * nest.imbalance + starts) / threads,
                (all.traffic + rereading) / threads};
    }

    // Of each of `cores`, for the region whose result member `i` is.
    double traffic(size_t i, int cores) const {
        const auto stage = static_cast<size_t>(group_.stage(i));
        return cores == 1 ? alone_[stage] : stages_[stage].traffic / cores;
    }

    const CpuMachine &machine_;
    GroupView group_;
    std::vector<Crossing> crossings_;             // by stage
    std::vector<std::vector<int64_t>> smallest_;  // by position, of a panel of one row
    std::vector<bool> in_whole_;                  // by stage: its result is kept whole
    // By stage, cycles of all cores together, and of one that does all: others have written what it reads, and
    // read what lay where it writes.
    std::vector<double> traffic_, alone_;
    std::set<int> walked_;         // constants
    double constant_bytes_ = 0.0;  // of them, what a panel needs
    // Of the rows that are being priced.
    RowChoice rows_;
    int point_ = 0;                                 // of the root's nest
    std::vector<std::vector<int64_t>> tiles_;       // by position, of a panel
    std::vector<std::vector<int64_t>> task_tiles_;  // by position, of all panels of a task
    double panel_bytes_ = 0.0;
    std::vector<Work> stages_;
};

}  // namespace

GroupPrice placed_price(const OperatorGraph &graph, const PlacedGroup &group,
                        const std::vector<RowChoice> &choices, const CpuMachine &machine) {
    Pricing pricing(graph, group, machine);
    GroupPrice best{"the group has no rows", 0.0, {}};
    // Panels are laid out for the rows of the preferred nest.
    const size_t points = group.placement.panels.empty() ? pricing.points() : 1;
    for (const RowChoice &rows : choices) {
        for (size_t point = 0; point < points; point++) {
            GroupPrice price = pricing.price(rows, static_cast<int>(point));
            const bool better =
                price.refused.empty() && (!best.refused.empty() || price.cycles < best.cycles);
            if (better || (!best.refused.empty() && !price.refused.empty())) {
                best = std::move(price);
            }
        }
    }
    return best;
}

}  // namespace emulsion
