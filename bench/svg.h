// What pictures of measurements are made of, as SVG. Coordinates are in pixels, from the upper left corner.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace emulsion {

// A whole file: `content` on white.
std::string svg_page(double width, double height, const std::string &content);

// A line of text that begins, ends or has its middle at `x` ("start", "end", "middle"). Any characters will do.
std::string svg_text(double x, double y, const std::string &anchor, const std::string &content);

// A thin line of a grid.
std::string svg_rule(std::pair<double, double> from, std::pair<double, double> to);

// `style` are SVG's attributes of the line; `hint` shows where a pointer rests on it.
std::string svg_polyline(const std::vector<std::pair<double, double>> &points,
                         const std::string &style, const std::string &hint);

}  // namespace emulsion
