#include "bench/tuning/curves.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/svg.h"

namespace emulsion {

namespace {

constexpr double kWidth = 720.0, kHeight = 420.0;
constexpr double kLeft = 60.0, kRight = 20.0, kTop = 40.0, kBottom = 46.0;
constexpr int kTicks = 5;

// From seconds and ratios to the picture's coordinates.
struct Axes {
    double seconds = 1.0, least = 0.5;

    double x(double s) const { return kLeft + s / seconds * (kWidth - kLeft - kRight); }
    double y(double ratio) const {
        return kTop + (1.0 - ratio) / (1.0 - least) * (kHeight - kTop - kBottom);
    }
};

Axes axes_of(const TunedNetwork &tuned) {
    constexpr double kStep = 0.05;
    Axes axes{std::max(tuned.seconds, 1e-3), 1.0 - kStep};
    for (const TuningStep &step : tuned.steps) {
        const double least = std::min(step.ratio, step.task_ratio);
        axes.least = std::min(axes.least, std::floor(least / kStep) * kStep);
    }
    return axes;
}

// A line that falls in steps, from 1 on to the end of the search.
std::string line_of(const std::vector<std::pair<double, double>> &points, const Axes &axes,
                    const std::string &style, const std::string &hint) {
    double last = 1.0;
    std::vector<std::pair<double, double>> line{{axes.x(0.0), axes.y(last)}};
    for (const auto &[seconds, ratio] : points) {
        line.emplace_back(axes.x(seconds), axes.y(last));
        line.emplace_back(axes.x(seconds), axes.y(ratio));
        last = ratio;
    }
    line.emplace_back(axes.x(axes.seconds), axes.y(last));
    return svg_polyline(line, style, fmt::format("{}: {:.3f}", hint, last));
}

std::string frame(const Axes &axes, const std::string &title) {
    std::string svg = svg_text(kLeft, kTop - 16.0, "start", title);
    for (int i = 0; i <= kTicks; i++) {
        const double share = static_cast<double>(i) / kTicks;
        const double ratio = 1.0 - share * (1.0 - axes.least), seconds = share * axes.seconds;
        svg += svg_rule({kLeft, axes.y(ratio)}, {kWidth - kRight, axes.y(ratio)});
        svg += svg_text(kLeft - 8.0, axes.y(ratio) + 4.0, "end", fmt::format("{:.3f}", ratio));
        svg += svg_text(axes.x(seconds), kHeight - kBottom + 18.0, "middle",
                        fmt::format("{:.3g}", seconds));
    }
    svg += svg_text((kLeft + kWidth - kRight) / 2.0, kHeight - 8.0, "middle",
                    "seconds of the search; time over that of the planner's loop nests");
    return svg;
}

}  // namespace

std::string curves_svg(const TunedNetwork &tuned, const std::string &title) {
    const Axes axes = axes_of(tuned);
    std::string svg = frame(axes, title);
    std::vector<std::pair<double, double>> all;
    for (size_t i = 0; i < tuned.tasks.size(); i++) {
        std::vector<std::pair<double, double>> points;
        for (const TuningStep &step : tuned.steps) {
            if (step.task == i) {
                points.emplace_back(step.seconds, step.task_ratio);
            }
        }
        svg += line_of(points, axes, "stroke=\"#a5adb8\" stroke-width=\"1\"",
                       tuned.tasks[i].task.label);
    }
    for (const TuningStep &step : tuned.steps) {
        all.emplace_back(step.seconds, step.ratio);
    }
    svg += line_of(all, axes, "stroke=\"#1f5fbf\" stroke-width=\"2.5\"", "all groups");
    return svg_page(kWidth, kHeight, svg);
}

}  // namespace emulsion
