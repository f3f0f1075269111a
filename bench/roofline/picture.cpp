// The picture of a roofline.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/roofline/roofline.h"

namespace emulsion {

namespace {

constexpr double kWidth = 820.0, kHeight = 520.0;
constexpr double kLeft = 70.0, kRight = 24.0, kTop = 44.0, kBottom = 50.0;
// Operations per byte that are drawn, as powers of 10; powers of operations per second below the peak.
constexpr int kLeastPower = -2, kMostPower = 4, kPowersBelow = 4;
constexpr double kLeastIntensity = 1e-2, kMostIntensity = 1e4;

// From operations per byte and per second to the picture's coordinates, both by their logarithms.
struct Axes {
    double most = 1e12;  // operations per second at the upper end

    double x(double intensity) const {
        const double at = std::log10(std::clamp(intensity, kLeastIntensity, kMostIntensity));
        const double all = std::log10(kMostIntensity / kLeastIntensity);
        return kLeft + (at - std::log10(kLeastIntensity)) / all * (kWidth - kLeft - kRight);
    }
    double y(double rate) const {
        const double below = std::clamp(std::log10(most / std::max(rate, 1.0)), 0.0,
                                        static_cast<double>(kPowersBelow));
        return kTop + below / static_cast<double>(kPowersBelow) * (kHeight - kTop - kBottom);
    }
};

std::string text(double x, double y, const std::string &anchor, const std::string &content) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y,
                       anchor, escape_markup(content));
}

// The limit of what is read at `bandwidth`: a slope up to the peak.
std::string roof(const Axes &axes, double peak, double bandwidth, const std::string &name) {
    const double ridge = std::min(peak / bandwidth, kMostIntensity);
    std::string points;
    constexpr int kSteps = 20;  // of a power, for the slope leaves the picture somewhere in between
    for (int step = 0; step < kSteps * (kMostPower - kLeastPower); step++) {
        const double intensity =
            kLeastIntensity * std::pow(10.0, static_cast<double>(step) / kSteps);
        if (intensity < ridge) {
            points +=
                fmt::format("{:.1f},{:.1f} ", axes.x(intensity), axes.y(intensity * bandwidth));
        }
    }
    points += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f}", axes.x(ridge), axes.y(peak),
                          axes.x(kMostIntensity), axes.y(peak));
    return fmt::format("<polyline fill=\"none\" stroke=\"#6b7480\" stroke-width=\"1.5\" "
                       "points=\"{}\"><title>{}</title></polyline>\n",
                       points, escape_markup(name));
}

std::string frame(const Axes &axes, const Roofline &roofline) {
    std::string svg =
        text(kLeft, kTop - 20.0, "start",
             fmt::format("{}: {:.2f} ms, {:.0f} % of what the machine allows", roofline.model,
                         roofline.ms(),
                         roofline.ms() > 0.0 ? 100.0 * roofline.limit_ms() / roofline.ms() : 0.0));
    for (int power = kLeastPower; power <= kMostPower; power++) {
        const double intensity = std::pow(10.0, power);
        svg += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" "
                           "stroke=\"#dde1e6\"/>\n",
                           axes.x(intensity), kTop, kHeight - kBottom);
        svg += text(axes.x(intensity), kHeight - kBottom + 18.0, "middle",
                    fmt::format("{:.3g}", intensity));
    }
    for (int below = 0; below <= kPowersBelow; below++) {
        const double rate = axes.most / std::pow(10.0, below);
        svg += fmt::format("<line x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" "
                           "stroke=\"#dde1e6\"/>\n",
                           kLeft, kWidth - kRight, axes.y(rate));
        svg += text(kLeft - 8.0, axes.y(rate) + 4.0, "end", fmt::format("{:.3g}", 1e-9 * rate));
    }
    return svg +
           text((kLeft + kWidth - kRight) / 2.0, kHeight - 10.0, "middle",
                "operations per byte read or written; 10^9 operations per second; circles are "
                "as large as times");
}

std::string circle(const Axes &axes, const Roofline &roofline, const RooflineGroup &group) {
    constexpr double kLeastRadius = 2.5, kMostRadius = 22.0;
    const double share = roofline.ms() > 0.0 ? group.ms / roofline.ms() : 0.0;
    const double intensity = group.bytes > 0.0 ? group.operations / group.bytes : kMostIntensity;
    const double rate = group.ms > 0.0 ? 1e3 * group.operations / group.ms : 0.0;
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" "
        "fill-opacity=\"0.55\" stroke=\"#22303c\"><title>{}</title></circle>\n",
        axes.x(intensity), axes.y(rate), std::max(kLeastRadius, kMostRadius * std::sqrt(share)),
        group.memory_bound ? "#d98a2b" : "#1f5fbf",
        escape_markup(fmt::format("{} {}: {:.4f} ms, {:.0f} % of its limit; {}", group.launch,
                                  group.label, group.ms, 100.0 * group.share(), group.reason)));
}

}  // namespace

std::string roofline_svg(const Roofline &roofline) {
    const MachineLimits &limits = roofline.limits;
    const Axes axes{std::pow(10.0, std::ceil(std::log10(limits.operations_per_second)))};
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"white\"/>\n",
        kWidth, kHeight);
    svg += frame(axes, roofline);
    for (const MachineLimits::Reading *read : {&limits.reading.front(), &limits.reading.back()}) {
        svg += roof(axes, limits.operations_per_second, read->bytes_per_second,
                    fmt::format("a buffer of {} KB", read->bytes >> 10));
    }
    for (const RooflineGroup &group : roofline.groups) {
        svg += circle(axes, roofline, group);
    }
    return svg + "</svg>\n";
}

}  // namespace emulsion
