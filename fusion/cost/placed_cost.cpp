#include "fusion/cost/placed_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fusion/cost/tiles.h"
#include "fusion/layout.h"
#include "fusion/stages.h"

namespace emulsion {

namespace {

// Of the private cache, for the values of a panel, and for all values that are kept whole.
constexpr double kPanelShare = 0.5;
constexpr double kWholeShare = 0.1;
// Of arithmetic and traffic, the lesser one hides behind the other but for this share.
constexpr double kVisibleShare = 0.15;
// Numbers of rows that are tried one by one; beyond them every doubled one.
constexpr int64_t kFewSteps = 8;
// Tasks for every thread, where panels share rows: powers of two up to this.
constexpr int64_t kMostTasks = 4;
// Of loops that read beyond the edges of a value in which nothing lies there: they are split at the edges,
// and ask in the pieces. Sums over channels ask for every channel (measured: 2 to 3 times as long).
constexpr double kEdgeSlowdown = 1.0, kEdgeSlowdownOfSums = 2.5;

// A group with what its placement makes of it.
class Group {
public:
    Group(const OperatorGraph &graph, const PlacedGroup &placed)
        : graph_(graph), placed_(placed), stages_(stages_of(graph, placed)),
          anchors_(anchors_of(graph, placed, stages_)) {}

    size_t size() const { return placed_.members.size(); }
    int member(size_t i) const { return placed_.members[i]; }
    const PlannerOperator &op(size_t i) const {
        return graph_.operators[static_cast<size_t>(member(i))];
    }
    const ImplementationChoice &choice(size_t i) const { return op(i).implementations.front(); }
    const Value &value(int v) const { return graph_.values[static_cast<size_t>(v)]; }
    const Value &result(size_t i) const { return value(op(i).result); }
    // The position of the member that makes value `v`, or -1.
    int position(int v) const {
        for (size_t i = 0; i < size(); i++) {
            if (op(i).result == v) {
                return static_cast<int>(i);
            }
        }
        return -1;
    }
    int stage(size_t i) const { return stages_[i]; }
    bool kept(size_t i) const { return is_kept(placed_, member(i)); }
    bool panel(size_t i) const { return listed(placed_.placement.panels, i); }
    bool whole(size_t i) const { return listed(placed_.placement.wholes, i); }
    const ImplementationChoice &anchor(int stage) const {
        const int member = anchors_[static_cast<size_t>(stage)];
        return graph_.operators[static_cast<size_t>(member)].implementations.front();
    }
    bool is_anchor(size_t i) const { return anchors_[static_cast<size_t>(stage(i))] == member(i); }
    const ImplementationChoice &root_anchor() const { return anchor(stages_.back()); }
    int root_stage() const { return stages_.back(); }
    double elements(size_t i) const {
        return static_cast<double>(element_count(result(i).extents));
    }

private:
    bool listed(const std::vector<int> &list, size_t i) const {
        return std::binary_search(list.begin(), list.end(), member(i));
    }

