#include "bench/explain/colours.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace emulsion {

namespace {

// One channel of the colour with `hue` in degrees, and saturation and lightness up to 1, as CSS Color 4
// (section 7.1) turns hsl into rgb: n is 0 for red, 8 for green, 4 for blue.
int channel(int n, double hue, double saturation, double lightness) {
    const double k = std::fmod(n + hue / 30.0, 12.0);
    const double a = saturation * std::min(lightness, 1.0 - lightness);
    const double value = lightness - a * std::max(-1.0, std::min({k - 3.0, 9.0 - k, 1.0}));
    return static_cast<int>(std::lround(value * 255.0));
}

std::string hex(double hue, double saturation, double lightness) {
    return fmt::format("#{:02x}{:02x}{:02x}", channel(0, hue, saturation, lightness),
                       channel(8, hue, saturation, lightness),
                       channel(4, hue, saturation, lightness));
}

}  // namespace

GroupColours colours_of(int group) {
    // The golden angle: numbers that are close get hues that are far apart.
    const double hue = std::fmod(205.0 + group * 137.508, 360.0);
    return {.fill = hex(hue, 0.62, 0.925), .line = hex(hue, 0.48, 0.44)};
}

}  // namespace emulsion
