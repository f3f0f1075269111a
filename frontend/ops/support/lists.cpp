#include "frontend/ops/support/lists.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

std::optional<std::vector<int64_t>> operand_or_attribute(const OperatorContext &context, int index,
                                                         const std::string &name) {
    if (context.has_input(index)) {
        return constant_integers(context, index);
    }
    if (context.node().has(name)) {
        return context.node().integers(name, {});
    }
    return {};
}

std::vector<int> distinct_axes(const OperatorContext &context, const std::vector<int64_t> &axes,
                               int rank, const std::string &what) {
    std::vector<int> result;
    for (const int64_t axis : axes) {
        result.push_back(normalize_axis(context, axis, rank, "an element of " + what));
        if (std::count(result.begin(), result.end(), result.back()) > 1) {
            refuse(context, fmt::format("{} is {}: it names axis {} twice", what, to_string(axes),
                                        result.back()));
        }
    }
    return result;
}

std::vector<int> all_axes(int rank) {
    std::vector<int> axes(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

void require_length(const OperatorContext &context, const std::vector<int64_t> &values,
                    size_t count, const std::string &what) {
    if (values.size() != count) {
        refuse(context,
               fmt::format("{} is {}; {} elements are needed", what, to_string(values), count));
    }
}

}  // namespace emulsion
