// Several reductions over the same axis (softmax), or one over the innermost axis: each row's
// reductions are computed just before the row, vectors along the row.
#include <algorithm>
#include <memory>

#include "autoscheduler/templates/support/loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "autoscheduler/templates/support/rows.h"
#include "autoscheduler/templates/support/rows_model.h"

namespace emulsion {

namespace {

// What takes so many operations is not computed twice where it can be kept: a load and a store take less.
constexpr double kManyOperations = 6.0;
// Elements of a row that lie in a private cache until they are read again.
constexpr int64_t kLongestKept = 32768;

// How many parts read one.
int64_t readers(const NestSubject &subject, const std::string &part) {
    return std::count_if(subject.parts.begin(), subject.parts.end(), [&](const FuncFacts &reader) {
        const std::vector<std::string> callees = reader.callees();
        return std::find(callees.begin(), callees.end(), part) != callees.end();
    });
}

// Parts that a reduction and the result read, as the powers of a softmax are.
std::set<size_t> worth_keeping(const NestSubject &subject) {
    int64_t longest = 1;
    for (const FuncFacts &part : subject.parts) {
        int64_t along = 1;
        for (const ReductionLoop &loop : part.reduction) {
            along = loop.extent < 0 ? kLongestKept + 1 : along * loop.extent;
        }
        longest = std::max(longest, along);
    }
    std::set<size_t> kept;
    for (size_t i = 0; i + 1 < subject.parts.size() && longest <= kLongestKept; i++) {
        const FuncFacts &part = subject.parts[i];
        if (!part.is_reduction() && part.operations >= kManyOperations &&
            part.args.size() == subject.extents.size() && readers(subject, part.name) > 1) {
            kept.insert(i);
        }
    }
    return kept;
}

// Whether the last axis of what is read, as the program thinks of axes, is the loop of a sum.
bool is_read_along_a_sum(const FuncFacts &part, const TensorAccess &read) {
    return read.in_update && !read.args.empty() &&
           std::any_of(part.reduction.begin(), part.reduction.end(),
                       [&](const ReductionLoop &loop) {
                           return Halide::Internal::expr_uses_var(read.args.back(), loop.name);
                       });
}

// Such rows lie best one element beside the other, whatever the result's vectors run along: the sum has its own.
void like_rows_innermost(const NestSubject &subject, NestOffer &offer) {
    for (const FuncFacts &part : subject.parts) {
        for (const TensorAccess &read : part.accesses) {
            if (is_read_along_a_sum(part, read) && subject.tensor_extents.count(read.callee) != 0) {
                offer.operand_innermost[read.callee] = static_cast<int>(std::ssize(read.args)) - 1;
            }
        }
    }
}

std::optional<NestOffer> offer_row_reduction(const NestSubject &subject) {
    const bool plain = std::all_of(subject.parts.begin(), subject.parts.end(),
                                   [](const FuncFacts &part) { return part.plain_update; });
    // Sums over everything have no row: their steps are shared out (multi_level_tile).
    const bool has_rows =
        std::all_of(subject.parts.begin(), subject.parts.end(), [](const FuncFacts &part) {
            return !part.is_reduction() || !part.args.empty();
        });
    if (!plain || !has_rows || subject.natural_order.empty() || subject.result().is_reduction()) {
        return std::nullopt;
    }
    NestOffer offer_row_reduction;
    offer_row_reduction.reduction_placement = Placement::Panel;
    offer_row_reduction.kept_parts = worth_keeping(subject);
    like_rows_innermost(subject, offer_row_reduction);
    offer_row_reduction.space = rows_space("row_reduction", subject);
    offer_row_reduction.space.panels.is_panel = true;
    set_points(offer_row_reduction.space, std::make_shared<RowsModel>(subject), subject.machine);
    return offer_row_reduction;
}

}  // namespace

const NestTemplate &nest_template_row_reduction() {
    static const NestTemplate t{
        .name = "row_reduction",
        .description = "reductions of a row computed before the row",
        .rank = 60,
        .offer = offer_row_reduction,
        .apply = apply_rows,
        .bounds = rows_bounds,
        .smaller = scalar_rows,
        .panel_block = rows_panel,
        .version = 4,
    };
    return t;
}

}  // namespace emulsion
