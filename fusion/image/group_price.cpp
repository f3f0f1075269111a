#include "fusion/image/group_price.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "fusion/image/memory_price.h"
#include "fusion/image/needed_regions.h"
#include "fusion/image/shapes.h"
#include "fusion/image/sliding.h"
#include "fusion/image/stage_cost.h"
#include "fusion/image/sum_shares.h"
#include "fusion/image/vectors.h"

namespace emulsion {

namespace {

// Of the rows that a row of the root needs of a stage whose rows are computed again for each (computed_again()), those
// that are: its readers compute their new rows only. Measured with pyramids.
constexpr double kForNewRows = 0.6;

class ImagePricing {
public:
    ImagePricing(const ImageGraph &graph, const StagePlacements &placements,
                 const CpuMachine &machine, const ImageGroup &group)
        : graph_(graph), placements_(placements), machine_(machine), group_(group) {
        stored_.insert(group.members.begin(), group.members.end());
        stored_.insert(group.root);
        for (const int stage : stored_) {
            costs_[stage] = stage_costs(graph, placements, stage, machine);
        }
        find_host();
    }

    // The only definition of the root that reads members, -1 if there are several.
    int host() const { return host_; }
    // Shapes beside those that cut the root.
    std::vector<Shape> shared_shapes() const {
        std::vector<Shape> shapes;
        const ImageStage &root = stage(group_.root);
        if (group_.members.empty() && !reads_copies(graph_, placements_, group_.root)) {
            for (const int64_t share : candidate_shares(root, costs_.at(group_.root), machine_)) {
                shapes.push_back({std::vector<int64_t>(root.extents.size(), 0)});
                shapes.back().share = share;
            }
        }
        return shapes;
    }
    // A root whose sums are made in lanes needs no whole vectors of columns.
    int64_t least_columns() const {
        constexpr int64_t kColumns = 32;
        const std::vector<DefinitionCost> &costs = costs_.at(group_.root);
        return !costs.empty() && costs.back().lanes.elements > 1 ? 1 : kColumns;
    }
    int unrolled() const { return unrolled_axis(stage(group_.root), costs_.at(group_.root)); }
    // The axis of the root that its vectors run along.
    int vector_axis() const {
        const std::vector<DefinitionCost> &costs = costs_.at(group_.root);
        return costs.empty() ? 0 : costs.front().vector_axis;
    }

    double cycles(const Shape &shape) const {
        const ImageStage &root = stage(group_.root);
        if (vector_axis() > 0 && !suits_turned(shape)) {
            return std::numeric_limits<double>::infinity();
        }
        std::set<int> whole, again;
        if (shape.slide_axis >= 0) {
            const Rows rows = rows_of(shape);
            whole = kept_whole(group_.root, rows.axes, costs_);
            if (rows.axes.empty() || (!whole.empty() && reads_bare_inputs())) {
                return std::numeric_limits<double>::infinity();
            }
            again = computed_again(group_.root, rows.axes, rows.per_row, costs_);
        }
        Extents tile;
        double tiles = 1.0;
        for (size_t axis = 0; axis < root.extents.size(); axis++) {
            const auto extent = static_cast<double>(root.extents[axis]);
            const auto block = static_cast<double>(shape.block[axis]);
            tile.push_back(block > 0.0 ? std::min(block, extent) : extent);
            tiles *= std::ceil(extent / tile.back());
        }
        const std::map<int, Extents> needed = regions(tile, shape);
        Extents row = tile;
        if (shape.slide_axis >= 0) {
            row[static_cast<size_t>(shape.slide_axis)] = 1.0;
        }
        const std::map<int, Extents> of_row = shape.slide_axis >= 0 ? regions(row, shape) : needed;
        const double rounds = std::ceil(tiles / machine_.threads);
        double sum = rounds * machine_.image_task_cycles + own_cycles(shape, tile, tiles);
        const double iterations = shape.sweep ? reduction_size(host_definition()) : 1.0;
        double bytes = 0.0, moved = 0.0;
        for (const int member : group_.members) {
            const Extents &region = needed.at(member);
            if (is_narrow(member, region) && reads_bare_inputs()) {
                return std::numeric_limits<double>::infinity();
            }
            sum += rounds * iterations *
                   (again.count(member) != 0 ? kForNewRows * product(tile) / product(row) *
                                                   computed(member, of_row.at(member))
                                             : computed(member, region));
            if (is_panel(member)) {
                const double bytes = product(region) * stage(member).element_bytes;
                moved += iterations * traffic(stage(member), region);
                sum += rounds * iterations *
                       (whole.count(member) != 0 ? bytes * machine_.new_page_cycles
                                                 : new_page_cycles(bytes, machine_));
            }
        }
        bytes = working_set(row, of_row);
        sum += rounds * moved / bytes_per_cycle(bytes, 1.0, machine_);
        sum += rounds * (outside(needed) + inputs(needed, tiles)) /
               (shape.share > 0 ? std::min(tasks_of_shares(root, shape.share),
                                           static_cast<double>(machine_.threads))
                                : 1.0);
        return sum + root_traffic(tile, rounds);
    }

private:
    const ImageStage &stage(int i) const { return graph_.stages[static_cast<size_t>(i)]; }
    const Definition &host_definition() const {
        return stage(group_.root).definitions[static_cast<size_t>(host_)];
    }
    static Extents extents_of(const ImageStage &s) { return {s.extents.begin(), s.extents.end()}; }

