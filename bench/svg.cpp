#include "bench/svg.h"

#include <fmt/format.h>

#include "bench/explain/markup.h"

namespace emulsion {

std::string svg_page(double width, double height, const std::string &content) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"white\"/>\n{2}</svg>\n",
        width, height, content);
}

std::string svg_text(double x, double y, const std::string &anchor, const std::string &content) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, escape_markup(content));
}

std::string svg_rule(std::pair<double, double> from, std::pair<double, double> to) {
    return fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" "
                       "stroke=\"#dde1e6\"/>\n",
                       from.first, to.first, from.second, to.second);
}

std::string svg_polyline(const std::vector<std::pair<double, double>> &points,
                         const std::string &style, const std::string &hint) {
    std::string path;
    for (const auto &[x, y] : points) {
        path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x, y);
    }
    return fmt::format("<polyline fill=\"none\" {} points=\"{}\"><title>{}</title></polyline>\n",
                       style, path, escape_markup(hint));
}

}  // namespace emulsion
