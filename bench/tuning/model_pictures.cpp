#include "bench/tuning/model_pictures.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/svg.h"
#include "tuner/grid.h"
#include "tuner/learning_curve.h"

namespace emulsion {

namespace {

constexpr double kPictureLeft = 64.0, kPictureRight = 16.0, kPictureTop = 26.0,
                 kPictureBottom = 40.0;
constexpr double kCell = 22.0;  // of a table
constexpr const char *kInk = "#1f5fbf";

std::string rectangle(double x, double y, double width, double height, const std::string &colour,
                      const std::string &hint) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"><title>{}</title></rect>\n",
        x, y, width, height, colour, escape_markup(hint));
}

// From white, 0, to dark blue, 1.
std::string shade(double share) {
    const double dark = std::clamp(share, 0.0, 1.0);
    const auto mix = [&](double light, double full) {
        return static_cast<int>(std::lround(light + dark * (full - light)));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(245, 16), mix(248, 56), mix(252, 128));
}

std::string value_text(int64_t value) {
    return value == Grid::kAbsent ? "-" : fmt::format("{}", value);
}

// One of the two tables of a belief, whose cells have numbers from 0 to 1.
template<typename Share, typename Text>
std::string cells(const Belief &belief, double left, const std::string &title, const Share &share,
                  const Text &text) {
    std::string svg = svg_text(left, kPictureTop - 10.0, "start", title);
    for (size_t y = 0; y < belief.down_values.size(); y++) {
        for (size_t x = 0; x < belief.across_values.size(); x++) {
            const auto &prediction = belief.predictions[y * belief.across_values.size() + x];
            if (prediction) {
                svg += rectangle(left + kCell * static_cast<double>(x),
                                 kPictureTop + kCell * static_cast<double>(y), kCell - 1.0,
                                 kCell - 1.0, shade(share(*prediction)),
                                 fmt::format("{} {}, {} {}: {}", belief.across,
                                             value_text(belief.across_values[x]), belief.down,
                                             value_text(belief.down_values[y]), text(*prediction)));
            }
        }
        svg += svg_text(left - 6.0, kPictureTop + kCell * static_cast<double>(y) + 15.0, "end",
                        value_text(belief.down_values[y]));
    }
    const double bottom = kPictureTop + kCell * static_cast<double>(belief.down_values.size());
    for (size_t x = 0; x < belief.across_values.size(); x++) {
        svg += svg_text(left + kCell * (static_cast<double>(x) + 0.5), bottom + 14.0, "middle",
                        value_text(belief.across_values[x]));
    }
    return svg + svg_text(left, bottom + 32.0, "start",
                          belief.across + " across, " + belief.down + " down");
}

}  // namespace

std::string belief_picture(const Belief &belief) {
    double unsure = 0.0;
    for (const auto &prediction : belief.predictions) {
        unsure = std::max(unsure, prediction ? prediction->deviation : 0.0);
    }
    const double table = kCell * static_cast<double>(belief.across_values.size());
    std::string svg = cells(
        belief, kPictureLeft, "throughput that is expected",
        [](const Prediction &p) { return p.mean; },
        [](const Prediction &p) {
            return fmt::format("{:.3f} of that of the fastest known nest", p.mean);
        });
    double width = kPictureLeft + std::max(table, 220.0) + kPictureRight;
    if (unsure > 0.0) {
        svg += cells(
            belief, width + kPictureLeft, "how unsure that is",
            [&](const Prediction &p) { return p.deviation / unsure; },
            [](const Prediction &p) { return fmt::format("{:.3f}", p.deviation); });
        width += kPictureLeft + std::max(table, 220.0) + kPictureRight;
    }
    return svg_page(
        width,
        kPictureTop + kCell * static_cast<double>(belief.down_values.size()) + kPictureBottom, svg);
}

