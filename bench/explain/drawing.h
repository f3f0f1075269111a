// A picture of a plan: boxes for operators inside of boxes for groups, and arrows between them. Made
// from an explanation, placed by Graphviz, written as SVG. Lengths are pixels, y grows downwards.
#pragma once

#include <string>
#include <vector>

#include "bench/explain/explanation.h"

namespace emulsion {

struct Point {
    double x = 0.0, y = 0.0;
};

struct DrawnNode {
    std::string title, corner, subtitle;  // text: `corner` beside the title, `subtitle` below
    std::string hint;                     // shown under the pointer
    int group = -1;                       // -1: an input or output of the network
    int op = -1;                          // index into Explanation::operators
    double width = 0.0, height = 0.0;
    Point center;  // after lay_out
};

struct DrawnGroup {
    int index = -1;  // into Explanation::groups
    std::string caption, hint;
    bool launched = true;
    Point corner;  // the upper left one; after lay_out
    double width = 0.0, height = 0.0;
};

struct DrawnEdge {
    int from = -1, to = -1;     // indices into Drawing::nodes
    std::string label, hint;    // empty inside of a group
    bool within_group = false;  // drawn lightly
    std::vector<Point> curve;   // Bezier: a start, then three points per piece; after lay_out
    Point tip, label_center;    // of the arrow; after lay_out
};

struct Drawing {
    std::vector<DrawnNode> nodes;
    std::vector<DrawnGroup> groups;  // empty where a group is drawn as one node
    std::vector<DrawnEdge> edges;
    double width = 0.0, height = 0.0;
};

// Text is drawn in fonts of these widths and heights.
constexpr double kCharacterWidth = 6.1;  // of the monospaced font
constexpr double kEdgeLabelHeight = 13.0;
constexpr double kCaptionHeight = 14.0;

double text_width(const std::string &text);

// Every operator in the box of its group.
Drawing draw_operators(const Explanation &explanation);
// A node per group: for networks whose operators are too many.
Drawing draw_groups(const Explanation &explanation);

}  // namespace emulsion
