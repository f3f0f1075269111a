#include "autoscheduler/templates/support/dense_read.h"

#include <algorithm>
#include <optional>

#include "autoscheduler/func_facts.h"
#include "autoscheduler/templates/support/buffer_reads.h"
#include "autoscheduler/templates/support/loops.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// The read of the highest rank, the first of equals.
BufferRead widest_read(const Halide::Func &func) {
    BufferRead widest;
    for (const BufferRead &read : buffer_reads(func.function().update(0).values()).reads) {
        if (read.indices.size() > widest.indices.size()) {
            widest = read;
        }
    }
    return widest;
}

// The dimension of a buffer whose elements lie `stride` apart, or -1.
int dimension_of_stride(const Halide::Parameter &buffer, int64_t stride) {
    for (int d = 0; d < buffer.dimensions(); d++) {
        const auto own = as_const_int(buffer.stride_constraint(d));
        const auto extent = as_const_int(buffer.extent_constraint(d));
        if (own && *own == stride && !(extent && *extent == 1)) {
            return d;
        }
    }
    return -1;
}

// The loop that `index` is, or null.
const ReductionLoop *loop_of(const std::vector<ReductionLoop> &loops, const Expr &index) {
    const auto *variable = index.as<Variable>();
    const auto found = std::find_if(loops.begin(), loops.end(), [&](const ReductionLoop &loop) {
        return variable != nullptr && loop.name == variable->name;
    });
    return found == loops.end() ? nullptr : &*found;
}

// Whether no index but that of dimension `d` moves with `loop`.
bool moves_alone(const std::vector<Expr> &indices, int d, const std::string &loop) {
    for (size_t i = 0; i < indices.size(); i++) {
        if (static_cast<int>(i) != d && expr_uses_var(indices[i], loop)) {
            return false;
        }
    }
    return true;
}

std::vector<std::string> dense_loops(const BufferRead &read,
                                     const std::vector<ReductionLoop> &loops) {
    std::vector<std::string> dense;
    int64_t elements = 1;
    while (elements > 0) {
        const int d = dimension_of_stride(read.buffer, elements);
        const ReductionLoop *loop =
            d < 0 ? nullptr : loop_of(loops, read.indices[static_cast<size_t>(d)]);
        if (loop == nullptr || !moves_alone(read.indices, d, loop->name)) {
            break;
        }
        dense.push_back(loop->name);
        elements *= loop->extent > 1
                        ? loop->extent
                        : -1;  // of an unknown extent, where the next one begins is not known
    }
    return dense;
}

}  // namespace

DenseRead dense_read(const Halide::Func &func) {
    if (!func.has_update_definition()) {
        return {};
    }
    const BufferRead read = widest_read(func);
    const int d = read.indices.empty() ? -1 : dimension_of_stride(read.buffer, 1);
    if (d < 0) {
        return {};
    }
    const Expr &innermost = read.indices[static_cast<size_t>(d)];
    const std::vector<ReductionLoop> loops = func_facts(func.function()).reduction;
    for (const ReductionLoop &loop : loops) {
        if (expr_uses_var(innermost, loop.name)) {
            std::vector<std::string> dense = dense_loops(read, loops);
            if (dense.empty()) {
                dense.push_back(loop.name);
            }
            return {.variable = loop.name, .loops = dense};
        }
    }
    for (const Halide::Var &v : pure_vars(func)) {
        if (expr_uses_var(innermost, v.name())) {
            return {.variable = v.name(), .loops = {}};
        }
    }
    return {};
}

}  // namespace emulsion
