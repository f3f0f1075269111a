// A reduction over whole axes: vectors along an axis that stays, accumulators in registers while the
// reduced axes are walked. Not for what the row reduction does better: sums along rows, which lie one
// element beside the other, and sums that leave nothing to run vectors along.
#include "autoscheduler/templates/support/contraction.h"
#include "autoscheduler/templates/support/register_tile.h"

namespace emulsion {

namespace {

// Vectors of fewer columns than this waste most of their lanes; it pays to avoid them for sums of this
// many elements.
constexpr int64_t kFewColumns = 4;
constexpr int64_t kManyElements = 64;

// Whether the only axis that is reduced is the last one of the data.
bool reduces_rows(const NestSubject &subject, const ReductionRoles &roles) {
    if (roles.reduction->reduction.size() != 1 || subject.natural_order.size() < 2) {
        return false;
    }
    // As the program thinks of axes: their order is that of the result.
    const bool last_is_innermost = subject.natural_order.back() > subject.natural_order.front();
    const std::string &loop = roles.reduction->reduction.front().name;
    for (const TensorAccess &access : roles.reduction->accesses) {
        if (access.callee == roles.data && access.in_update && !access.args.empty()) {
            const Halide::Expr &index =
                last_is_innermost ? access.args.back() : access.args.front();
            return Halide::Internal::expr_uses_var(index, loop);
        }
    }
    return false;
}

std::optional<NestOffer> offer_reduction(const NestSubject &subject) {
    const auto roles = lanewise_roles(subject);
    if (!roles || roles->windowed || reduces_rows(subject, *roles)) {
        return std::nullopt;
    }
    if (extent_of(subject, roles->column_axis) < kFewColumns &&
        roles->reduction_size() >= kManyElements) {
        return std::nullopt;
    }
    return offer_lanewise("reduction", subject, *roles);
}

}  // namespace

const NestTemplate &nest_template_reduction() {
    static const NestTemplate t{
        .name = "reduction",
        .description = "sums and the like over whole axes: vectors along an axis that stays",
        .rank = 50,
        .offer = offer_reduction,
        .apply = apply_register_tile,
        .bounds = register_tile_bounds,
        .smaller = smaller_register_tile,
        .panel_block = register_tile_panel,
        .version = 2,
    };
    return t;
}

}  // namespace emulsion
