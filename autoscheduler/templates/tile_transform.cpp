// Linear transforms of tiles, as those of Winograd's convolutions: a tile of the result at a time, in vectors of columns.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/transform_loops.h"
#include "autoscheduler/templates/support/transformed_tile.h"
#include "fusion/ceil_div.h"

namespace emulsion {

namespace {

constexpr int64_t kTasksPerThread = 4;
// Work below this many elements is done before another thread has woken up.
constexpr int64_t kSerialElements = 32768;
// Operations for a read and for the multiply-add that it is part of; and for an element that is stored.
constexpr double kTerm = 1.5, kStore = 1.0;

double product_of(const std::vector<int64_t> &extents) {
    double product = 1.0;
    for (const int64_t extent : extents) {
        product *= static_cast<double>(extent);
    }
    return product;
}

double terms_of(const FuncFacts &part) {
    return kTerm * static_cast<double>(part.accesses.size()) + kStore;
}

// Of all tiles, those that reach beyond the result's edges included.
double operations_of(const NestSubject &subject, const TransformedTile &tile) {
    const std::vector<int64_t> elements = tile.extents(subject.extents.size());
    const FuncFacts &rows = subject.parts.front();
    double tiles = 1.0;  // times columns
    for (size_t axis = 0; axis < elements.size(); axis++) {
        tiles *= static_cast<double>(ceil_div(subject.extents[axis], elements[axis]));
    }
    return tiles *
           (product_of(*rows_of_tile(subject.result(), rows.name, elements)) * terms_of(rows) +
            product_of(elements) * terms_of(subject.result()));
}

class TransformModel : public NestModel {
public:
    TransformModel(int element_bytes, int64_t columns)
        : element_bytes_(element_bytes), columns_(columns) {}

    NestEstimate estimate(const Nest &nest, const Machine &machine) const override {
        const int64_t vector = parameter(nest, "vector");
        const int64_t computed = ceil_div(columns_, vector) * vector;
        const int tasks = parameter(nest, "tasks");
        NestEstimate found;
        found.operation_slowdown = static_cast<double>(machine.lanes(element_bytes_)) /
                                   static_cast<double>(vector) * static_cast<double>(computed) /
                                   static_cast<double>(columns_);
        found.column_axis = parameter(nest, "column_axis");
        found.imbalance = tasks > 0 ? 1.0 : machine.cpu().threads;
        found.tasks = std::max(tasks, 1);
        return found;
    }

private:
    int element_bytes_;
    int64_t columns_;
};

void like_tiles_columns(const NestSubject &subject, const TransformedTile &tile, NestOffer &offer) {
    offer.innermost_axis = tile.column_axis;
    const std::string &column = subject.result().args[static_cast<size_t>(tile.column_axis)];
    for (const std::string &tensor : subject.parts.front().callees()) {
        offer.operand_innermost[tensor] = dimension_read_by(subject.parts.front(), tensor, column);
    }
}

// Panels are for rows of tiles; of a panel's own result a part only of what lies outside of its tiles.
void make_panels(const TransformedTile &tile, size_t rank, NestSpace &space) {
    space.panels.serial = {{"tasks", 0}};
    space.panels.unused_as_panel = {"tasks", "task_rows"};
    space.panels.unused_alone = {"task_rows"};
    if (tile.height_axis < 0) {
        space.panels.is_panel = true;
        space.panels.whole_axes = {tile.column_axis, tile.width_axis};
        return;
    }
    for (int axis = 0; axis < static_cast<int>(rank); axis++) {
        if (axis != tile.column_axis && axis != tile.width_axis && axis != tile.height_axis) {
            space.panels.outer_axes.push_back(axis);
        }
    }
    space.panels.row_axis = tile.height_axis;
    space.panels.rows_parameter = "task_rows";
    space.panels.step = tile.height;
}

NestSpace space_of(const NestSubject &subject, const TransformedTile &tile) {
    const size_t rank = subject.extents.size();
    const int64_t lanes = subject.machine.lanes(subject.result().type.bytes());
    const int64_t columns = subject.extents[static_cast<size_t>(tile.column_axis)];
    const int64_t most = floor_power_of_two(columns);
    double tiles = 1.0;
    const std::vector<int64_t> elements = tile.extents(rank);
    for (size_t axis = 0; axis < rank; axis++) {
        tiles *= static_cast<int>(axis) == tile.column_axis
                     ? 1.0
                     : static_cast<double>(ceil_div(subject.extents[axis], elements[axis]));
    }
    const bool worth_it = subject.machine.cores() > 1 &&
                          product_of(subject.extents) >= static_cast<double>(kSerialElements);
    const int64_t tasks = worth_it ? std::min(kTasksPerThread * subject.machine.cores(),
                                              static_cast<int64_t>(std::min(tiles, 1e6)))
                                   : 0;
    NestSpace space = transform_domains(static_cast<int>(rank));
    space.template_name = "tile_transform";
    fix(space, "column_axis", tile.column_axis);
    fix(space, "width_axis", tile.width_axis);
    fix(space, "height_axis", tile.height_axis);
    fix(space, "width", tile.width);
    fix(space, "height", tile.height);
    narrow(space, "vector", std::min(lanes, most), 1, std::min(2 * lanes, most));
    narrow(space, "tasks", tasks, 0, std::max<int64_t>(tasks, static_cast<int64_t>(tiles)));
    const int64_t rows =
        tile.height_axis < 0 ? 1 : subject.extents[static_cast<size_t>(tile.height_axis)];
    narrow(space, "task_rows", tile.height, tile.height, rows + tile.height);
    make_panels(tile, rank, space);
    return space;
}

std::optional<NestOffer> offer_tile_transform(const NestSubject &subject) {
    const std::optional<TransformedTile> tile = transformed_tile(subject);
    if (!tile) {
        return std::nullopt;
    }
    NestOffer offer;
    offer.reduction_placement = Placement::Panel;
    offer.kept_parts = {0};
    offer.operations = operations_of(subject, *tile);
    offer.space = space_of(subject, *tile);
    set_points(
        offer.space,
        std::make_shared<TransformModel>(subject.result().type.bytes(),
                                         subject.extents[static_cast<size_t>(tile->column_axis)]),
        subject.machine);
    like_tiles_columns(subject, *tile, offer);
    return offer;
}

std::optional<Nest> narrower_transform(const Nest &nest) {
    Nest narrower = nest;
    narrower.parameters["vector"] = 1;
    return narrower == nest ? std::nullopt : std::make_optional(narrower);
}

}  // namespace

const NestTemplate &nest_template_tile_transform() {
    static const NestTemplate t{
        .name = "tile_transform",
        .description = "linear transforms of tiles, as Winograd's convolutions have",
        .rank = 45,
        .offer = offer_tile_transform,
        .apply = apply_transform,
        .bounds = transform_bounds,
        .smaller = narrower_transform,
        .panel_block = transform_panel,
    };
    return t;
}

}  // namespace emulsion
