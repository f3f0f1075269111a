#include "bench/explain/drawing.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/explain/markup.h"
#include "bench/units.h"

namespace emulsion {

namespace {

constexpr size_t kLongestLine = 34;   // characters of a name in a box
constexpr double kTextMargin = 8.0;   // left and right of text in a box
constexpr double kNodeHeight = 34.0;  // of two lines
constexpr double kLeastWidth = 120.0;

std::string size_text(int64_t bytes) {
    return bytes < 1'000       ? fmt::format("{} B", bytes)
           : bytes < 1'000'000 ? fmt::format("{:.1f} kB", static_cast<double>(bytes) * 1e-3)
                               : fmt::format("{:.2f} MB", megabytes(bytes));
}

// Where the most lasting of the operator's Funcs is computed: a sum in registers says more than its
// result inline.
std::string main_placement(const ExplainedGroup &group, int op) {
    for (const Placement place : {Placement::Root, Placement::Panel, Placement::Register}) {
        for (const ExplainedPlacement &placement : group.placement) {
            if (placement.op == op && placement.placement == to_string(place)) {
                return placement.placement;
            }
        }
    }
    return to_string(Placement::Inline);
}

class Artist {
public:
    Artist(const Explanation &explanation, bool operators)
        : explained_(explanation), operators_(operators),
          node_of_group_(explanation.groups.size(), -1) {}

    Drawing run() {
        for (size_t g = 0; g < explained_.groups.size(); g++) {
            add_group(static_cast<int>(g));
        }
        for (const ExplainedEdge &edge : explained_.edges) {
            add_edge(edge);
        }
        return std::move(drawing_);
    }

private:
    const ExplainedGroup &group(int g) const { return explained_.groups[static_cast<size_t>(g)]; }
    const ExplainedOperator &op(int i) const {
        return explained_.operators[static_cast<size_t>(i)];
    }

    int add(DrawnNode node) {
        const double first_line = text_width(node.title + "  ") * 1.15 + text_width(node.corner);
        node.width =
            std::max({first_line, text_width(node.subtitle), kLeastWidth}) + 2 * kTextMargin;
        node.height = kNodeHeight;
        drawing_.nodes.push_back(std::move(node));
        return static_cast<int>(drawing_.nodes.size()) - 1;
    }

    static std::string number(const ExplainedGroup &group) {
        return group.launched() ? "group " + group.number() : group.number();
    }

    static std::string caption_of(const ExplainedGroup &group) {
        return group.launched() ? number(group) + " \xC2\xB7 " + group.what() : number(group);
    }

    static std::string work_of(const ExplainedGroup &group) {
        return fmt::format("reads {:.3f} MB, writes {:.3f} MB, {:.2f} million multiply-adds",
                           megabytes(group.work.bytes_read), megabytes(group.work.bytes_written),
                           group.work.multiply_adds * 1e-6);
    }

    static std::string times_of(const ExplainedGroup &group) {
        return fmt::format("predicted {} ms", time_text(group.predicted_ms)) +
               (group.measured_ms > 0.0
                    ? fmt::format(", measured {} ms", time_text(group.measured_ms))
                    : "");
    }

    static std::string hint_of(const ExplainedGroup &group) {
        std::string hint = fmt::format("{}: {}\n{}", number(group), group.what(), group.label);
        for (const ExplainedNest &nest : group.nests) {
            hint += nest.nest.empty() ? "" : "\n" + describe(nest.nest);
        }
        return group.launched() ? hint + "\n" + work_of(group) + "\n" + times_of(group) : hint;
    }

    void add_group(int g) {
        const ExplainedGroup &group = this->group(g);
        if (!operators_) {
            node_of_group_[static_cast<size_t>(g)] =
                add({.title = group.what(),
                     .corner = fmt::format("{}, {} operator{}", number(group), group.members.size(),
                                           group.members.size() == 1 ? "" : "s"),
                     .subtitle = keep_end(group.label, kLongestLine),
                     .hint = hint_of(group),
                     .group = g});
            return;
        }
        drawing_.groups.push_back({.index = g,
                                   .caption = caption_of(group),
                                   .hint = hint_of(group),
                                   .launched = group.launched()});
        const size_t first = drawing_.nodes.size();
        for (const int member : group.members) {
            add_operator(group, member, g);
        }
        equalise_widths(first);
        if (group.members.empty()) {
            node_of_group_[static_cast<size_t>(g)] =
                add({.title = "copy",
                     .corner = keep_end(describe(group.output.layout), kLongestLine),
                     .subtitle = keep_end(group.output.name, kLongestLine),
                     .hint = hint_of(group),
                     .group = g});
        }
    }

