// A convolution's weights w (o, c, 3, 3), transformed (support/winograd.h): U(place, c, o) is place (i, j) of G g G',
// where g = w(o, c). They are constants, so this is done when the model is compiled, in double precision.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/winograd.h"

namespace emulsion {

namespace {

constexpr size_t kTaps = kWinogradTaps, kWindow = kWinogradWindow, kPlaces = kWindow * kWindow;
// Channels of either kind that are transformed at a time: a block lies in the first cache, and its rows of one place
// are whole cache lines of the result.
constexpr size_t kBlock = 16;

using Places = std::array<double, kPlaces>;

void check_winograd_weights(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 4);
    const std::vector<int64_t> w = context.input_shape(0);
    if (w[2] != kWinogradTaps || w[3] != kWinogradTaps) {
        refuse(context, "they are not the weights of a 3 x 3 window");
    }
    require_output(context, {static_cast<int64_t>(kPlaces), w[1], w[0]});
}

// G times (a, b, c).
std::array<double, kWindow> transformed(double a, double b, double c) {
    return {a, 0.5 * (a + b + c), 0.5 * (a - b + c), c};
}

template<typename T>
Places transformed_taps(const T *taps) {
    std::array<std::array<double, kWindow>, kTaps> columns{};  // of G g
    for (size_t j = 0; j < kTaps; j++) {
        columns.at(j) = transformed(taps[j], taps[kTaps + j], taps[2 * kTaps + j]);
    }
    Places places{};
    for (size_t i = 0; i < kWindow; i++) {
        const auto row = transformed(columns[0].at(i), columns[1].at(i), columns[2].at(i));
        std::copy(row.begin(), row.end(), places.begin() + static_cast<ptrdiff_t>(i * kWindow));
    }
    return places;
}

// The block at input channel `c` and output channel `o`, of `in` and `out` channels.
template<typename T>
void transform_block(const T *weights, size_t c, size_t o, size_t in, size_t out, T *result) {
    const size_t rows = std::min(kBlock, in - c), columns = std::min(kBlock, out - o);
    std::array<T, kPlaces * kBlock * kBlock> block;  // (place, c, o); what is read of it is written
    for (size_t k = 0; k < columns; k++) {
        for (size_t i = 0; i < rows; i++) {
            const Places places =
                transformed_taps(weights + ((o + k) * in + c + i) * kTaps * kTaps);
            for (size_t place = 0; place < kPlaces; place++) {
                block[(place * kBlock + i) * kBlock + k] = static_cast<T>(places[place]);
            }
        }
    }
    for (size_t place = 0; place < kPlaces; place++) {
        for (size_t i = 0; i < rows; i++) {
            std::memcpy(result + (place * in + c + i) * out + o,
                        &block[(place * kBlock + i) * kBlock], columns * sizeof(T));
        }
    }
}

template<typename T>
std::vector<std::byte> transform(const OperatorContext &context) {
    const std::vector<int64_t> shape = context.input_shape(0);
    const auto out = static_cast<size_t>(shape[0]), in = static_cast<size_t>(shape[1]);
    std::vector<std::byte> bytes(kPlaces * in * out * sizeof(T));
    const T *const weights = context.input(0).constant->as<T>();
    T *const result = reinterpret_cast<T *>(bytes.data());
    for (size_t c = 0; c < in; c += kBlock) {
        for (size_t o = 0; o < out; o += kBlock) {
            transform_block(weights, c, o, in, out, result);
        }
    }
    return bytes;
}

std::vector<std::byte> compute_winograd_weights(const OperatorContext &context) {
    return context.input(0).type == DataType::F64 ? transform<double>(context)
                                                  : transform<float>(context);
}

}  // namespace

const Operator &onnx_winograd_weights() {
    static const Operator winograd_weights = {
        .type = "WinogradWeights",
        .domain = kOwnDomain,
        .check = check_winograd_weights,
        .compute = compute_winograd_weights,
    };
    return winograd_weights;
}

}  // namespace emulsion
