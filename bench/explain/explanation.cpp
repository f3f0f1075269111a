#include "bench/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion {

namespace {

// " 0 0 1 1+2": per axis, before and after where these differ.
std::string margins_text(const std::vector<Margin> &margins) {
    std::string text;
    for (const Margin &margin : margins) {
        text += margin.before == margin.after ? fmt::format(" {}", margin.before)
                                              : fmt::format(" {}+{}", margin.before, margin.after);
    }
    return text;
}

}  // namespace

double Explanation::fusion_ratio() const {
    return static_cast<double>(operator_count) / std::max(launched, 1);
}

const std::string &ExplainedGroup::what() const {
    return kind != "compute" || nests.empty() || nests.back().nest.empty()
               ? kind
               : nests.back().nest.template_name;
}

std::string to_string(Placement placement) {
    switch (placement) {
    case Placement::Inline: return "inline";
    case Placement::Register: return "register";
    case Placement::Panel: return "panel";
    case Placement::Whole: return "whole";
    case Placement::Root: return "root";
    }
    return "";
}

std::string time_text(double ms) { return ms > 0.0 ? fmt::format("{:.4f}", ms) : "-"; }

std::string ratio_text(double predicted_ms, double measured_ms) {
    return predicted_ms > 0.0 && measured_ms > 0.0
               ? fmt::format("{:.2f}", predicted_ms / measured_ms)
               : "-";
}

std::string describe(const Layout &layout) {
    const int rank = static_cast<int>(layout.order.size());
    std::vector<int> channels_last = row_major(rank).order;
    if (rank > 2) {
        channels_last.erase(channels_last.begin() + 1);
        channels_last.push_back(1);
    }
    std::string text = layout.order == row_major(rank).order ? "row-major"
                       : layout.order == channels_last
                           ? "channels last"
                           : fmt::format("order {}", fmt::join(layout.order, " "));
    if (layout.block_axis >= 0) {
        text += fmt::format(", axis {} in blocks of {}", layout.block_axis, layout.block);
    }
    if (layout.has_halo()) {
        text += ", halo" + margins_text(layout.halo) + " of ";
        text += std::isfinite(layout.fill) ? fmt::format("{}", layout.fill) : "lowest";
    }
    if (layout.has_surroundings()) {
        text += ", around it" + margins_text(layout.around);
    }
    return text;
}

std::string describe(const Nest &nest) {
    std::string text = nest.template_name;
    for (const auto &[name, value] : nest.parameters) {
        text += fmt::format(" {}={}", name, value);
    }
    return text;
}

std::string describe(const std::string &type, const std::vector<int64_t> &shape) {
    return type + " " + (shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x")));
}

std::string describe(const Explanation &explanation, const ExplainedDuplication &duplication) {
    std::vector<std::string> names;
    std::set<int> groups;
    for (const int member : duplication.members) {
        const ExplainedOperator &op = explanation.operators[static_cast<size_t>(member)];
        names.push_back(op.name);
        groups.insert(op.groups.begin(), op.groups.end());
    }
    std::vector<std::string> numbers;
    for (const int group : groups) {
        numbers.push_back(explanation.groups[static_cast<size_t>(group)].number());
    }
    return fmt::format("{} in groups {}", fmt::join(names, ", "), fmt::join(numbers, ", "));
}

std::string describe_placement(const ExplainedGroup &group, int op) {
    std::string text;
    for (const ExplainedPlacement &place : group.placement) {
        if (place.op == op) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                                place.part.empty() ? "result" : place.part, place.placement);
        }
    }
    return text;
}

}  // namespace emulsion
