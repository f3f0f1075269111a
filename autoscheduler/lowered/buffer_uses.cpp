#include "autoscheduler/lowered/buffer_uses.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>

namespace emulsion {

using namespace Halide;
using namespace Halide::Internal;

namespace {

constexpr double kLineBytes = 64.0;

// How far an index moves from one pass of a loop to the next; 0 where it does not, or where nobody knows.
double step_of(const Expr &index, const std::string &loop) {
    Expr first = index;
    if (const auto *ramp = index.as<Ramp>()) {
        first = ramp->base;
    } else if (const auto *broadcast = index.as<Broadcast>()) {
        first = broadcast->value;
    }
    if (!expr_uses_var(first, loop)) {
        return 0.0;
    }
    const Expr next = substitute(loop, Variable::make(Int(32), loop) + 1, first);
    const auto step = as_const_int(simplify(next - first));
    return step ? static_cast<double>(*step) : 1.0;
}

// Of the indices that are known, how many differ.
double distinct_share(const LoweredAccess &access) {
    std::set<std::string> distinct;
    for (const Expr &index : access.indices) {
        std::ostringstream text;
        text << index;
        distinct.insert(text.str());
    }
    return static_cast<double>(std::max<size_t>(distinct.size(), 1)) /
           static_cast<double>(std::max<size_t>(access.indices.size(), 1));
}

}  // namespace

double passes_of(const std::vector<LoweredLoop> &loops, size_t depth) {
    double passes = 1.0;
    for (size_t i = loops.size() - depth; i < loops.size(); i++) {
        passes *= static_cast<double>(loops[i].extent);
    }
    return passes;
}

BufferUses::BufferUses(const LoweredStatement &statement) : statement_(statement) {
    for (const auto &[name, access] : statement.accesses) {
        steps_.push_back(steps_of(access));
        distinct_.push_back(distinct_share(access));
        accesses_.push_back(&access);
    }
}

// By loop, the longest step of its indices.
std::vector<double> BufferUses::steps_of(const LoweredAccess &access) const {
    std::vector<double> steps;
    for (const LoweredLoop &loop : statement_.loops) {
        double longest = 0.0;
        for (const Expr &index : access.indices) {
            const double step = step_of(index, loop.name);
            longest = std::fabs(step) > std::fabs(longest) ? step : longest;
        }
        steps.push_back(longest);
    }
    return steps;
}

bool BufferUses::is_spatial(size_t loop) const {
    size_t at = 0;
    for (const auto &[name, access] : statement_.accesses) {
        if (name == statement_.buffer) {
            return steps_[at][loop] != 0.0;
        }
        at++;
    }
    return true;
}

double BufferUses::unique_bytes(size_t buffer, size_t depth) const {
    const LoweredAccess &of = *accesses_[buffer];
    double elements = distinct_[buffer] * of.times * of.lanes;
    for (size_t i = statement_.loops.size() - depth; i < statement_.loops.size(); i++) {
        if (steps_[buffer][i] != 0.0) {
            elements *= static_cast<double>(statement_.loops[i].extent);
        }
    }
    return elements * of.bytes;
}

BufferUse BufferUses::of(size_t buffer) const {
    const LoweredAccess &of = *accesses_[buffer];
    const size_t depth = statement_.loops.size();
    BufferUse use{of.reads, of.writes};
    const double passes = passes_of(statement_.loops, depth);
    use.bytes = passes * of.times * of.lanes * of.bytes;
    use.unique_bytes = unique_bytes(buffer, depth);
    use.stride = stride_of(buffer);
    const double per_line =
        std::clamp(kLineBytes / std::max(std::fabs(use.stride) * of.bytes, 1.0), 1.0, kLineBytes);
    use.lines = use.bytes / of.bytes / per_line;
    use.unique_lines = use.unique_bytes / of.bytes / per_line;
    // The innermost loop that it does not follow reads the same again.
    for (size_t i = depth; i-- > 0;) {
        const double extent = static_cast<double>(statement_.loops[i].extent);
        if (steps_[buffer][i] == 0.0 && extent > 1.0) {
            use.reuse = 0;
            use.reuse_iterations = passes_of(statement_.loops, depth - 1 - i);
            for (size_t other = 0; other < accesses_.size(); other++) {
                use.reuse_bytes += unique_bytes(other, depth - 1 - i);
            }
            use.reuse_count = extent;
            return use;
        }
    }
    if (of.times > 1 && use.unique_bytes < use.bytes) {
        use.reuse = 1;
        use.reuse_iterations = 1.0;
        use.reuse_bytes = of.times * of.lanes * of.bytes;
        use.reuse_count = use.bytes / std::max(use.unique_bytes, 1.0);
    }
    return use;
}

// Of its vectors, or of the innermost loop that it follows.
double BufferUses::stride_of(size_t buffer) const {
    for (const Expr &index : accesses_[buffer]->indices) {
        if (const auto *ramp = index.as<Ramp>()) {
            const auto stride = as_const_int(ramp->stride);
            return stride ? static_cast<double>(*stride) : kLineBytes;
        }
    }
    for (size_t i = statement_.loops.size(); i-- > 0;) {
        if (steps_[buffer][i] != 0.0) {
            return steps_[buffer][i];
        }
    }
    return 0.0;
}

}  // namespace emulsion
