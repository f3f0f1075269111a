#include "autoscheduler/templates/support/flat_axes.h"

#include <optional>
#include <string>

#include "autoscheduler/templates/support/buffer_reads.h"
#include "autoscheduler/templates/support/loops.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// The dimension that `variable` alone is the index of; nothing if it is used otherwise; -1: not at all.
std::optional<int> dimension_of(const std::vector<Expr> &indices, const std::string &variable) {
    int found = -1;
    for (size_t d = 0; d < indices.size(); d++) {
        const auto *index = indices[d].as<Variable>();
        if (index != nullptr && index->name == variable) {
            if (found >= 0) {
                return std::nullopt;
            }
            found = static_cast<int>(d);
        } else if (expr_uses_var(indices[d], variable)) {
            return std::nullopt;
        }
    }
    return found;
}

bool has(const Halide::Parameter &buffer, int dimension, int64_t stride, int64_t extent) {
    const auto own = as_const_int(buffer.stride_constraint(dimension));
    const auto elements = as_const_int(buffer.extent_constraint(dimension));
    return own && *own == stride && elements && *elements == extent;
}

// Whether a read moves like the root along `variable`, or not at all, as it did along those before (`moves`).
bool is_alike(const BufferRead &read, const std::string &variable, int64_t stride, int64_t extent,
              std::optional<bool> &moves) {
    const auto dimension = dimension_of(read.indices, variable);
    if (!dimension || (moves && *moves != (*dimension >= 0))) {
        return false;
    }
    moves = *dimension >= 0;
    return !*moves || has(read.buffer, *dimension, stride, extent);
}

}  // namespace

int flat_axes(const NestFuncs &funcs, const std::vector<int> &order) {
    const auto buffers = funcs.root.function().output_buffers();
    const auto &values = funcs.root.function().values();
    if (buffers.size() != 1 || values.size() != 1 || funcs.root.has_update_definition()) {
        return 1;
    }
    const BufferReads all = buffer_reads(values);
    std::vector<std::optional<bool>> moves(all.reads.size());
    const std::vector<Halide::Var> vars = pure_vars(funcs.root);
    int64_t elements = 1;
    int flat = 0;
    for (auto axis = order.rbegin(); all.complete && axis != order.rend(); ++axis) {
        const std::string &variable = vars[static_cast<size_t>(*axis)].name();
        const int64_t extent = known_extent(funcs, *axis);
        bool alike = extent > 0 && all.variables.count(variable) == 0 &&
                     has(buffers.front(), *axis, elements, extent);
        for (size_t i = 0; i < moves.size() && alike; i++) {
            alike = is_alike(all.reads[i], variable, elements, extent, moves[i]);
        }
        if (!alike) {
            break;
        }
        flat++;
        elements *= extent;
    }
    return flat > 1 ? flat : 1;
}

}  // namespace emulsion
