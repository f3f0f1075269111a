#include "autoscheduler/templates/support/contraction.h"

#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/constants.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/tile_choice.h"

namespace emulsion {

namespace {

RegisterTile tile_with_axes(const ReductionRoles &roles) {
    RegisterTile tile;
    tile.column_axis = roles.column_axis;
    tile.width_axis = roles.width_axis;
    tile.height_axis = roles.height_axis;
    return tile;
}

// Where columns can't be padded, a vector holds no more than there are, and those of one group: what several groups read is
// gathered element by element.
int64_t whole_vector(int64_t lanes, int64_t columns, const ReductionRoles &roles) {
    int64_t vector = std::min(lanes, floor_power_of_two(columns));
    while (roles.group_columns % vector != 0) {
        vector /= 2;
    }
    return vector;
}

// Lets `tensor`, if it is a constant, lie with `dimension` innermost.
void lay_constant_innermost(const NestSubject &subject, const std::string &tensor, int dimension,
                            NestOffer &offer) {
    const auto known = subject.tensor_extents.find(tensor);
    if (dimension < 0 || !subject.is_constant(tensor) || known == subject.tensor_extents.end()) {
        return;
    }
    Layout layout = row_major(static_cast<int>(known->second.size()));
    std::erase(layout.order, dimension);
    layout.order.push_back(dimension);
    offer.constant_layouts[tensor] = layout;
}

// The planes as vectors run, and the coefficients of a tile's rows, which are read one by one, beside each other.
void like_planes(const NestSubject &subject, const ReductionRoles &roles, NestOffer &offer) {
    const FuncFacts &sum = *roles.reduction;
    offer.operand_innermost[roles.weights] =
        dimension_read_by(sum, roles.weights, sum.args[static_cast<size_t>(roles.column_axis)]);
    const int row =
        dimension_read_by(sum, roles.data, sum.args[static_cast<size_t>(roles.width_axis)]);
    lay_constant_innermost(subject, roles.data, row, offer);
}

// Sums over fewer values are not worth the way through memory.
constexpr int64_t kLongReduction = 128;

// As many channels as a block may have where there are two or more, all alike; 0 where there are no such blocks.
int64_t sum_block(const NestSubject &subject, const ReductionRoles &roles) {
    constexpr int64_t kFewest = 16;
    const int64_t block = largest_divisor(roles.inner_channels,
                                          std::min(subject.sum_block, roles.inner_channels / 2));
    return block >= kFewest ? block : 0;
}

// Beside the sums, the weights and one element of the data. Without, the constants of an epilogue that is
// a loop would take one from the sums.
bool leaves_a_register(const RegisterTile &t, const CpuMachine &machine) {
    return t.width * t.height * t.vectors + t.vectors + 1 < machine.vector_registers;
}

}  // namespace

int dimension_read_by(const FuncFacts &facts, const std::string &tensor, const std::string &name) {
    for (const TensorAccess &access : facts.accesses) {
        if (access.callee != tensor) {
            continue;
        }
        for (size_t i = 0; i < access.args.size(); i++) {
            if (Halide::Internal::expr_uses_var(access.args[i], name)) {
                return static_cast<int>(i);
            }
        }
    }
    return -1;
}

void like_channels_innermost(const ReductionRoles &roles, NestOffer &offer) {
    for (const ReductionLoop &loop : roles.reduction->reduction) {
        const int dimension = dimension_read_by(*roles.reduction, roles.data, loop.name);
        if (!loop.window && dimension >= 0) {
            offer.operand_innermost[roles.data] = dimension;
            return;
        }
    }
}

void like_columns_innermost(const NestSubject &subject, const ReductionRoles &roles,
                            NestOffer &offer) {
    offer.innermost_axis = roles.column_axis;
    const FuncFacts &named = roles.reduction->args.size() == subject.result().args.size()
                                 ? *roles.reduction
                                 : subject.result();
    const std::string &column = named.args[static_cast<size_t>(roles.column_axis)];
    offer.operand_innermost[roles.data] = dimension_read_by(*roles.reduction, roles.data, column);
    if (!roles.weights.empty()) {
        lay_constant_innermost(subject, roles.weights,
                               dimension_read_by(*roles.reduction, roles.weights, column), offer);
    }
}

bool is_convolution(const ReductionRoles &roles) {
    return roles.windowed || roles.height_axis >= 0;
}

NestOffer offer_contraction(const std::string &template_name, const NestSubject &subject,
                            const ReductionRoles &roles) {
    RegisterTile tile = tile_with_axes(roles);
    const int64_t columns = extent_of(subject, roles.column_axis);
    const int64_t lanes = subject.machine.lanes(roles.reduction->type.bytes());
    tile.padded = can_pad_columns(subject, roles);
    tile.vector = tile.padded ? lanes : whole_vector(lanes, columns, roles);
    const auto model = std::make_shared<RegisterTileModel>(subject, roles, false);
    choose_contraction_tile(*model, subject.machine.cpu(), tile);
    tile.buffered =
        leaves_a_register(tile, subject.machine.cpu()) && roles.reduction_size() >= kLongReduction;
    tile.sum_block = sum_block(subject, roles);
    RegisterTile single_row = tile;
    choose_single_row(*model, subject.machine.cpu(), single_row);

    NestOffer offer;
    offer.space = register_tile_space(template_name, tile, subject, roles);
    Nest in_panels = offer.space.preferred();
    in_panels.parameters["height"] = single_row.height;
    in_panels.parameters["width"] = single_row.width;
    set_points(offer.space, model, subject.machine, in_panels);
    offer.innermost_axis = roles.column_axis;
    offer.constant_layouts = column_constants(subject, roles, tile);
    if (subject.vector_axis < 0) {
        like_channels_innermost(roles, offer);
    } else {
        like_planes(subject, roles, offer);
    }
    return offer;
}

NestOffer offer_lanewise(const std::string &template_name, const NestSubject &subject,
                         const ReductionRoles &roles) {
    RegisterTile tile = tile_with_axes(roles);
    const int64_t columns = extent_of(subject, roles.column_axis);
    tile.vector = std::min<int64_t>(subject.machine.lanes(roles.reduction->type.bytes()),
                                    floor_power_of_two(columns));
    const auto model = std::make_shared<RegisterTileModel>(subject, roles, true);
    choose_lanewise_tile(*model, roles.taps, subject.machine.cpu(), tile);

    NestOffer offer;
    offer.space = register_tile_space(template_name, tile, subject, roles);
    set_points(offer.space, model, subject.machine);
    like_columns_innermost(subject, roles, offer);
    return offer;
}

}  // namespace emulsion