    // One edge on the left and one on the right for the boxes from number `first` on.
    void equalise_widths(size_t first) {
        double width = 0.0;
        for (size_t i = first; i < drawing_.nodes.size(); i++) {
            width = std::max(width, drawing_.nodes[i].width);
        }
        for (size_t i = first; i < drawing_.nodes.size(); i++) {
            drawing_.nodes[i].width = width;
        }
    }

    void add_operator(const ExplainedGroup &group, int member, int g) {
        const ExplainedOperator &op = this->op(member);
        members_[{g, member}] =
            add({.title = op.type,
                 .corner = op.mapping + ", " + main_placement(group, member),
                 .subtitle = keep_end(op.name, kLongestLine),
                 .hint = fmt::format("{} ({})\nmapping type {}\nimplementation {}\n{}", op.name,
                                     op.type, op.mapping, op.implementation,
                                     describe_placement(group, member)),
                 .group = g,
                 .op = member});
    }

    int node_of(int g, int op, const ExplainedEdge &edge, bool reads) {
        if (g < 0) {
            return caller(edge, reads);
        }
        return operators_ ? members_.at({g, op}) : node_of_group_[static_cast<size_t>(g)];
    }

    // The node of an input or output of the network.
    int caller(const ExplainedEdge &edge, bool output) {
        const auto [found, is_new] = callers_.try_emplace({output, edge.tensor}, -1);
        if (is_new) {
            found->second = add({.title = output ? "output" : "input",
                                 .corner = describe(edge.type, edge.shape),
                                 .subtitle = keep_end(edge.tensor, kLongestLine),
                                 .hint = edge.tensor + "\n" + describe(edge.type, edge.shape)});
        }
        return found->second;
    }

    void add_edge(const ExplainedEdge &edge) {
        int from = node_of(edge.from, edge.producer, edge, false);
        const int to = node_of(edge.to, edge.consumer, edge, true);
        if (from == to) {
            return;
        }
        DrawnEdge drawn{.from = from, .to = to};
        drawn.within_group = edge.from >= 0 && edge.from == edge.to;
        drawn.hint =
            fmt::format("{}: {}, {:.3f} MB\n{} to {}", edge.tensor, describe(edge.type, edge.shape),
                        megabytes(edge.bytes), edge.producer < 0 ? "input" : op(edge.producer).name,
                        edge.consumer < 0 ? "output" : op(edge.consumer).name);
        if (!drawn.within_group) {
            drawn.label = fmt::format(
                "{} \xC2\xB7 {}",
                edge.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(edge.shape, "x")),
                size_text(edge.bytes));
        }
        if (!edge.reason.empty()) {
            drawn.hint += "\nnot one group: " + edge.reason;
        }
        if (edge.conversion >= 0) {
            from = convert(from, edge, drawn);
            drawn.from = from;
        }
        if (operators_ || known_.emplace(drawn.from, drawn.to).second) {
            drawing_.edges.push_back(std::move(drawn));
        }
    }

    // Leads the value into the group that copies it; returns that one's node.
    int convert(int from, const ExplainedEdge &edge, DrawnEdge drawn) {
        const int copy = node_of_group_[static_cast<size_t>(edge.conversion)];
        drawn.to = copy;
        if (known_.emplace(from, copy).second) {
            drawing_.edges.push_back(std::move(drawn));
        }
        return copy;
    }

    const Explanation &explained_;
    const bool operators_;  // a node each, or a node per group
    Drawing drawing_;
    std::vector<int> node_of_group_;
    std::map<std::pair<int, int>, int> members_;  // node of a group's operator
    std::map<std::pair<bool, std::string>, int> callers_;
    std::set<std::pair<int, int>> known_;  // edges that are drawn once
};

}  // namespace

double text_width(const std::string &text) {
    return static_cast<double>(count_characters(text)) * kCharacterWidth;
}

Drawing draw_operators(const Explanation &explanation) { return Artist(explanation, true).run(); }

Drawing draw_groups(const Explanation &explanation) { return Artist(explanation, false).run(); }

}  // namespace emulsion
