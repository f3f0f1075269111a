// The parameters of register_tile.h: which values they may have, and which an operator is offered.
#include <algorithm>
#include <limits>

#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

using Rule = NestConstraint::Rule;

// Beyond these the unrolled code explodes: registers of a tile, and multiply-adds between two tests of a loop.
constexpr int64_t kMaxTile = 64;
constexpr int64_t kMaxUnrolled = 512;
constexpr int64_t kMaxRows = std::numeric_limits<int>::max();
// What is offered, where the operator has as much: beyond it, no machine has the registers.
constexpr int64_t kMaxVectors = 16, kMaxWidth = 32, kMaxHeight = 8;
constexpr int64_t kMaxUnrolledTaps = 64;
// A parameter of nests that Halide could not unroll the tiles of.
const char *const kUnrollTile = "unroll_tile";
// A parameter of windows over several channels; 0 where a nest lacks it.
const char *const kChannelBlock = "channel_block";
// A parameter of sums that are to be made in blocks, which no search may change: it is about how they round.
const char *const kSumBlock = "sum_block";
// A parameter of windows over planes, no two of which read the same; 0 where a nest lacks it.
const char *const kColumnsInside = "columns_inside";

NestParameter tile_size(const char *name, const char *unit) {
    return count_parameter(name, unit, 1, kMaxTile);
}

PanelLoops panels_of(const RegisterTile &t, int rank) {
    PanelLoops panels;
    panels.serial = {{"serial", 1}};
    panels.is_panel = true;
    panels.row_axis = t.height_axis >= 0 ? t.height_axis : t.width_axis;
    panels.step = t.height_axis >= 0 ? t.height : t.width;
    panels.whole_axes = {t.column_axis};
    if (t.height_axis >= 0 && t.width_axis >= 0) {
        panels.whole_axes.push_back(t.width_axis);
    }
    panels.rows_parameter = "task_rows";
    panels.task_parameter = "task_panels";
    panels.unused_alone = {"task_panels"};
    panels.unused_hosting = {"columns_outermost"};
    panels.unused_as_panel = {"task_rows", "task_panels", "columns_outermost", "serial"};
    for (int axis = 0; axis < rank; axis++) {
        if (axis != t.column_axis && axis != t.width_axis && axis != t.height_axis) {
            panels.outer_axes.push_back(axis);
        }
    }
    return panels;
}

// Where there are taps to walk between two blocks.
void offer_channel_blocks(NestSpace &space, const ReductionRoles &roles) {
    if (roles.taps == 1 || roles.inner_channels == 1) {
        leave_out(space, kChannelBlock);
        return;
    }
    NestParameter *parameter = space.find(kChannelBlock);
    parameter->is_optional = false;
    parameter->domain.most = roles.inner_channels / 2;
}

void offer_sum_blocks(NestSpace &space, const RegisterTile &t) {
    if (t.sum_block > 0) {
        space.find(kSumBlock)->is_optional = false;
        fix(space, kSumBlock, static_cast<int>(t.sum_block));
    } else {
        leave_out(space, kSumBlock);
    }
}

}  // namespace

RegisterTile::RegisterTile(const Nest &nest)
    : column_axis(parameter(nest, "column_axis")), width_axis(parameter(nest, "width_axis")),
      height_axis(parameter(nest, "height_axis")), vector(parameter(nest, "vector")),
      vectors(parameter(nest, "vectors")), width(parameter(nest, "width")),
      height(parameter(nest, "height")), task_rows(parameter(nest, "task_rows")),
      unroll(parameter(nest, "unroll")),
      columns_outermost(parameter(nest, "columns_outermost") != 0),
      columns_inside(parameter(nest, kColumnsInside, 0) != 0),
      padded(parameter(nest, "padded") != 0), unroll_window(parameter(nest, "unroll_window") != 0),
      unroll_tile(parameter(nest, kUnrollTile, 1) != 0), serial(parameter(nest, "serial") != 0),
      buffered(parameter(nest, "buffered") != 0), channel_block(parameter(nest, kChannelBlock, 0)),
      sum_block(parameter(nest, kSumBlock, 0)), task_panels(parameter(nest, "task_panels")) {}

NestSpace register_tile_bounds(const NestFuncs &funcs) {
    return register_tile_domains(funcs.root.dimensions());
}

