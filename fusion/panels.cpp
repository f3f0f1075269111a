#include "fusion/panels.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fusion/core_model.h"
#include "fusion/layout.h"
#include "fusion/stages.h"

namespace emulsion {

namespace {

// Multiply-adds in vectors that a core does in a cycle, tails and loads included.
constexpr double kMultiplyAddsPerCycle = 1.7;
// Loads that hide behind arithmetic cost a little all the same.
constexpr double kHiddenShare = 0.15;
// Of the private cache, for the values of a panel.
constexpr double kPanelShare = 0.5;
// Numbers of rows that are tried one by one; beyond them every doubled one.
constexpr int64_t kFewSteps = 64;

double count(const std::vector<int64_t> &extents) {
    return static_cast<double>(element_count(extents));
}

class Pricing {
public:
    Pricing(const OperatorGraph &graph, const ChosenGroup &group, const Machine &machine)
        : graph_(graph), group_(group), machine_(machine),
          loops_(stage_anchor(graph, group).nest.panels), root_extents_(result(root()).extents),
          stages_(stages_of(graph, group)) {
        // Of a single row: the plan holds for every number of them.
        const std::map<int, std::vector<int64_t>> tiles = tiles_of(root_tile(1));
        for (const int member : group.panels) {
            cut_.push_back(cut_axes(member, tiles.at(member)));
        }
        std::set<int> weights;
        for (const int member : group.members) {
            for (const Operand &operand : choice(member).operands) {
                const Value &value = graph.values[static_cast<size_t>(operand.value)];
                if (value.role == ValueRole::Constant && weights.insert(operand.value).second) {
                    weight_bytes_ += count(value.extents) * value.element_bytes;
                }
            }
        }
    }

    int64_t row_count() const { return root_extents_[static_cast<size_t>(loops_.row_axis)]; }
    int64_t step() const { return loops_.step; }

    Panel price(int64_t rows, bool single_rows) const {
        const std::map<int, std::vector<int64_t>> tiles = tiles_of(root_tile(rows));
        Panel panel;
        panel.rows = rows;
        panel.single_rows = single_rows;
        panel.count = (row_count() + rows - 1) / rows;
        for (const int axis : loops_.outer_axes) {
            panel.count *= root_extents_[static_cast<size_t>(axis)];
        }
        double slowed = 0.0, computed = 0.0, alone = 0.0;
        for (const int member : group_.members) {
            const double all = choice(member).multiply_adds;
            const double part = all * count(tiles.at(member)) / count(result(member).extents);
            slowed += part * slowdown(member, single_rows);
            computed += part;
            alone += all;
        }
        for (const int member : group_.panels) {
            panel.bytes += element_count(tiles.at(member)) * result(member).element_bytes;
        }
        panel.recompute = alone > 0.0 ? computed * static_cast<double>(panel.count) / alone : 1.0;
        const double rounds = std::ceil(static_cast<double>(panel.count) / machine_.threads);
        panel.cycles = rounds * panel_cycles(slowed);
        panel.overhead = panel.cycles - arithmetic_cycles(alone) / machine_.threads;
        panel.refused = refused(panel);
        panel.cut = cut_;
        return panel;
    }

private:
    std::string refused(const Panel &panel) const {
        for (size_t i = 0; i < group_.panels.size(); i++) {
            const int whole = stage_nest(group_.panels[i]).panels.whole_axis;
            if (std::find(cut_[i].begin(), cut_[i].end(), whole) != cut_[i].end()) {
                return "a panel would cut the axis along which the producer runs vectors";
            }
        }
        if (static_cast<double>(panel.bytes) >
            kPanelShare * static_cast<double>(machine_.l2_bytes)) {
            return "a panel has " + std::to_string(panel.bytes) +
                   " bytes, which leaves no room in the private cache";
        }
        return "";
    }

    // What `rows` rows of the root and one step along its outer axes are.
    std::vector<int64_t> root_tile(int64_t rows) const {
        std::vector<int64_t> tile = root_extents_;
        for (const int axis : loops_.outer_axes) {
            tile[static_cast<size_t>(axis)] = 1;
        }
        tile[static_cast<size_t>(loops_.row_axis)] = std::min(rows, row_count());
        return tile;
    }

    // The loop nest that computes panel `member`.
    const NestSpace &stage_nest(int member) const {
        const auto at = std::find(group_.members.begin(), group_.members.end(), member);
        const int stage = stages_[static_cast<size_t>(at - group_.members.begin())];
        return choice(anchor_of(graph_, group_, stages_, stage)).nest;
    }

