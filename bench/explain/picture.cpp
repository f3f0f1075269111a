#include "bench/explain/picture.h"

#include <fmt/format.h>

#include "bench/explain/lay_out.h"

namespace emulsion {

namespace {

// Nobody finds anything in a picture of more, and `dot` needs minutes for it.
constexpr size_t kMostNodes = 3000;
constexpr size_t kMostEdges = 12'000;
// Of processor time for each try. YOLO-V4 needs a quarter of one.
constexpr int kSeconds = 20;

bool is_small(const Drawing &drawing) {
    return drawing.nodes.size() <= kMostNodes && drawing.edges.size() <= kMostEdges;
}

std::string why_not(const Drawing &drawing, const char *what) {
    return is_small(drawing)
               ? fmt::format("Graphviz can't place {} {} and {} edges in {} seconds",
                             drawing.nodes.size(), what, drawing.edges.size(), kSeconds)
               : fmt::format("{} {} and {} edges are too many for a drawing", drawing.nodes.size(),
                             what, drawing.edges.size());
}

}  // namespace

Picture draw(const Explanation &explanation) {
    Drawing operators = draw_operators(explanation);
    if (is_small(operators) && lay_out(operators, kSeconds)) {
        return {.svg = render_svg(operators), .note = ""};
    }
    std::string note = why_not(operators, "operators");
    Drawing groups = draw_groups(explanation);
    if (is_small(groups) && lay_out(groups, kSeconds)) {
        return {.svg = render_svg(groups), .note = note + ": groups are drawn instead"};
    }
    return {.svg = "", .note = note + ", and " + why_not(groups, "groups")};
}

}  // namespace emulsion