    static double reduction_size(const Definition &d) {
        return product({d.reduced.begin(), d.reduced.end()});
    }

    // All of the root's loops run in the loops of its tiles.
    bool suits_turned(const Shape &shape) const {
        bool suits = !shape.sweep && shape.share == 0;
        for (const Definition &definition : stage(group_.root).definitions) {
            for (size_t axis = 0; axis < shape.block.size(); axis++) {
                suits = suits && (definition.free[axis] || shape.block[axis] == 0);
            }
        }
        return suits;
    }

    // The root in memory. One that is turned is complete when its tiles are.
    double root_traffic(const Extents &tile, double rounds) const {
        const ImageStage &root = stage(group_.root);
        if (vector_axis() == 0) {
            return storing_cycles(root, machine_);
        }
        return storing_cycles(root, 1, machine_) +
               rounds * traffic(root, tile) /
                   bytes_per_cycle(product(tile) * root.element_bytes, 1.0, machine_);
    }

    // In vectors along the columns or another axis; one that isn't full takes as long.
    double columns_cycles(int i, size_t definition, Extents region) const {
        const Definition &d = stage(i).definitions[definition];
        const auto along = static_cast<size_t>(costs_.at(i)[definition].vector_axis);
        if (along < region.size() && d.free[along]) {
            const auto lanes = static_cast<double>(lanes_of_vector(stage(i), machine_));
            const double full =
                along > 0 ? lanes : static_cast<double>(vector_of(stage(i), machine_));
            region[along] = std::ceil(region[along] / full) * lanes;
        }
        return evaluations(d, region) * costs_.at(i)[definition].columns_cycles;
    }

    double definition_cycles(int i, size_t definition, const Extents &region) const {
        const DefinitionCost &cost = costs_.at(i)[definition];
        return cost.lanes.elements > 1
                   ? evaluations(stage(i).definitions[definition], region) * cost.cycles
                   : columns_cycles(i, definition, region);
    }

    void find_host() {
        const ImageStage &root = stage(group_.root);
        if (root.is_pure() || group_.members.empty()) {
            return;
        }
        std::vector<int> readers;
        for (size_t d = 0; d < root.definitions.size(); d++) {
            const auto &taps = costs_.at(group_.root)[d].taps;
            if (std::any_of(taps.begin(), taps.end(),
                            [&](const auto &tap) { return stored_.count(tap.first) != 0; })) {
                readers.push_back(static_cast<int>(d));
            }
        }
        host_ = readers.size() == 1 ? readers.front() : -1;
    }

    // By stage, the root's among them, the axis of its rows, and how many there are for a row of the root.
    struct Rows {
        std::map<int, int> axes;
        std::map<int, double> per_row;
    };

