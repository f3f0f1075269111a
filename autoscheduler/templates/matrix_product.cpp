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
        "matrix_product",
        "matrix product; with one row a product that streams the weights once",
        20,
        offer_matrix_product,
        apply_register_tile,
        register_tile_bounds,
        false,
        smaller_register_tile,
        register_tile_panel};
    return t;
}

}  // namespace emulsion