std::string learning_curve_picture(const TuningCurve &curve) {
    constexpr double kWidth = 640.0, kHeight = 180.0;
    const std::span<const double> best = curve.best;
    std::vector<CurveForecast> forecasts;  // of the second value, ...
    double least = 1.0, most = 0.0;
    for (size_t n = 1; n <= best.size(); n++) {
        forecasts.push_back(next_of_curve(best.first(n)));
        least = std::min({least, best[n - 1], forecasts.back().low});
        most = std::max(most, best[n - 1]);
    }
    const double range = std::max(most - least, 1e-3);
    const double step =
        (kWidth - kPictureLeft - kPictureRight) / static_cast<double>(best.size() + 1);
    const auto x = [&](size_t batch) { return kPictureLeft + step * static_cast<double>(batch); };
    const auto y = [&](double ratio) {
        return kHeight - kPictureBottom -
               (ratio - least) / range * (kHeight - kPictureTop - kPictureBottom);
    };
    std::string svg;
    for (const double ratio : {least, most}) {
        svg += svg_rule({kPictureLeft, y(ratio)}, {kWidth - kPictureRight, y(ratio)});
        svg += svg_text(kPictureLeft - 8.0, y(ratio) + 4.0, "end", fmt::format("{:.3f}", ratio));
    }
    std::vector<std::pair<double, double>> line;
    for (size_t n = 0; n < best.size(); n++) {
        line.emplace_back(x(n + 1), y(best[n]));
        const CurveForecast &next = forecasts[n];
        svg += rectangle(x(n + 2) - 4.0, y(next.high), 8.0,
                         std::max(y(next.low) - y(next.high), 1.0), "#c7d6ee",
                         fmt::format("after batch {}: {:.3f} to {:.3f} is expected", n + 1,
                                     next.low, next.high));
    }
    svg += svg_polyline(line, fmt::format("stroke=\"{}\" stroke-width=\"1.5\"", kInk),
                        fmt::format("the fastest so far: {:.3f}", best.back()));
    svg += svg_text((kPictureLeft + kWidth - kPictureRight) / 2.0, kHeight - 10.0, "middle",
                    "batches; the fastest so far, and where the next value was expected");
    return svg_page(kWidth + step, kHeight, svg);
}

std::string predictions_picture(const TunedNetwork &tuned) {
    static constexpr double kSize = 320.0, kMost = 1.2;
    const auto place = [](double share) {
        return std::clamp(share, 0.0, kMost) / kMost * (kSize - kPictureLeft - kPictureRight);
    };
    std::string dots;
    for (const SearchedTask &searched : tuned.tasks) {
        for (const TriedPoint &point : searched.tried) {
            if (point.predicted && point.outcome == Outcome::Ok) {
                const double measured = searched.found.best.ratio() / point.ratio;
                dots += fmt::format(
                    "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\" fill-opacity=\"0.4\"/>\n",
                    kPictureLeft + place(*point.predicted),
                    kSize - kPictureBottom - place(measured), kInk);
            }
        }
    }
    if (dots.empty()) {
        return "";
    }
    std::string svg;
    for (const double share : {0.0, 0.5, 1.0}) {
        svg += svg_rule({kPictureLeft, kSize - kPictureBottom - place(share)},
                        {kPictureLeft + place(kMost), kSize - kPictureBottom - place(share)});
        svg += svg_text(kPictureLeft - 8.0, kSize - kPictureBottom - place(share) + 4.0, "end",
                        fmt::format("{:.1f}", share));
        svg += svg_text(kPictureLeft + place(share), kSize - kPictureBottom + 16.0, "middle",
                        fmt::format("{:.1f}", share));
    }
    svg += svg_polyline({{kPictureLeft, kSize - kPictureBottom},
                         {kPictureLeft + place(kMost), kSize - kPictureBottom - place(kMost)}},
                        "stroke=\"#a5adb8\" stroke-width=\"1\"", "as predicted");
    svg += svg_text(kPictureLeft + place(kMost) / 2.0, kSize - 6.0, "middle",
                    "predicted throughput, measured upwards");
    return svg_page(kSize, kSize, svg + dots);
}

}  // namespace emulsion