    // Rows of a member are kept if they follow from the rows of the root, along one axis, and if a row
    // of it does not depend on its others. None if there is a member without.
    Rows rows_of(const Shape &shape) const {
        constexpr double kRows = 33.0;
        Extents row = extents_of(stage(group_.root));
        double &rows = row[static_cast<size_t>(shape.slide_axis)];
        rows = 1.0;
        const std::map<int, Extents> one = regions(row, shape);
        rows = kRows;
        const std::map<int, Extents> several = regions(row, shape);
        for (const auto &[reader, region] : several) {
            const bool walks = stored_.count(reader) != 0 ||
                               placements_[static_cast<size_t>(reader)] == Placement::Inline;
            if (walks && !reads_in_order(reader, one, several)) {
                return {};
            }
        }
        Rows all{{{group_.root, shape.slide_axis}}, {{group_.root, 1.0}}};
        for (const int member : group_.members) {
            int growing = 0;
            for (size_t axis = 0; axis < stage(member).extents.size(); axis++) {
                if (several.at(member)[axis] > one.at(member)[axis]) {
                    growing++;
                    all.axes[member] = static_cast<int>(axis);
                    all.per_row[member] =
                        (several.at(member)[axis] - one.at(member)[axis]) / (kRows - 1.0);
                }
            }
            if (is_panel(member) && (growing != 1 || !stage(member).is_pure())) {
                return {};
            }
        }
        const bool refused = mixes_rows(all.axes, costs_) || nests_computed_rows(all.axes, costs_);
        return refused ? Rows() : all;
    }

    bool reads_bare_inputs() const {
        return std::any_of(costs_.begin(), costs_.end(), [](const auto &costs) {
            return std::any_of(costs.second.begin(), costs.second.end(),
                               [](const DefinitionCost &cost) { return cost.reads_bare_inputs; });
        });
    }
    // A panel without room for a vector: those that are shifted inwards begin before it, where inputs may have nothing.
    bool is_narrow(int member, const Extents &region) const {
        return is_panel(member) && !region.empty() &&
               region.front() < static_cast<double>(vector_of(stage(member), machine_));
    }
    bool is_panel(int member) const {
        return placements_[static_cast<size_t>(member)] == Placement::Panel;
    }

