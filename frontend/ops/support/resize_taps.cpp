// The arithmetic of Resize: coordinates and weights.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/resize.h"

namespace emulsion {

namespace {

// Where the centre of element `x` of the result lies in the operand, in the precision of T.
template<typename T>
class SourceCoordinates {
public:
    SourceCoordinates(const OperatorContext &context, const ResizedAxis &axis)
        : mode_(context.node().text("coordinate_transformation_mode", "half_pixel")), axis_(axis),
          // Where a scale does not give a whole number of elements, the mapping keeps the fraction.
          length_(static_cast<T>(axis.scale) * static_cast<T>(axis.input)) {}

    T operator()(int64_t at) const {
        const T x = static_cast<T>(at);
        const T scale = static_cast<T>(axis_.scale);
        const T half = static_cast<T>(0.5);
        const T last = static_cast<T>(axis_.input - 1);
        if (mode_ == "asymmetric") {
            return x / scale;
        }
        if (mode_ == "align_corners") {
            return length_ == 1 || axis_.output == 1 ? T{0} : x * last / (length_ - 1);
        }
        if (mode_ == "tf_half_pixel_for_nn") {
            return (x + half) / scale;
        }
        if (mode_ == "pytorch_half_pixel" && axis_.output == 1) {
            return 0;
        }
        if (mode_ == "half_pixel_symmetric") {
            const T centre = static_cast<T>(axis_.input) / 2;
            const T offset = centre * (1 - static_cast<T>(axis_.output) / length_);
            return offset + (x + half) / scale - half;
        }
        if (mode_ == "tf_crop_and_resize") {
            const T start = static_cast<T>(axis_.roi_start);
            const T end = static_cast<T>(axis_.roi_end);
            return length_ == 1 || axis_.output == 1
                       ? half * (start + end) * last
                       : start * last + x * (end - start) * last / (length_ - 1);
        }
        return (x + half) / scale - half;
    }

private:
    std::string mode_;
    const ResizedAxis &axis_;
    T length_;
};

// Coordinates so close to the middle of two elements are ties, as in ONNX Runtime: a scale that single
// precision has to round (7 -> 4) moves them by less.
constexpr float kTie = 1e-6F;

// In single precision, because ties are decided there in ONNX Runtime.
int nearest(float coordinate, const std::string &mode) {
    const float below = std::floor(coordinate);
    const float fraction = coordinate - below;
    const bool tie = std::abs(fraction - 0.5F) <= kTie;
    const bool up = mode == "ceil"    ? fraction > 0.0F
                    : mode == "floor" ? false
                    : tie             ? mode == "round_prefer_ceil"
                                      : fraction > 0.5F;
    return static_cast<int>(below) + (up ? 1 : 0);
}

// Weight of an element at `distance` from the wanted point.
double linear_filter(double distance) { return std::max(0.0, 1.0 - std::abs(distance)); }

// Keys, "Cubic convolution interpolation for digital image processing" (1981), with parameter a.
double cubic_filter(double distance, double a) {
    const double d = std::abs(distance);
    if (d <= 1.0) {
        return ((a + 2.0) * d - (a + 3.0)) * d * d + 1.0;
    }
    return d < 2.0 ? ((a * d - 5.0 * a) * d + 8.0 * a) * d - 4.0 * a : 0.0;
}

// Weights are kept in tables of this size at most, and positions in 32 bits.
constexpr int64_t kLargestTable = int64_t{1} << 24;
constexpr int64_t kLargestExtent = int64_t{1} << 30;

struct Filter {
    bool cubic = false;
    double a = -0.75;
    double stretch = 1.0;  // below 1: the filter is widened, to smooth what is made smaller
    bool exclude_outside = false;
    bool normalize = false;

