#include "autoscheduler/mapping.h"

#include <algorithm>
#include <map>

#include "fusion/layout.h"

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

// Points of a result of extents `to`: the last element, then pseudo-random ones, each with its
// successor along the last axis.
std::vector<std::vector<int64_t>> sample_points(const std::vector<int64_t> &to) {
    constexpr int kPoints = 48;
    std::vector<std::vector<int64_t>> points;
    uint64_t state = 0x9e3779b97f4a7c15;
    for (int i = 0; i < kPoints; i++) {
        std::vector<int64_t> point;
        for (int64_t extent : to) {
            state = state * 6364136223846793005 + 1442695040888963407;
            const auto random = static_cast<int64_t>((state >> 33) % static_cast<uint64_t>(extent));
            point.push_back(i == 0 ? extent - 1 : random);
        }
        points.push_back(point);
        if (!point.empty() && point.back() + 1 < to.back()) {
            point.back()++;
            points.push_back(point);
        }
    }
    return points;
}

int64_t flattened(const std::vector<int64_t> &at, const std::vector<int64_t> &extents) {
    int64_t flat = 0;
    for (size_t axis = 0; axis < extents.size(); axis++) {
        flat = flat * extents[axis] + at[axis];
    }
    return flat;
}

// Type of a chain of divisions and the like, that reads at `args` of a tensor of extents `from` for
// every element of a result of extents `to`, asked at points (a chain that agrees there agrees
// everywhere, for those that occur): Reorganize if it visits the tensor in the flattened order of the
// result, and all of it (what lies in the memory of the tensor is then as large as it), else Shuffle if it
// reads different elements for different ones, else One-to-Many.
MappingType of_chain(const FuncFacts &facts, const std::vector<Expr> &args,
                     const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    const auto known = [](int64_t extent) { return extent > 0; };
    if (from.size() != args.size() || to.size() != facts.args.size() ||
        !std::all_of(from.begin(), from.end(), known) ||
        !std::all_of(to.begin(), to.end(), known)) {
        return MappingType::Opaque;
    }
    bool keeps_order = true, distinct = true;
    std::map<int64_t, int64_t> reader;  // of an element of the tensor: the element of the result
    for (const std::vector<int64_t> &point : sample_points(to)) {
        std::map<std::string, Expr> at;
        for (size_t axis = 0; axis < to.size(); axis++) {
            at[facts.args[axis]] = static_cast<int>(point[axis]);
        }
        std::vector<int64_t> place;
        for (const Expr &arg : args) {
            const auto index = as_const_int(simplify(substitute(at, arg)));
            if (!index) {
                return MappingType::Opaque;
            }
            place.push_back(*index);
        }
        const int64_t flat_to = flattened(point, to), flat_from = flattened(place, from);
        keeps_order = keeps_order && flat_from == flat_to;
        distinct = distinct && reader.emplace(flat_from, flat_to).first->second == flat_to;
    }
    const int64_t read = element_count(to), all = element_count(from);
    return keeps_order && read == all ? MappingType::Reorganize
           : distinct && read <= all  ? MappingType::Shuffle
                                      : MappingType::OneToMany;
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
            // With an axis read at one of several elements (Gather at a constant) only a part of the
            // tensor is read: the flattened order is another.
            const bool all = element_count(from) == element_count(to);
            return same_rank ? MappingType::OneToOne
                   : all     ? MappingType::Reorganize
                             : MappingType::Shuffle;
        }
        return MappingType::Shuffle;
    }
    for (size_t axis = 0; axis < facts.args.size(); axis++) {
        const bool read = std::any_of(args.begin(), args.end(),
                                      [&](const Expr &e) { return mentions(e, facts.args[axis]); });
        if (!read && axis < to.size() && to[axis] != 1) {
            return MappingType::OneToMany;
        }
    }
    return of_chain(facts, args, from, to);
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
        if (facts.scans) {
            return MappingType::ManyToMany;  // an element needs those before it
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

std::vector<int64_t> read_offset(const FuncFacts &facts, const std::string &callee) {
    const TensorAccess *first = nullptr;
    for (const TensorAccess &access : facts.accesses) {
        if (access.callee != callee) {
            continue;
        }
        if (access.args.size() != facts.args.size() ||
            (first != nullptr && !same_args(first->args, access.args))) {
            return {};
        }
        first = &access;
    }
    std::vector<int64_t> offset;
    for (size_t axis = 0; first != nullptr && axis < facts.args.size(); axis++) {
        const Expr coordinate = Variable::make(Halide::Int(32), facts.args[axis]);
        const auto distance = as_const_int(simplify(first->args[axis] - coordinate));
        if (!distance) {
            return {};
        }
        offset.push_back(*distance);
    }
    return offset;
}

}  // namespace emulsion
