#include "fusion/reshape.h"

#include <algorithm>

namespace emulsion {

namespace {

std::vector<int> axes_with_extent(const std::vector<int64_t> &extents) {
    std::vector<int> axes;
    for (size_t i = 0; i < extents.size(); i++) {
        if (extents[i] != 1) {
            axes.push_back(static_cast<int>(i));
        }
    }
    return axes;
}

bool starts_its_buffer(const Layout &layout) {
    return !layout.has_halo() && layout.block_axis < 0 &&
           std::all_of(layout.around.begin(), layout.around.end(),
                       [](const Margin &m) { return m.before == 0; });
}

// The distance of neighbours along the last of `axes`, if the others follow from it; else -1.
int64_t common_stride(const std::vector<int64_t> &extents,
                      const std::vector<BufferDimension> &dimensions,
                      const std::vector<int> &axes) {
    const auto last = static_cast<size_t>(axes.back());
    int64_t expected = dimensions[last].stride;
    for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
        const auto axis = static_cast<size_t>(*it);
        if (dimensions[axis].stride != expected) {
            return -1;
        }
        expected *= extents[axis];
    }
    return dimensions[last].stride;
}

}  // namespace

std::vector<MatchedAxes> matched_axes(const std::vector<int64_t> &from,
                                      const std::vector<int64_t> &to) {
    const std::vector<int> left = axes_with_extent(from), right = axes_with_extent(to);
    if (element_count(from) != element_count(to) || element_count(from) == 0) {
        return {};
    }
    std::vector<MatchedAxes> groups;
    for (size_t i = 0, j = 0; i < left.size();) {
        MatchedAxes group{{left[i]}, {right[j]}};
        int64_t a = from[static_cast<size_t>(left[i++])], b = to[static_cast<size_t>(right[j++])];
        while (a != b) {
            if (a < b) {
                group.from.push_back(left[i]);
                a *= from[static_cast<size_t>(left[i++])];
            } else {
                group.to.push_back(right[j]);
                b *= to[static_cast<size_t>(right[j++])];
            }
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

int kept_axis(const std::vector<int64_t> &from, const std::vector<int64_t> &to, int axis) {
    for (const MatchedAxes &group : matched_axes(from, to)) {
        if (group.kept() && group.to.front() == axis) {
            return group.from.front();
        }
    }
    return -1;
}

std::optional<std::vector<int>> reshaped_order(const std::vector<int64_t> &from,
                                               const std::vector<int> &order,
                                               const std::vector<int64_t> &to) {
    const std::vector<MatchedAxes> groups = matched_axes(from, to);
    std::vector<int> lying;  // axes of `from` that matter, outermost first
    std::copy_if(order.begin(), order.end(), std::back_inserter(lying),
                 [&](int axis) { return from[static_cast<size_t>(axis)] != 1; });
    std::vector<int> result;
    for (size_t i = 0; i < to.size(); i++) {
        if (to[i] == 1) {
            result.push_back(static_cast<int>(i));
        }
    }
    for (size_t at = 0; at < lying.size();) {
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const MatchedAxes &g) {
            return g.from.front() == lying[at];
        });
        if (group == groups.end() || group->from.size() > lying.size() - at ||
            !std::equal(group->from.begin(), group->from.end(),
                        lying.begin() + static_cast<ptrdiff_t>(at))) {
            return std::nullopt;
        }
        result.insert(result.end(), group->to.begin(), group->to.end());
        at += group->from.size();
    }
    if (result.size() != to.size()) {
        return std::nullopt;
    }
    if (std::is_sorted(lying.begin(), lying.end())) {
        return row_major(static_cast<int>(to.size())).order;
    }
    return result;
}

bool lies_reshaped(const std::vector<int64_t> &from, const Layout &from_layout,
                   const std::vector<int64_t> &to, const Layout &to_layout) {
    const std::vector<MatchedAxes> groups = matched_axes(from, to);
    if (!starts_its_buffer(from_layout) || !starts_its_buffer(to_layout) ||
        element_count(from) != element_count(to)) {
        return false;
    }
    const auto of_from = buffer_dimensions(from, from_layout);
    const auto of_to = buffer_dimensions(to, to_layout);
    return std::all_of(groups.begin(), groups.end(), [&](const MatchedAxes &group) {
        const int64_t stride = common_stride(from, of_from, group.from);
        return stride >= 0 && stride == common_stride(to, of_to, group.to);
    });
}

}  // namespace emulsion
