#include "fusion/image/decisions_at.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fusion/error.h"
#include "fusion/image/decide.h"
#include "fusion/image/group_price.h"
#include "fusion/image/image_space.h"
#include "fusion/image/shapes.h"
#include "fusion/image/stage_cost.h"
#include "fusion/placement_name.h"

namespace emulsion {

namespace {

const ImageStage &root_of(const ImageDecisions &decisions, const ImageGroup &group) {
    return decisions.graph.stages[static_cast<size_t>(group.root)];
}

bool has_tiles(const ImageStage &root) { return !root.definitions.empty() && !root.has_own_loops; }

// What a point says of one stage.
class StageOfPoint {
public:
    StageOfPoint(const Nest &point, int stage) : point_(point), stage_(stage) {}

    std::optional<int64_t> value(const std::string &name) const {
        const auto found = point_.parameters.find(image_parameter(stage_, name));
        return found == point_.parameters.end() ? std::nullopt : std::optional(found->second);
    }

    // With what the point says of it.
    Shape shape(Shape shape) const {
        for (size_t axis = 0; axis < shape.block.size(); axis++) {
            shape.block[axis] = value(block_of_axis(axis)).value_or(shape.block[axis]);
        }
        if (const auto axis = value("slide")) {
            shape.slide_axis = *axis > 0 ? static_cast<int>(*axis) : -1;
        }
        shape.sweep = value("sweep").value_or(shape.sweep ? 1 : 0) != 0;
        shape.share = value("share").value_or(shape.share);
        return shape;
    }

    StageLoops loops() const {
        return {value("vector").value_or(0), value("vectors").value_or(0),
                value("rows").value_or(0), value("row_block").value_or(0),
                value("aligned").value_or(0)};
    }

private:
    const Nest &point_;
    const int stage_;
};

// Why the loops of a group can't have a shape, beside what a price says; or nothing.
std::string refusal_of(const ImageDecisions &decisions, const ImageGroup &group, const Shape &shape,
                       const CpuMachine &machine) {
    const ImageStage &root = root_of(decisions, group);
    const auto is_cut = [&](int axis) {
        return axis >= 0 && shape.block[static_cast<size_t>(axis)] > 0;
    };
    const bool has_members = !group.members.empty();
    for (size_t axis = 0; axis < shape.block.size(); axis++) {
        if (shape.block[axis] > root.extents[axis] &&
            shape.block[axis] != group.shape.block[axis]) {
            return "are longer than it is";
        }
    }
    if (std::ranges::count_if(shape.block, [](int64_t b) { return b > 0; }) > kMostCutAxes) {
        return "cut too many axes";
    }
    if (is_cut(unrolled_axis(
            root, stage_costs(decisions.graph, decisions.placements, group.root, machine)))) {
        return "cut the axis that is unrolled";
    }
    if (shape.slide_axis >= 0 && (!has_members || !is_cut(shape.slide_axis))) {
        return "keep rows that nothing reads";
    }
    const Definition &host = root.definitions[static_cast<size_t>(shape.host)];
    if (shape.sweep && (!has_members || host.reduced.empty() || shape.slide_axis >= 0)) {
        return "compute nothing in loops of a reduction";
    }
    if (shape.share > 0 && shape.share != group.shape.share) {
        const auto priced = priced_shapes(decisions.graph, decisions.placements, machine, group);
        const bool can_share = std::ranges::any_of(
            priced, [](const PricedShape &each) { return each.shape.share > 0; });
        if (!can_share || shape.sweep) {
            return "share sums that can't be added up in parts";
        }
    }
    return "";
}

void set_shape(ImageDecisions &decisions, ImageGroup &group, Shape shape,
               const CpuMachine &machine) {
    std::string refusal = refusal_of(decisions, group, shape, machine);
    group.shape = std::move(shape);
    if (refusal.empty()) {
        group.cycles = group_cycles(decisions.graph, decisions.placements, machine, group);
        refusal = std::isfinite(group.cycles) ? "" : "have no room for what is computed in them";
    }
    if (!refusal.empty()) {
        throw Error(std::string("the tiles of stage '")
                        .append(root_of(decisions, group).name)
                        .append("' ")
                        .append(refusal));
    }
}

WantedPlacements places_of(const ImageGraph &graph, const Nest &point) {
    WantedPlacements wanted;
    for (int i = 0; i < static_cast<int>(graph.stages.size()); i++) {
        if (const auto place = StageOfPoint(point, i).value("place")) {
            wanted[graph.stages[static_cast<size_t>(i)].name] = static_cast<Placement>(*place);
        }
    }
    return wanted;
}

void require_places(const ImageDecisions &decisions, const WantedPlacements &wanted) {
    for (size_t i = 0; i < decisions.graph.stages.size(); i++) {
        const auto found = wanted.find(decisions.graph.stages[i].name);
        if (found != wanted.end() && found->second != decisions.placements[i]) {
            throw Error(std::string("stage '")
                            .append(found->first)
                            .append("' can't have the place '")
                            .append(placement_name(found->second))
                            .append("' among the others"));
        }
    }
}

}  // namespace

ImageDecisions decisions_at(const ImageGraph &graph, const CpuMachine &machine, const Nest &point) {
    if (const std::string refusal = image_space(graph, machine).is_valid(point); !refusal.empty()) {
        throw Error(refusal);
    }
    const WantedPlacements wanted = places_of(graph, point);
    ImageDecisions decisions = decide_images(graph, machine, wanted);
    require_places(decisions, wanted);
    for (int i = 0; i < static_cast<int>(graph.stages.size()); i++) {
        const StageOfPoint says(point, i);
        const std::string &name = graph.stages[static_cast<size_t>(i)].name;
        for (ImageGroup &group : decisions.groups) {
            const ImageStage &root = root_of(decisions, group);
            if (root.name != name || !has_tiles(root)) {
                continue;
            }
            if (Shape shape = says.shape(group.shape); shape != group.shape) {
                set_shape(decisions, group, std::move(shape), machine);
            }
        }
        if (const StageLoops loops = says.loops(); loops != StageLoops()) {
            decisions.loops[name] = loops;
        }
    }
    return decisions;
}

Nest with_tiles(Nest point, const ImageGraph &graph, const ImageDecisions &decisions) {
    for (int i = 0; i < static_cast<int>(graph.stages.size()); i++) {
        for (const ImageGroup &group : decisions.groups) {
            const ImageStage &root = root_of(decisions, group);
            if (root.name != graph.stages[static_cast<size_t>(i)].name || !has_tiles(root)) {
                continue;
            }
            const auto set = [&](const std::string &name, int64_t value) {
                point.parameters[image_parameter(i, name)] = value;
            };
            for (size_t axis = 0; axis < group.shape.block.size(); axis++) {
                set(block_of_axis(axis), group.shape.block[axis]);
            }
            if (root.is_pure() && root.extents.size() > 1) {
                set("slide", std::max(group.shape.slide_axis, 0));
            }
            if (!root.is_pure() && !root.definitions.back().reduced.empty()) {
                set("sweep", group.shape.sweep ? 1 : 0);
                set("share", group.shape.share);
            }
        }
    }
    return point;
}

}  // namespace emulsion