    const OperatorGraph &graph_;
    const PlacedGroup &placed_;
    std::vector<int> stages_, anchors_;
};

// A stage's loops are those of the one member that has loops of its own; what follows it in the stage is
// its epilogue.
std::string misplaced_reduction(const OperatorGraph &graph, const Group &group) {
    std::vector<bool> with_loops(group.size());  // by stage
    std::vector<bool> follows(group.size());  // by position: the anchor or what is computed from it
    for (size_t i = 0; i < group.size(); i++) {
        const bool reduces = group.choice(i).reduces;
        if (reduces && with_loops[static_cast<size_t>(group.stage(i))]) {
            return "'" + group.op(i).name + "' needs a loop nest of its own";
        }
        if (reduces) {
            with_loops[static_cast<size_t>(group.stage(i))] = true;
        }
        for (const Operand &operand : group.choice(i).operands) {
            const int from = group.position(operand.value);
            if (from < 0) {
                continue;
            }
            const auto producer = static_cast<size_t>(from);
            const bool same_stage = !group.kept(producer);
            if (same_stage && follows[producer]) {
                if (reduces || group.stage(producer) != group.stage(i) ||
                    !reads_in_place(graph, group.op(i), operand)) {
                    return "'" + group.op(i).name + "' can't follow the sums of '" +
                           group.op(producer).name + "' in one loop nest";
                }
                follows[i] = true;
            }
        }
        follows[i] = follows[i] || reduces;
    }
    return "";
}

// Values that are kept whole come before every panel.
std::string early_panel(const Group &group) {
    std::vector<bool> late(group.size());
    for (size_t i = 0; i < group.size(); i++) {
        for (const Operand &operand : group.choice(i).operands) {
            const int from = group.position(operand.value);
            if (from >= 0 &&
                (late[static_cast<size_t>(from)] || group.panel(static_cast<size_t>(from)))) {
                late[i] = true;
            }
        }
        if (late[i] && group.whole(i)) {
            return "'" + group.op(i).name + "' would be kept whole before the panels that it reads";
        }
    }
    return "";
}

std::vector<int> cut_axes(const Value &value, const std::vector<int64_t> &tile) {
    std::vector<int> axes;
    for (size_t axis = 0; axis < tile.size(); axis++) {
        if (tile[axis] != value.extents[axis]) {
            axes.push_back(static_cast<int>(axis));
        }
    }
    return axes;
}

double most_panel_bytes(const Machine &machine) {
    return kPanelShare * static_cast<double>(machine.l2_bytes);
}

// Of all values of which panels are kept, for `rows` rows of the root.
double panel_bytes(const OperatorGraph &graph, const PlacedGroup &placed, const Group &group,
                   int64_t rows) {
    const Value &result = group.result(group.size() - 1);
    const auto tiles =
        tiles_of(graph, placed, panel_of(result, group.root_anchor().nest.panels, rows));
    double bytes = 0.0;
    for (size_t i = 0; i < group.size(); i++) {
        if (group.panel(i)) {
            bytes += static_cast<double>(element_count(tiles[i])) * group.result(i).element_bytes;
        }
    }
    return bytes;
}

std::string unfit_panel(const OperatorGraph &graph, const PlacedGroup &placed, const Group &group,
                        const Machine &machine) {
    if (placed.placement.panels.empty()) {
        return "";
    }
    const NestSpace &nest = group.root_anchor().nest;
    const size_t root = group.size() - 1;
    if (nest.panels.row_axis < 0 || group.choice(root).ends_in_sum) {
        return "loop nest '" + nest.template_name + "' has no rows to compute panels at";
    }
    const auto tiles = tiles_of(graph, placed, panel_of(group.result(root), nest.panels, 1));
    for (size_t i = 0; i < group.size(); i++) {
        if (!group.panel(i)) {
            continue;
        }
        const NestSpace &own = group.anchor(group.stage(i)).nest;
        const std::vector<int> cut = cut_axes(group.result(i), tiles[i]);
        if (cut.empty()) {
            return "every panel would need all of '" + group.op(i).name + "'";
        }
        if (!own.panels.is_panel || group.choice(i).ends_in_sum) {
            return "loop nest '" + own.template_name + "' can't compute a panel";
        }
        for (const int axis : own.panels.whole_axes) {
            if (std::find(cut.begin(), cut.end(), axis) != cut.end()) {
                return "a panel would cut an axis along which '" + group.op(i).name +
                       "' computes tiles";
            }
        }
    }
    const double bytes = panel_bytes(graph, placed, group, 1);
    if (bytes > most_panel_bytes(machine)) {
        return "the smallest panel has " + std::to_string(static_cast<int64_t>(bytes)) +
               " bytes, which leaves no room in the private cache";
    }
    return "";
}

std::string unfit_whole(const Group &group, const Machine &machine) {
    double bytes = 0.0;
    for (size_t i = 0; i < group.size(); i++) {
        if (group.whole(i)) {
            bytes += group.elements(i) * group.result(i).element_bytes;
        }
    }
    if (bytes > most_whole_bytes(machine)) {
        return "values of " + std::to_string(static_cast<int64_t>(bytes)) +
               " bytes, kept whole, leave no room in the private cache";
    }
    return "";
}

// Whether two rows of the root need less of a panel than twice what one row does.
bool panels_overlap(const OperatorGraph &graph, const PlacedGroup &placed, const Group &group) {
    const Value &result = group.result(group.size() - 1);
    const PanelLoops &loops = group.root_anchor().nest.panels;
    const auto one = tiles_of(graph, placed, panel_of(result, loops, 1));
    const auto two = tiles_of(graph, placed, panel_of(result, loops, 2));
    for (size_t i = 0; i < group.size(); i++) {
        if (group.panel(i) && element_count(two[i]) < 2 * element_count(one[i])) {
            return true;
        }
    }
    return false;
}

class Pricing {
public:
    Pricing(const OperatorGraph &graph, const PlacedGroup &placed, RowChoice rows,
            const Machine &machine)
        : graph_(graph), placed_(placed), rows_(rows), machine_(machine), group_(graph, placed),
          has_panels_(!placed.placement.panels.empty()), tiles_(tiles(rows.rows)),
          task_tiles_(rows.task_panels > 1 ? tiles(rows.rows * rows.task_panels) : tiles_),
          outside_(read_from_outside()),
          stage_cycles_(static_cast<size_t>(group_.root_stage()) + 1) {}

