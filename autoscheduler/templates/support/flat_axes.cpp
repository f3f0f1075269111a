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

// How one buffer is walked, axis after axis.
class Walk {
public:
    // Along a dimension of so many elements, or not at all (-1); whether that goes on as it began.
    bool goes_on(const Halide::Parameter &buffer, int dimension, int64_t extent) {
        const bool moves = dimension >= 0;
        if (moves_ && *moves_ != moves) {
            return false;
        }
        if (moves) {
            const auto stride = as_const_int(buffer.stride_constraint(dimension));
            const auto own = as_const_int(buffer.extent_constraint(dimension));
            if (!stride || !own || *own != extent || (moves_ && *stride != next_)) {
                return false;
            }
            next_ = *stride * extent;
        }
        moves_ = moves;
        return true;
    }

private:
    std::optional<bool> moves_;
    int64_t next_ = 0;  // the stride of what would go on
};

}  // namespace

int flat_axes(const NestFuncs &funcs, const std::vector<int> &order) {
    const auto buffers = funcs.root.function().output_buffers();
    const auto &values = funcs.root.function().values();
    if (buffers.size() != 1 || values.size() != 1 || funcs.root.has_update_definition()) {
        return 1;
    }
    const BufferReads all = buffer_reads(values);
    std::vector<Walk> walks(all.reads.size());
    Walk root;
    const std::vector<Halide::Var> vars = pure_vars(funcs.root);
    int flat = 0;
    for (auto axis = order.rbegin(); all.complete && axis != order.rend(); ++axis) {
        const std::string &variable = vars[static_cast<size_t>(*axis)].name();
        const int64_t extent = known_extent(funcs, *axis);
        bool goes_on = extent > 0 && all.variables.count(variable) == 0 &&
                       root.goes_on(buffers.front(), *axis, extent);
        for (size_t i = 0; i < walks.size() && goes_on; i++) {
            const auto dimension = dimension_of(all.reads[i].indices, variable);
            goes_on = dimension && walks[i].goes_on(all.reads[i].buffer, *dimension, extent);
        }
        if (!goes_on) {
            break;
        }
        flat++;
    }
    return flat > 1 ? flat : 1;
}

}  // namespace emulsion