NestSpace register_tile_domains(int rank) {
    NestParameter vector = tile_size("vector", "elements");
    vector.domain.powers_of_two = true;
    NestParameter unroll_tile = flag_parameter(kUnrollTile);
    NestParameter channel_block = count_parameter(kChannelBlock, "channels", 0, kMaxRows);
    NestParameter sum_block = count_parameter(kSumBlock, "channels", 0, kMaxRows);
    NestParameter columns_inside = flag_parameter(kColumnsInside);
    unroll_tile.is_optional = channel_block.is_optional = sum_block.is_optional =
        columns_inside.is_optional = true;
    NestSpace space;
    space.parameters = {axis_parameter("column_axis", rank),
                        optional_axis_parameter("width_axis", rank),
                        optional_axis_parameter("height_axis", rank),
                        vector,
                        tile_size("vectors", "vectors"),
                        tile_size("width", "columns"),
                        tile_size("height", "rows"),
                        count_parameter("task_rows", "rows", 1, kMaxRows),
                        tile_size("unroll", "iterations"),
                        flag_parameter("columns_outermost"),
                        flag_parameter("padded"),
                        flag_parameter("unroll_window"),
                        flag_parameter("serial"),
                        flag_parameter("buffered"),
                        count_parameter("task_panels", "panels", 1, kMaxRows),
                        channel_block,
                        sum_block,
                        columns_inside,
                        unroll_tile};
    const std::pair<std::string, int64_t> no_width{"width_axis", -1}, no_height{"height_axis", -1};
    space.constraints = {
        {Rule::Distinct, {"column_axis", "width_axis", "height_axis"}, 0, "names one axis twice"},
        {Rule::ProductAtMost, {kChannelBlock, kSumBlock}, 0, "has blocks of both kinds"},
        {Rule::ProductAtMost, {"height_axis"}, -1, "has a height but no width", no_width},
        {Rule::ProductAtMost, {"width"}, 1, "has tiles of several columns along no axis", no_width},
        {Rule::ProductAtMost, {"height"}, 1, "has tiles of several rows along no axis", no_height},
        {Rule::ProductAtMost,
         {"vectors", "width", "height"},
         kMaxTile,
         "has a tile of more than " + std::to_string(kMaxTile) + " registers"}};
    return space;
}

NestSpace register_tile_space(const std::string &template_name, const RegisterTile &t,
                              const NestSubject &subject, const ReductionRoles &roles) {
    NestSpace space = register_tile_domains(static_cast<int>(subject.extents.size()));
    space.template_name = template_name;
    fix(space, "column_axis", t.column_axis);
    fix(space, "width_axis", t.width_axis);
    fix(space, "height_axis", t.height_axis);
    const int64_t width = extent_of(subject, t.width_axis);
    const int64_t height = extent_of(subject, t.height_axis);
    const int64_t rows = t.height_axis >= 0 ? height : width;
    const int64_t unrolled_taps =
        roles.taps <= kMaxUnrolledTaps ? std::max<int64_t>(roles.taps, 1) : 0;
    narrow(space, "vector", t.vector, 1, 2 * subject.machine.lanes(roles.reduction->type.bytes()));
    narrow(space, "vectors", t.vectors, 1, kMaxVectors);
    narrow(space, "width", t.width, 1, std::min(width, kMaxWidth));
    narrow(space, "height", t.height, 1, roles.live < 1.0 ? 1 : std::min(height, kMaxHeight));
    // The last task of a panel may be larger than what is left.
    narrow(space, "task_rows", t.task_rows, 1, rows + kMaxTile);
    narrow(space, "unroll", t.unroll, 1, std::max<int64_t>(roles.inner_channels, 1));
    prefer(space, "columns_outermost", t.columns_outermost ? 1 : 0);
    narrow(space, "padded", t.padded ? 1 : 0, 0, t.padded ? 1 : 0);
    narrow(space, "unroll_window", t.unroll_window ? 1 : 0, 0, unrolled_taps > 0 ? 1 : 0);
    prefer(space, "serial", t.serial ? 1 : 0);
    prefer(space, "buffered", t.buffered ? 1 : 0);
    narrow(space, "task_panels", t.task_panels, 1, rows);
    offer_channel_blocks(space, roles);
    offer_sum_blocks(space, t);
    if (t.columns_inside) {
        space.find(kColumnsInside)->is_optional = false;
        prefer(space, kColumnsInside, 1);
    } else {
        leave_out(space, kColumnsInside);
    }
    const std::vector<std::string> unrolled{"vectors", "width", "height", "unroll"};
    const std::string too_long =
        "unrolls more than " + std::to_string(kMaxUnrolled) + " operations of its innermost loop";
    space.constraints.push_back({Rule::ProductAtMost, unrolled, kMaxUnrolled, too_long});
    if (unrolled_taps > 0) {
        space.constraints.push_back({Rule::ProductAtMost, unrolled, kMaxUnrolled / unrolled_taps,
                                     too_long, std::pair{"unroll_window", 1}});
    }
    if (t.padded) {
        space.block_parameters = {"vector", "vectors"};
    }
    space.panels = panels_of(t, static_cast<int>(subject.extents.size()));
    return space;
}

std::optional<Nest> smaller_register_tile(const Nest &nest) {
    Nest smaller = nest;
    if (smaller.parameters.emplace(kUnrollTile, 0).second) {
        return smaller;
    }
    for (const char *name : {"vector", "vectors", "width", "height", "unroll"}) {
        smaller.parameters[name] = 1;
    }
    return smaller.parameters == nest.parameters ? std::nullopt : std::make_optional(smaller);
}

std::vector<int64_t> register_tile_panel(const Nest &nest, const std::vector<int64_t> &extents) {
    const RegisterTile t(nest);
    if (t.width_axis < 0 || t.task_panels > 1) {
        return {};
    }
    std::vector<int64_t> block(extents.size(), 1);
    const auto size = [&](int axis) -> int64_t & { return block[static_cast<size_t>(axis)]; };
    const auto all = [&](int axis) { return extents[static_cast<size_t>(axis)]; };
    size(t.column_axis) = all(t.column_axis);
    size(t.width_axis) = all(t.width_axis);
    const bool has_height = t.height_axis >= 0;
    const int64_t step = has_height ? t.height : t.width;
    size(has_height ? t.height_axis : t.width_axis) =
        std::max<int64_t>(t.task_rows / step, 1) * step;
    return block;
}
}  // namespace emulsion