    GroupPrice price() {
        add_arithmetic();
        GroupPrice price;
        price.placement = placed_.placement;
        GroupPlacement &placement = price.placement;
        placement.rows = has_panels_ ? rows_.rows : 0;
        placement.single_rows = has_panels_ && rows_.single_rows;
        placement.task_panels = has_panels_ ? rows_.task_panels : 1;
        placement.cut.clear();
        double panel_bytes = 0.0;
        const auto smallest = tiles(1);
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.panel(i)) {
                placement.cut.push_back(cut_axes(group_.result(i), smallest[i]));
                panel_bytes += kept_elements(i, smallest[i]) * group_.result(i).element_bytes;
            }
        }
        if (panel_bytes > most_panel_bytes(machine_)) {
            price.refused = "a panel of " + std::to_string(rows_.rows) +
                            " rows leaves no room in the private cache";
        }
        placement.serial.clear();
        double wholes = 0.0;
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.whole(i)) {
                wholes += cheaper(i, stage_cycles_[static_cast<size_t>(group_.stage(i))],
                                  group_.anchor(group_.stage(i)).nest, placement.serial);
            }
        }
        const double traffic = traffic_cycles();
        const size_t last = group_.size() - 1;
        const NestSpace &nest = group_.root_anchor().nest;
        const double root = has_panels_
                                ? cheaper(last, panels_cycles(1), panels_cycles(threads(nest)),
                                          nest, placement.serial)
                                : cheaper(last, stage_cycles_.back(), nest, placement.serial);
        const double arithmetic = wholes + root;
        price.cycles = std::max(arithmetic, traffic) +
                       kVisibleShare * std::min(arithmetic, traffic) + machine_.launch_cycles;
        return price;
    }

