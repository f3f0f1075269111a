// Matrix product: vectors of columns, register blocks of rows. With a single row (a fully connected
// layer at batch 1) the weights are read once, in order, and memory bounds the time.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

std::optional<NestOffer> offer_matrix_product(const NestSubject &subject) {
    const auto roles = contraction_roles(subject);
    if (!roles) {
        return std::nullopt;
    }
    return offer_contraction("matrix_product", subject, *roles);
}

}  // namespace

const NestTemplate &nest_template_matrix_product() {
    static const NestTemplate t{
        .name = "matrix_product",
        .description = "matrix product; with one row a product that streams the weights once",
        .rank = 20,
        .offer = offer_matrix_product,
        .apply = apply_register_tile,
        .bounds = register_tile_bounds,
        .smaller = smaller_register_tile,
        .panel_block = register_tile_panel,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
