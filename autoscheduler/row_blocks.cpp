#include "autoscheduler/row_blocks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "autoscheduler/templates/support/parameters.h"
#include "fusion/image/row_block.h"
#include "fusion/image/unrolled_code.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;
using Halide::VarOrRVar;
using Halide::Internal::Dim;
using Halide::Internal::ForType;
using Rule = NestConstraint::Rule;

constexpr int64_t kWidestAlignment = 256;

// Halide keeps where a loop was split from before its name.
std::string name_of(const Dim &dim) { return dim.var.substr(dim.var.rfind('.') + 1); }

bool is_one_of(const std::vector<Dim> &dims, const std::string &name) {
    return std::any_of(dims.begin(), dims.end(),
                       [&](const Dim &dim) { return name_of(dim) == name; });
}

// Of the pure definition: the loop along the second axis in a tile becomes that of blocks, under its name, and the rows of
// a block are unrolled inside of the loop along the columns.
void unroll_rows(Func func, int rows) {
    const auto &definition = func.function().definition();
    // A specialisation has loops of its own.
    if (!definition.specializations().empty()) {
        return;
    }
    const std::vector<Dim> dims = definition.schedule().dims();
    const std::string axis = func.args()[1].name();
    const std::string name = is_one_of(dims, axis + "_rest") ? axis + "_rest" : axis;
    if (!is_one_of(dims, name)) {
        return;
    }
    const Var row(name), in_block(axis + "_in_block");
    std::vector<VarOrRVar> order;
    bool is_placed = false;
    for (const Dim &dim : dims) {
        const bool is_inner =
            dim.for_type == ForType::Vectorized || dim.for_type == ForType::Unrolled;
        if (!is_inner && !is_placed) {
            order.emplace_back(in_block);
            is_placed = true;
        }
        order.emplace_back(Var(name_of(dim)));
        if (name_of(dim) == name) {
            break;
        }
    }
    func.split(row, row, in_block, rows, TailStrategy::ShiftInwards)
        .reorder(order)
        .unroll(in_block);
}

}  // namespace

void add_row_blocks(const NestFuncs &funcs, NestSpace &bounds) {
    const bool has_rows = funcs.root.dimensions() > 1 && !funcs.root.has_update_definition() &&
                          funcs.registers.empty();
    bounds.parameters.push_back(
        count_parameter("row_block", "rows", 1, has_rows ? kMostRowsOfBlock : 1));
    bounds.parameters.back().is_optional = true;
    bounds.constraints.push_back(
        {Rule::ProductAtMost,
         {"vector", "vectors", "row_block"},
         kMostSideBySide,
         "computes more than " + std::to_string(kMostSideBySide) + " elements side by side"});
    for (const auto &[name, value] : {std::pair{"transposes", 1}, std::pair{"unroll_axis", 1}}) {
        bounds.constraints.push_back({Rule::ProductAtMost,
                                      {"row_block"},
                                      1,
                                      "computes rows side by side that are unrolled already",
                                      std::pair{name, value}});
    }
    const bool is_stored = !funcs.is_output && funcs.root.dimensions() > 0;
    bounds.parameters.push_back(
        count_parameter("aligned", "elements", 1, is_stored ? kWidestAlignment : 1));
    bounds.parameters.back().is_optional = true;
}

void make_row_blocks(const NestFuncs &funcs, const Nest &nest) {
    if (const int rows = parameter(nest, "row_block", 1); rows > 1) {
        unroll_rows(funcs.root, rows);
    }
    if (const int elements = parameter(nest, "aligned", 1); elements > 1) {
        Func func = funcs.root;
        func.align_storage(func.args().front(), elements);
    }
}

}  // namespace emulsion
