#include "bench/output_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/element_type.h"

namespace emulsion {

OutputSummary summarise_output(const Array &array) {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    OutputSummary summary{.min = kNothing, .max = kNothing, .mean = kNothing};
    const size_t count = array.bytes.size() / static_cast<size_t>(size_of(array.type));
    long double sum = 0.0;
    with_element_type(array.type, [&](auto zero) {
        for (size_t i = 0; i < count; i++) {
            const auto value = static_cast<double>(element<decltype(zero)>(array, i));
            if (i < kFirstElements) {
                summary.first.push_back(value);
            }
            if (std::isnan(value)) {
                summary.nans++;
                continue;
            }
            summary.min = std::fmin(summary.min, value);  // of a NaN and a number the number
            summary.max = std::fmax(summary.max, value);
            sum += value;
        }
    });
    if (count > summary.nans) {
        summary.mean = static_cast<double>(sum / static_cast<long double>(count - summary.nans));
    }
    return summary;
}

std::string describe_output(const std::string &name, const Array &array) {
    const OutputSummary summary = summarise_output(array);
    const size_t count = array.bytes.size() / static_cast<size_t>(size_of(array.type));
    std::string text = fmt::format("{}  {}", name, describe(array.type, array.shape));
    if (count == 0) {
        return text + "  no elements";
    }
    text += fmt::format("  min {:.6g}, max {:.6g}, mean {:.6g}", summary.min, summary.max,
                        summary.mean);
    if (summary.nans > 0) {
        text += fmt::format(", {} NaN", summary.nans);
    }
    return text + fmt::format("; {:.6g}{}", fmt::join(summary.first, ", "),
                              count > summary.first.size() ? ", ..." : "");
}

}  // namespace emulsion