private:
    static double count(const std::vector<int64_t> &extents) {
        return static_cast<double>(element_count(extents));
    }

    const std::vector<int64_t> &root_extents() const {
        return group_.result(group_.size() - 1).extents;
    }

    // Of `rows` rows of the root, or of all of it where there are no panels.
    std::vector<std::vector<int64_t>> tiles(int64_t rows) const {
        if (!has_panels_) {
            return tiles_of(graph_, placed_, root_extents());
        }
        const Value &result = group_.result(group_.size() - 1);
        return tiles_of(graph_, placed_, panel_of(result, group_.root_anchor().nest.panels, rows));
    }

    // Elements of a panel that are kept: rows that live from one panel to the next lie in a ring, whose
    // length is a power of two.
    double kept_elements(size_t i, const std::vector<int64_t> &smallest) const {
        std::vector<int64_t> kept = tiles_[i];
        if (rows_.task_panels > 1) {
            for (const int axis : cut_axes(group_.result(i), smallest)) {
                int64_t &rows = kept[static_cast<size_t>(axis)];
                rows = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(rows)));
            }
        }
        return count(kept);
    }

    // Cycles of every stage: of one task, or of all of it.
    void add_arithmetic() {
        std::vector<double> computed(group_.size(), 0.0);  // elements
        for (size_t i = group_.size(); i-- > 0;) {
            const double elements = group_.elements(i);
            const bool own = group_.kept(i) || (group_.choice(i).reduces && group_.is_anchor(i));
            if (own) {
                computed[i] = count(task_tiles_[i]);
            }
            const double share = elements > 0.0 ? computed[i] / elements : 0.0;
            const size_t stage = static_cast<size_t>(group_.stage(i));
            double slower = slowdown(i);
            for (const Operand &operand : group_.choice(i).operands) {
                const bool inside = group_.position(operand.value) >= 0;
                slower *= inside && !operand.halo.empty() ? edge_slowdown(operand) : 1.0;
            }
            stage_cycles_[stage] += share * group_.choice(i).cycles * slower;
            for (const Operand &operand : group_.choice(i).operands) {
                if (const int from = group_.position(operand.value); from >= 0) {
                    computed[static_cast<size_t>(from)] += share * operand.reads;
                }
            }
        }
    }

    // Of a loop nest over the one that it would like to have: in a panel, or as it is written.
    double slowdown(size_t i) const {
        if (group_.kept(i) && group_.choice(i).ends_in_sum) {
            return machine_.lanes(std::min(group_.result(i).element_bytes, machine_.vector_bytes));
        }
        const bool one_by_one = has_panels_ && group_.choice(i).reduces &&
                                (group_.stage(i) != group_.root_stage() || rows_.single_rows) &&
                                !in_whole(i);
        return one_by_one ? group_.choice(i).nest.panels.single_row_cost : 1.0;
    }

    static double edge_slowdown(const Operand &operand) {
        const bool sums =
            std::any_of(operand.footprint.axes.begin(), operand.footprint.axes.end(),
                        [](const AxisReach &reach) {
                            return reach.whole || (reach.axis < 0 && reach.window > 1);
                        });
        return sums ? kEdgeSlowdownOfSums : kEdgeSlowdown;
    }

    bool in_whole(size_t i) const {
        for (size_t j = i; j < group_.size(); j++) {
            if (group_.stage(j) == group_.stage(i) && group_.kept(j)) {
                return group_.whole(j);
            }
        }
        return false;
    }

    // Of a stage that runs once.
    double cheaper(size_t i, double cycles, const NestSpace &nest, std::vector<int> &serial) const {
        return cheaper(i, cycles, cycles / machine_.threads * nest.imbalance, nest, serial);
    }

    // On all cores or, where the nest can, on one.
    double cheaper(size_t i, double one, double all, const NestSpace &nest,
                   std::vector<int> &serial) const {
        const double parallel = all + machine_.region_cycles;
        if (nest.panels.serial.empty() || machine_.threads == 1 || parallel <= one) {
            return parallel;
        }
        serial.push_back(group_.member(i));
        return one;
    }

    // Cores that a nest's panels run on: one where its own tasks do.
    int threads(const NestSpace &nest) const {
        return nest.imbalance < machine_.threads ? machine_.threads : 1;
    }

    double panels_cycles(int threads) const {
        const PanelLoops &loops = group_.root_anchor().nest.panels;
        const int64_t all = root_extents()[static_cast<size_t>(loops.row_axis)];
        const int64_t task_rows = rows_.rows * rows_.task_panels;
        const int64_t row_tasks = (all + task_rows - 1) / task_rows;
        auto tasks = static_cast<double>(row_tasks);
        for (const int axis : loops.outer_axes) {
            tasks *= static_cast<double>(root_extents()[static_cast<size_t>(axis)]);
        }
        double cycles = 0.0;
        for (size_t i = 0; i < group_.size(); i++) {
            if (group_.kept(i) && !group_.whole(i)) {
                cycles += stage_cycles_[static_cast<size_t>(group_.stage(i))];
            }
        }
        // Every panel walks all constants.
        const double stream =
            static_cast<double>(rows_.task_panels) * constant_bytes() /
            (constant_bytes() < kCacheShare * static_cast<double>(machine_.l2_bytes)
                 ? machine_.private_bytes_per_cycle
                 : machine_.shared_bytes_per_cycle);
        const double rounds = std::ceil(tasks / threads);
        return rounds * (std::max(cycles, stream) + kVisibleShare * std::min(cycles, stream) +
                         machine_.task_cycles);
    }

    double bytes(int v) const {
        return count(group_.value(v).extents) * group_.value(v).element_bytes;
    }

    double constant_bytes() const {
        double sum = 0.0;
        for (const int v : outside_) {
            sum += group_.value(v).role == ValueRole::Constant ? bytes(v) : 0.0;
        }
        return sum;
    }

    // Values that are read and not made here, each once.
    std::vector<int> read_from_outside() const {
        std::vector<int> values;
        for (size_t i = 0; i < group_.size(); i++) {
            for (const Operand &operand : group_.choice(i).operands) {
                if (group_.position(operand.value) < 0) {
                    values.push_back(operand.value);
                }
            }
        }
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        return values;
    }

    double traffic_cycles() const {
        const int result = group_.op(group_.size() - 1).result;
        double cycles = bytes(result) / machine_.bytes_per_cycle(bytes(result));
        for (const int v : outside_) {
            // Constants have been evicted by those of all other kernels.
            const double rate = group_.value(v).role == ValueRole::Constant
                                    ? machine_.shared_bytes_per_cycle
                                    : machine_.bytes_per_cycle(bytes(v));
            cycles += bytes(v) / rate;
        }
        return cycles / machine_.threads;
    }

    const OperatorGraph &graph_;
    const PlacedGroup &placed_;
    RowChoice rows_;
    const Machine &machine_;
    Group group_;
    bool has_panels_;
    std::vector<std::vector<int64_t>> tiles_;       // by position, of a panel
    std::vector<std::vector<int64_t>> task_tiles_;  // by position, of all panels of a task
    std::vector<int> outside_;
    std::vector<double> stage_cycles_;
};

}  // namespace

