#include "autoscheduler/templates/support/register_sums.h"

#include <algorithm>

#include "autoscheduler/templates/support/definition_loops.h"
#include "autoscheduler/templates/support/parameters.h"
#include "fusion/image/unrolled_code.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;

using Rule = NestConstraint::Rule;

// Of a block.
constexpr int64_t kMostRows = 16;

}  // namespace

void make_register_loops(Func sum, const SumBlock &block) {
    sum.bound_extent(sum.args().front(), block.columns);
    if (block.has_rows()) {
        sum.bound_extent(sum.args()[static_cast<size_t>(block.row_axis)], block.rows);
    }
    for (int definition = 0; definition <= sum.num_update_definitions(); definition++) {
        DefinitionLoops loops(sum, definition);
        std::vector<VarOrRVar> order;
        const Var lanes = loops.split_inner(0, block.vector, TailStrategy::GuardWithIf);
        order.emplace_back(lanes);
        order.emplace_back(loops.loop(0));
        if (block.has_rows()) {
            order.emplace_back(loops.loop(block.row_axis));
        }
        order.insert(order.end(), loops.reduced().begin(), loops.reduced().end());
        for (int axis = 1; axis < sum.dimensions(); axis++) {
            if (!block.has_rows() || axis != block.row_axis) {
                order.emplace_back(loops.loop(axis));
            }
        }
        loops.stage().reorder(order).unroll(loops.loop(0));
        if (block.has_rows()) {
            loops.stage().unroll(loops.loop(block.row_axis));
        }
        if (block.vector > 1) {
            loops.stage().vectorize(lanes);
        }
    }
}

void add_register_rows(const NestFuncs &funcs, NestSpace &space) {
    const int rank = funcs.root.dimensions();
    const bool may_have_sums = !funcs.registers.empty() || space.find("own_sums")->domain.most > 0;
    space.parameters.push_back(optional_axis_parameter("register_axis", rank));
    space.parameters.back().is_optional = true;
    space.parameters.push_back(
        count_parameter("register_rows", "rows", 1, may_have_sums ? kMostRows : 1));
    space.parameters.back().is_optional = true;
    space.constraints.push_back(
        {Rule::ProductAtMost,
         {"vector", "vectors", "register_rows"},
         kMostSideBySide,
         "adds up more than " + std::to_string(kMostSideBySide) + " elements side by side"});
    space.constraints.push_back({Rule::Distinct,
                                 {"register_axis", "slide_axis", "unroll_axis"},
                                 0,
                                 "adds up several rows along an axis that is unrolled, or that "
                                 "rows are computed along"});
    const auto has_none = [&](const std::string &parameter, int64_t value) {
        space.constraints.push_back({Rule::ProductAtMost,
                                     {"register_rows"},
                                     1,
                                     "adds up several rows of what has none",
                                     std::pair{parameter, value}});
    };
    has_none("register_axis", -1);
    has_none("register_axis", 0);
    has_none("transposes", 1);
    if (funcs.registers.empty()) {
        has_none("own_sums", 0);
    }
}

}  // namespace emulsion
