#include "autoscheduler/mapping.h"

#include <algorithm>
#include <map>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

bool mentions(const Expr &e, const std::string &variable) { return expr_uses_var(e, variable); }

// The axis whose pure variable `index` is, up to a constant offset; -1 if it is anything else.
int plain_axis(const FuncFacts &facts, const Expr &index) {
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        const Expr difference = simplify(index - Variable::make(Halide::Int(32), facts.args[axis]));
        if (is_const(difference)) {
            return static_cast<int>(axis);
        }
    }
    return -1;
}

// Whether reading at `args` visits the elements of a tensor of extents `from` in the flattened order
// of the result: flat(args(p)) == flat(p), asked at pseudo-random points p (a polynomial of divisions
// that agrees there agrees everywhere, for the chains that occur).
bool keeps_flat_order(const FuncFacts &facts, const std::vector<Expr> &args,
                      const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    constexpr int kPoints = 48;
    if (from.size() != args.size() || to.size() != facts.args.size()) {
        return false;
    }
    uint64_t state = 0x9e3779b97f4a7c15;
    for (int point = 0; point < kPoints; point++) {
        std::map<std::string, Expr> at;
        int64_t flat_to = 0;
        for (size_t axis = 0; axis < to.size(); axis++) {
            state = state * 6364136223846793005 + 1442695040888963407;
            // The last element is always among the points.
            const int64_t coordinate =
                point == 0
                    ? to[axis] - 1
                    : static_cast<int64_t>((state >> 33) %
                                           static_cast<uint64_t>(std::max<int64_t>(to[axis], 1)));
            at[facts.args[axis]] = static_cast<int>(coordinate);
            flat_to = flat_to * to[axis] + coordinate;
        }
        int64_t flat_from = 0;
        for (size_t axis = 0; axis < from.size(); axis++) {
            const auto index = as_const_int(simplify(substitute(at, args[axis])));
            if (!index) {
                return false;
            }
            flat_from = flat_from * from[axis] + *index;
        }
        if (flat_from != flat_to) {
            return false;
        }
    }
    return true;
}

bool same_args(const std::vector<Expr> &a, const std::vector<Expr> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Expr &x, const Expr &y) { return equal(x, y); });
}

MappingType of_pure_access(const FuncFacts &facts, const std::vector<Expr> &args,
                           const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    std::vector<int> axes;
    bool plain = true;
    for (size_t i = 0; i < args.size(); i++) {
        const int axis = plain_axis(facts, args[i]);
        // Reading the one element of an axis of length 1 is as good as reading along a result axis
        // of length 1.
        const bool single = axis < 0 && is_const(args[i]);
        plain = plain && (axis >= 0 || single);
        if (axis >= 0) {
            axes.push_back(axis);
        }
    }
    if (plain) {
        for (size_t axis = 0; axis < facts.args.size(); axis++) {
            const bool used = std::count(axes.begin(), axes.end(), static_cast<int>(axis)) > 0;
            if (!used && (axis >= to.size() || to[axis] != 1)) {
                return MappingType::OneToMany;
            }
        }
        const bool same_rank = args.size() == facts.args.size();
        if (std::is_sorted(axes.begin(), axes.end())) {
            return same_rank ? MappingType::OneToOne : MappingType::Reorganize;
        }
        return MappingType::Shuffle;
    }
    if (keeps_flat_order(facts, args, from, to)) {
        return MappingType::Reorganize;
    }
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        const bool read = std::any_of(args.begin(), args.end(),
                                      [&](const Expr &e) { return mentions(e, facts.args[axis]); });
        if (!read && axis < to.size() && to[axis] != 1) {
            return MappingType::OneToMany;
        }
    }
    return MappingType::Opaque;
}

}  // namespace

MappingType mapping_type(const FuncFacts &facts, const std::string &callee,
                         const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    MappingType type = MappingType::OneToOne;
    const TensorAccess *first = nullptr;
    for (const TensorAccess &access : facts.accesses) {
        if (access.callee != callee) {
            continue;
        }
        for (const Expr &index : access.args) {
            for (const ReductionLoop &loop : facts.reduction) {
                if (mentions(index, loop.name)) {
                    return MappingType::ManyToMany;
                }
            }
        }
        if (first != nullptr && !same_args(first->args, access.args)) {
            return MappingType::ManyToMany;  // several distinct taps
        }
        first = &access;
        type = most_complex(type, of_pure_access(facts, access.args, from, to));
    }
    return type;
}

}  // namespace emulsion