    // Of what it reads of the group's stages, along the axes that grow.
    bool reads_in_order(int reader, const std::map<int, Extents> &one,
                        const std::map<int, Extents> &several) const {
        for (const Definition &definition : stage(reader).definitions) {
            for (const ImageRead &read : definition.reads) {
                for (size_t axis = 0; read.producer >= 0 && axis < read.ordered.size(); axis++) {
                    const bool inside =
                        stored_.count(read.producer) != 0 ||
                        placements_[static_cast<size_t>(read.producer)] == Placement::Inline;
                    if (inside && !read.ordered[axis] &&
                        several.at(read.producer)[axis] > one.at(read.producer)[axis]) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    // The root's own definitions; each is cut along those axes only that it walks freely.
    double own_cycles(const Shape &shape, const Extents &tile, double tiles) const {
        const ImageStage &root = stage(group_.root);
        double sum = 0.0;
        for (size_t d = 0; d < root.definitions.size(); d++) {
            const Definition &definition = root.definitions[d];
            if (d > 0 && shape.share > 0) {
                sum += shared_cycles(root, costs_.at(group_.root)[d], shape.share, machine_);
                continue;
            }
            double tasks = 1.0;
            for (size_t axis = 0; axis < tile.size(); axis++) {
                const auto extent = static_cast<double>(root.extents[axis]);
                tasks *= definition.free[axis] ? std::ceil(extent / tile[axis]) : 1.0;
            }
            const bool hosts = shape.sweep && static_cast<int>(d) == host_;
            const double all = hosts ? columns_cycles(group_.root, d, extents_of(root))
                                     : definition_cycles(group_.root, d, extents_of(root));
            sum += all * std::ceil(tasks / machine_.threads) / tasks;
        }
        const double rows = product(tile) / std::max(tile.empty() ? 1.0 : tile.front(), 1.0);
        return sum + std::ceil(tiles / machine_.threads) * rows * machine_.image_row_cycles;
    }

    double computed(int member, const Extents &region) const {
        double sum = 0.0;
        for (size_t d = 0; d < stage(member).definitions.size(); d++) {
            sum += definition_cycles(member, d, region);
            sum += is_panel(member) ? column_loops(stage(member).definitions[d], region) *
                                          machine_.image_row_cycles
                                    : 0.0;
        }
        return sum;
    }

    std::map<int, Extents> regions(const Extents &tile, const Shape &shape) const {
        return needed_regions(graph_, placements_, stored_,
                              {group_.root, tile, shape.sweep ? host_ : -1});
    }

    // Bytes that are alive while a tile is computed, or a row of it where rows are kept.
    double working_set(const Extents &root, const std::map<int, Extents> &alive) const {
        double bytes = product(root) * stage(group_.root).element_bytes;
        for (const int member : group_.members) {
            if (is_panel(member)) {
                bytes += product(alive.at(member)) * stage(member).element_bytes;
            }
        }
        return bytes;
    }

    // Cycles to read what a tile needs of stages outside of the group.
    double outside(const std::map<int, Extents> &needed) const {
        double sum = 0.0;
        for (const auto &[index, elements] : read_elements(graph_, placements_, stored_, needed)) {
            const double whole = product(extents_of(stage(index))) * stage(index).element_bytes;
            sum += elements * stage(index).element_bytes /
                   (!placements_[static_cast<size_t>(index)]
                        ? machine_.private_bytes_per_cycle
                        : bytes_per_cycle(whole, machine_.threads, machine_));
        }
        return sum;
    }

    // ... and of inputs, which are as large as what all tiles read together.
    double inputs(const std::map<int, Extents> &needed, double tiles) const {
        const double bytes = input_bytes(graph_, placements_, stored_, needed);
        return bytes / bytes_per_cycle(tiles * bytes, 1.0, machine_);
    }

    const ImageGraph &graph_;
    const StagePlacements &placements_;
    const CpuMachine &machine_;
    const ImageGroup &group_;
    std::set<int> stored_;
    StageCosts costs_;
    int host_ = 0;
};

}  // namespace

std::vector<PricedShape> priced_shapes(const ImageGraph &graph, const StagePlacements &placements,
                                       const CpuMachine &machine, const ImageGroup &group) {
    std::vector<PricedShape> priced;
    const ImagePricing pricing(graph, placements, machine, group);
    if (pricing.host() < 0) {
        return priced;
    }
    const ImageStage &root = graph.stages[static_cast<size_t>(group.root)];
    std::vector<Shape> shapes = candidate_shapes(
        root, {pricing.unrolled(), pricing.host(), pricing.least_columns(), pricing.vector_axis()},
        !group.members.empty(), machine);
    const std::vector<Shape> shared = pricing.shared_shapes();
    shapes.insert(shapes.end(), shared.begin(), shared.end());
    for (Shape &shape : shapes) {
        const double cycles = pricing.cycles(shape);
        priced.push_back({std::move(shape), cycles});
    }
    return priced;
}

void price_group(const ImageGraph &graph, const StagePlacements &placements,
                 const CpuMachine &machine, ImageGroup &group) {
    group.cycles = std::numeric_limits<double>::infinity();
    for (PricedShape &priced : priced_shapes(graph, placements, machine, group)) {
        if (priced.cycles < group.cycles) {
            group.cycles = priced.cycles;
            group.shape = std::move(priced.shape);
        }
    }
}

double group_cycles(const ImageGraph &graph, const StagePlacements &placements,
                    const CpuMachine &machine, const ImageGroup &group) {
    if (graph.stages[static_cast<size_t>(group.root)].definitions.empty()) {
        return 0.0;  // the user's code computes it
    }
    const ImagePricing pricing(graph, placements, machine, group);
    return pricing.host() < 0 ? std::numeric_limits<double>::infinity()
                              : pricing.cycles(group.shape);
}

double decided_cycles(const CpuMachine &machine, const ImageDecisions &decisions) {
    double sum = 0.0;
    for (const ImageGroup &group : decisions.groups) {
        sum += group_cycles(decisions.graph, decisions.placements, machine, group);
    }
    return sum;
}

}  // namespace emulsion