    // Elements on each side of a point that it may reach.
    int64_t reach() const { return static_cast<int64_t>(std::ceil((cubic ? 2.0 : 1.0) / stretch)); }
    double weight(double distance) const {
        return cubic ? cubic_filter(distance * stretch, a) : linear_filter(distance * stretch);
    }
};

Filter filter_of(const OperatorContext &context, const ResizedAxis &axis) {
    const Node &node = context.node();
    Filter filter;
    filter.cubic = node.text("mode", "nearest") == "cubic";
    filter.a = node.real("cubic_coeff_a", -0.75);
    filter.exclude_outside = node.integer("exclude_outside", 0) != 0;
    if (node.integer("antialias", 0) != 0) {
        filter.stretch = std::min(1.0, axis.scale);
        filter.normalize = true;
    }
    return filter;
}

void add_weights(const Filter &filter, const ResizedAxis &axis, double coordinate,
                 ResizeTaps &taps) {
    const int64_t first = taps.first.back();
    std::vector<double> weights;
    double sum = 0.0;
    for (int64_t k = 0; k < taps.taps; k++) {
        const int64_t element = first + k;
        const bool outside = element < 0 || element >= axis.input;
        weights.push_back(filter.exclude_outside && outside
                              ? 0.0
                              : filter.weight(static_cast<double>(element) - coordinate));
        sum += weights.back();
    }
    const bool divide = (filter.normalize || filter.exclude_outside) && sum != 0.0;
    for (const double weight : weights) {
        taps.weights.push_back(divide ? weight / sum : weight);
    }
}

// Where tf_crop_and_resize reads the operand and not beyond: coordinates rise or fall with x.
template<typename T>
void find_inside(const OperatorContext &context, const ResizedAxis &axis,
                 const SourceCoordinates<T> &coordinates, ResizeTaps &taps) {
    taps.inside_end = axis.output;
    if (context.node().text("coordinate_transformation_mode", "half_pixel") !=
        "tf_crop_and_resize") {
        return;
    }
    const auto outside = [&](int64_t x) {
        const T coordinate = coordinates(x);
        return coordinate < 0 || coordinate > static_cast<T>(axis.input - 1);
    };
    while (taps.inside_begin < axis.output && outside(taps.inside_begin)) {
        taps.inside_begin++;
    }
    while (taps.inside_end > taps.inside_begin && outside(taps.inside_end - 1)) {
        taps.inside_end--;
    }
}

void require_table(const OperatorContext &context, const ResizedAxis &axis, int64_t taps) {
    if (axis.input > kLargestExtent || axis.output > kLargestTable / taps) {
        refuse(context, fmt::format("axis {} is resized from {} to {} elements with {} taps each; "
                                    "at most {} weights are supported",
                                    axis.axis, axis.input, axis.output, taps, kLargestTable));
    }
}

}  // namespace

ResizeTaps resize_taps(const OperatorContext &context, const ResizedAxis &axis) {
    ResizeTaps taps;
    if (context.node().text("mode", "nearest") == "nearest") {
        require_table(context, axis, 1);
        const SourceCoordinates<float> coordinates(context, axis);
        const auto last = static_cast<float>(axis.input - 1);
        const std::string mode = context.node().text("nearest_mode", "round_prefer_floor");
        for (int64_t x = 0; x < axis.output; x++) {
            const int at = nearest(std::clamp(coordinates(x), 0.0F, last), mode);
            taps.first.push_back(std::min(at, static_cast<int>(axis.input) - 1));
        }
        find_inside(context, axis, coordinates, taps);
        return taps;
    }
    const SourceCoordinates<double> coordinates(context, axis);
    const Filter filter = filter_of(context, axis);
    taps.taps = 2 * filter.reach();
    require_table(context, axis, taps.taps);
    // Farther outside every tap reads the border. Linear interpolation says nothing new beyond it.
    const bool plain_linear = !filter.cubic && !filter.normalize;
    const double beyond = plain_linear ? 0.0 : static_cast<double>(taps.taps);
    for (int64_t x = 0; x < axis.output; x++) {
        const double coordinate =
            std::clamp(coordinates(x), -beyond, static_cast<double>(axis.input - 1) + beyond);
        const auto below = static_cast<int64_t>(std::floor(coordinate));
        taps.first.push_back(static_cast<int>(below - filter.reach() + 1));
        add_weights(filter, axis, coordinate, taps);
    }
    find_inside(context, axis, coordinates, taps);
    return taps;
}

}  // namespace emulsion