double most_whole_bytes(const Machine &machine) {
    return kWholeShare * static_cast<double>(machine.l2_bytes);
}

std::string unplaceable_because(const OperatorGraph &graph, const PlacedGroup &placed,
                                const Machine &machine) {
    const Group group(graph, placed);
    if (std::string reason = misplaced_reduction(graph, group); !reason.empty()) {
        return reason;
    }
    if (std::string reason = early_panel(group); !reason.empty()) {
        return reason;
    }
    if (std::string reason = unfit_panel(graph, placed, group, machine); !reason.empty()) {
        return reason;
    }
    return unfit_whole(group, machine);
}

std::vector<RowChoice> row_choices(const OperatorGraph &graph, const PlacedGroup &placed,
                                   const Machine &machine) {
    if (placed.placement.panels.empty()) {
        return {{}};
    }
    const Group group(graph, placed);
    const PanelLoops &loops = group.root_anchor().nest.panels;
    const int64_t all = group.result(group.size() - 1).extents[static_cast<size_t>(loops.row_axis)];
    const double most = most_panel_bytes(machine);
    const bool overlap = !loops.task_parameter.empty() && panels_overlap(graph, placed, group);
    std::vector<RowChoice> choices;
    for (const bool single_rows : {true, false}) {
        const int64_t step = single_rows ? 1 : loops.step;
        for (int64_t rows = step; rows < all + step;
             rows += rows < kFewSteps * step ? step : rows) {
            if (rows > step && panel_bytes(graph, placed, group, rows) > most) {
                break;
            }
            choices.push_back({rows, single_rows, 1});
            const int64_t panels = (all + rows - 1) / rows;
            for (int64_t tasks = 1; overlap && tasks <= kMostTasks; tasks *= 2) {
                const int64_t all_tasks = tasks * machine.threads;
                const int64_t task_panels = (panels + all_tasks - 1) / all_tasks;
                if (task_panels > 1 && task_panels != choices.back().task_panels) {
                    choices.push_back({rows, single_rows, task_panels});
                }
            }
        }
    }
    return choices;
}

GroupPrice placed_price(const OperatorGraph &graph, const PlacedGroup &group, RowChoice rows,
                        const Machine &machine) {
    return Pricing(graph, group, rows, machine).price();
}

}  // namespace emulsion
