// The picture of a roofline.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/explain/markup.h"
#include "bench/roofline/roofline.h"
#include "bench/svg.h"

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

// The limit of what is read at `bandwidth`: a slope up to the peak.
std::string roof(const Axes &axes, double peak, double bandwidth, const std::string &name) {
    const double ridge = std::min(peak / bandwidth, kMostIntensity);
    std::vector<std::pair<double, double>> points;
    constexpr int kSteps = 20;  // of a power, for the slope leaves the picture somewhere in between
    for (int step = 0; step < kSteps * (kMostPower - kLeastPower); step++) {
        const double intensity =
            kLeastIntensity * std::pow(10.0, static_cast<double>(step) / kSteps);
        if (intensity < ridge) {
            points.emplace_back(axes.x(intensity), axes.y(intensity * bandwidth));
        }
    }
    points.emplace_back(axes.x(ridge), axes.y(peak));
    points.emplace_back(axes.x(kMostIntensity), axes.y(peak));
    return svg_polyline(points, "stroke=\"#6b7480\" stroke-width=\"1.5\"", name);
}

std::string frame(const Axes &axes, const Roofline &roofline) {
    std::string svg = svg_text(
        kLeft, kTop - 20.0, "start",
        fmt::format("{}: {:.2f} ms, {:.0f} % of what the machine allows", roofline.model,
                    roofline.ms(),
                    roofline.ms() > 0.0 ? 100.0 * roofline.limit_ms() / roofline.ms() : 0.0));
    for (int power = kLeastPower; power <= kMostPower; power++) {
        const double intensity = std::pow(10.0, power);
        svg += svg_rule({axes.x(intensity), kTop}, {axes.x(intensity), kHeight - kBottom});
        svg += svg_text(axes.x(intensity), kHeight - kBottom + 18.0, "middle",
                        fmt::format("{:.3g}", intensity));
    }
    for (int below = 0; below <= kPowersBelow; below++) {
        const double rate = axes.most / std::pow(10.0, below);
        svg += svg_rule({kLeft, axes.y(rate)}, {kWidth - kRight, axes.y(rate)});
        svg += svg_text(kLeft - 8.0, axes.y(rate) + 4.0, "end", fmt::format("{:.3g}", 1e-9 * rate));
    }
    return svg +
           svg_text((kLeft + kWidth - kRight) / 2.0, kHeight - 10.0, "middle",
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
    std::string svg = frame(axes, roofline);
    for (const MachineLimits::Reading *read : {&limits.reading.front(), &limits.reading.back()}) {
        svg += roof(axes, limits.operations_per_second, read->bytes_per_second,
                    fmt::format("a buffer of {} KB", read->bytes >> 10));
    }
    for (const RooflineGroup &group : roofline.groups) {
        svg += circle(axes, roofline, group);
    }
    return svg_page(kWidth, kHeight, svg);
}

}  // namespace emulsion