    int root() const { return group_.members.back(); }
    const ImplementationChoice &choice(int member) const {
        return graph_.operators[static_cast<size_t>(member)].implementations.front();
    }
    const Value &result(int member) const {
        const PlannerOperator &op = graph_.operators[static_cast<size_t>(member)];
        return graph_.values[static_cast<size_t>(op.result)];
    }

    // Extents of every member's result that `tile` of the root's needs.
    std::map<int, std::vector<int64_t>> tiles_of(const std::vector<int64_t> &tile) const {
        std::map<int, std::vector<int64_t>> needed;  // by value
        needed[graph_.operators[static_cast<size_t>(root())].result] = tile;
        std::map<int, std::vector<int64_t>> tiles;  // by member
        for (size_t i = group_.members.size(); i-- > 0;) {
            const int member = group_.members[i];
            const PlannerOperator &op = graph_.operators[static_cast<size_t>(member)];
            const std::vector<int64_t> mine = needed.at(op.result);
            tiles[member] = mine;
            for (const Operand &operand : choice(member).operands) {
                const std::vector<int64_t> reads = operand.footprint.needed(
                    mine, graph_.values[static_cast<size_t>(operand.value)].extents);
                auto [known, first] = needed.emplace(operand.value, reads);
                for (size_t axis = 0; !first && axis < reads.size(); axis++) {
                    known->second[axis] = std::max(known->second[axis], reads[axis]);
                }
            }
        }
        return tiles;
    }

    double arithmetic_cycles(double multiply_adds) const {
        constexpr int kFloatBytes = 4;
        return multiply_adds / machine_.lanes(kFloatBytes) / kMultiplyAddsPerCycle;
    }

    // Cycles of a member's loop nest in a panel over those that it would like to have.
    double slowdown(int member, bool single_rows) const {
        const auto at = std::find(group_.members.begin(), group_.members.end(), member);
        const bool root = stages_[static_cast<size_t>(at - group_.members.begin())] ==
                          static_cast<int>(group_.panels.size());
        return root && !single_rows ? 1.0 : choice(member).nest.panels.single_row_cost;
    }

    std::vector<int> cut_axes(int member, const std::vector<int64_t> &tile) const {
        std::vector<int> axes;
        for (size_t axis = 0; axis < tile.size(); axis++) {
            if (tile[axis] != result(member).extents[axis]) {
                axes.push_back(static_cast<int>(axis));
            }
        }
        return axes;
    }

    // Every panel walks all weights.
    double panel_cycles(double multiply_adds) const {
        const double arithmetic = arithmetic_cycles(multiply_adds);
        const bool stay =
            weight_bytes_ <= kPrivateCacheShare * static_cast<double>(machine_.l2_bytes);
        const double stream =
            weight_bytes_ / (stay ? kPrivateCacheBytesPerCycle : kSharedCacheBytesPerCycle);
        return std::max(arithmetic, stream) + kHiddenShare * stream + kTaskCycles;
    }

    const OperatorGraph &graph_;
    const ChosenGroup &group_;
    const Machine &machine_;
    const PanelLoops &loops_;
    const std::vector<int64_t> &root_extents_;
    std::vector<int> stages_;
    std::vector<std::vector<int>> cut_;  // Panel::cut
    double weight_bytes_ = 0.0;
};

}  // namespace

Panel best_panel(const OperatorGraph &graph, const ChosenGroup &group, const Machine &machine) {
    const NestSpace &nest = stage_anchor(graph, group).nest;
    if (nest.panels.row_axis < 0) {
        return {.refused =
                    "loop nest '" + nest.template_name + "' has no rows to compute panels at"};
    }
    const Pricing pricing(graph, group, machine);
    Panel best = pricing.price(1, true);
    const auto consider = [&](Panel panel) {
        const bool better = !best.refused.empty() || panel.cycles < best.cycles;
        if (panel.refused.empty() && better) {
            best = std::move(panel);
        }
    };
    for (const bool single_rows : {true, false}) {
        const int64_t step = single_rows ? 1 : pricing.step();
        for (int64_t rows = step; rows < pricing.row_count() + step;
             rows += rows < kFewSteps * step ? step : rows) {
            consider(pricing.price(rows, single_rows));
        }
    }
    return best;
}

}  // namespace emulsion
