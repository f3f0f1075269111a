#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bench/explain/colours.h"
#include "bench/explain/lay_out.h"
#include "bench/explain/markup.h"
#include "bench/explain/page_files.h"
#include "bench/explain/picture.h"

namespace emulsion {

namespace {

constexpr double kMargin = 12.0;
constexpr double kArrowWidth = 3.2;  // half of it
constexpr double kTextLeft = 8.0;
constexpr const char *kViewFill = "#f4f5f7";

std::string coordinates(const Point &point) {
    return fmt::format("{:.1f},{:.1f}", point.x, point.y);
}

std::string title(const std::string &hint) {
    return hint.empty() ? "" : "<title>" + escape_markup(hint) + "</title>";
}

// A line of text; `style` is one of drawing.css.
std::string text(const char *style, double x, double y, const std::string &content) {
    return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", style, x, y,
                       escape_markup(content));
}

std::string group_attributes(int group) {
    return group < 0 ? "" : fmt::format(" data-group=\"{}\"", group);
}

std::string fill_of(const DrawnGroup &group) {
    return group.launched ? colours_of(group.index).fill : kViewFill;
}

std::string svg_of(const DrawnGroup &group) {
    return fmt::format("<g class=\"group{}\"{}>{}<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                       "height=\"{:.1f}\" rx=\"7\" fill=\"{}\" stroke=\"{}\"/></g>\n",
                       group.launched ? "" : " view", group_attributes(group.index),
                       title(group.hint), group.corner.x, group.corner.y, group.width, group.height,
                       fill_of(group), colours_of(group.index).line);
}

// Above the edges that enter the group.
std::string caption_of(const DrawnGroup &group) {
    return fmt::format("<g{} stroke=\"{}\">{}</g>\n", group_attributes(group.index), fill_of(group),
                       text("caption", group.corner.x + kTextLeft,
                            group.corner.y + kCaptionHeight + 1.0, group.caption));
}

std::string svg_of(const DrawnNode &node) {
    const double left = node.center.x - node.width / 2, top = node.center.y - node.height / 2;
    std::string svg = fmt::format("<g class=\"node{}\"{}", node.group < 0 ? " caller" : "",
                                  group_attributes(node.group));
    if (node.op >= 0) {
        svg += fmt::format(" data-operator=\"{}\"", node.op);
    }
    svg += ">" + title(node.hint);
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\"{}/>", left,
        top, node.width, node.height, node.group < 0 ? 14 : 4,
        node.group < 0 ? "" : fmt::format(" stroke=\"{}\"", colours_of(node.group).line));
    svg += text("type", left + kTextLeft, top + 14.0, node.title);
    svg += text("corner", left + node.width - kTextLeft, top + 14.0, node.corner);
    svg += text("name", left + kTextLeft, top + 27.0, node.subtitle);
    return svg + "</g>\n";
}

// A triangle from the end of the curve to the tip.
std::string arrow(const Point &base, const Point &tip) {
    const double dx = tip.x - base.x, dy = tip.y - base.y;
    const double length = std::max(std::hypot(dx, dy), 1e-3);
    const Point side = {-dy / length * kArrowWidth, dx / length * kArrowWidth};
    return fmt::format("<path class=\"tip\" d=\"M{} L{} L{} Z\"/>",
                       coordinates({base.x + side.x, base.y + side.y}), coordinates(tip),
                       coordinates({base.x - side.x, base.y - side.y}));
}

std::string svg_of(const DrawnEdge &edge, const Drawing &drawing) {
    if (edge.curve.empty()) {
        return "";
    }
    const auto group = [&](int node) { return drawing.nodes[static_cast<size_t>(node)].group; };
    std::string path = "M" + coordinates(edge.curve[0]) + " C";
    for (size_t i = 1; i < edge.curve.size(); i++) {
        path += " " + coordinates(edge.curve[i]);
    }
    std::string svg = fmt::format("<g class=\"edge{}\" data-from=\"{}\" data-to=\"{}\">{}",
                                  edge.within_group ? " within" : "", group(edge.from),
                                  group(edge.to), title(edge.hint));
    // The wide one can't be seen: it is where the pointer finds the line.
    svg += fmt::format("<path class=\"reach\" d=\"{0}\"/><path class=\"line\" d=\"{0}\"/>", path);
    svg += arrow(edge.curve.back(), edge.tip);
    if (!edge.label.empty()) {
        svg += text("label", edge.label_center.x, edge.label_center.y + 3.5, edge.label);
    }
    return svg + "</g>\n";
}

}  // namespace

std::string render_svg(const Drawing &drawing) {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"{2:.0f} {2:.0f} {0:.0f} {1:.0f}\">\n<style>\n{3}</style>\n",
        std::ceil(drawing.width + 2 * kMargin), std::ceil(drawing.height + 2 * kMargin), -kMargin,
        drawing_style());
    svg += fmt::format("<rect class=\"ground\" x=\"{0:.0f}\" y=\"{0:.0f}\" width=\"100%\" "
                       "height=\"100%\"/>\n",
                       -kMargin);
    for (const DrawnGroup &group : drawing.groups) {
        svg += svg_of(group);
    }
    for (const DrawnEdge &edge : drawing.edges) {
        svg += svg_of(edge, drawing);
    }
    for (const DrawnGroup &group : drawing.groups) {
        svg += caption_of(group);
    }
    for (const DrawnNode &node : drawing.nodes) {
        svg += svg_of(node);
    }
    return svg + "</svg>\n";
}

}  // namespace emulsion
