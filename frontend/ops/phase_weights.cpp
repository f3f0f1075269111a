// Weights w (ci, c, kh, kw) of a transposed convolution as those of the convolution of its phases
// (support/convolution_of_phases.h): U(((p strides[1]) + q) C + c, ci, i, j) is the tap of phase (p, q) that counts i and j
// from the last one on, w(ci, c, p + (taps - 1 - i) stride, ...), or zero where there is none.
#include <vector>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/convolution_of_phases.h"

namespace emulsion {

namespace {

std::vector<int64_t> shape_of(const OperatorContext &context) {
    const std::vector<int64_t> w = context.input_shape(0);
    const std::vector<PhaseAxis> axes = phase_axes(context);
    return {axes[0].stride * axes[1].stride * w[1], w[0], axes[0].taps(), axes[1].taps()};
}

void check_phase_weights(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    require_rank(context, 0, 4);
    const std::vector<PhaseAxis> axes = phase_axes(context);
    const std::vector<int64_t> w = context.input_shape(0);
    if (w[2] != axes[0].kernel || w[3] != axes[1].kernel) {
        refuse(context, "its weights are not those of the kernel");
    }
    require_output(context, shape_of(context));
}

template<typename T>
std::vector<std::byte> rearranged(const OperatorContext &context) {
    const std::vector<PhaseAxis> axes = phase_axes(context);
    const std::vector<int64_t> w = context.input_shape(0), u = shape_of(context);
    const T *const from = context.input(0).constant->template as<T>();
    std::vector<std::byte> bytes(static_cast<size_t>(u[0] * u[1] * u[2] * u[3]) * sizeof(T));
    T *to = reinterpret_cast<T *>(bytes.data());
    for (int64_t channel = 0; channel < u[0]; channel++) {
        const int64_t phase = channel / w[1], c = channel % w[1];
        for (int64_t ci = 0; ci < u[1]; ci++) {
            for (int64_t i = 0; i < u[2]; i++) {
                for (int64_t j = 0; j < u[3]; j++, to++) {
                    const int64_t kh = phase / axes[1].stride + (u[2] - 1 - i) * axes[0].stride;
                    const int64_t kw = phase % axes[1].stride + (u[3] - 1 - j) * axes[1].stride;
                    const bool exists = kh < w[2] && kw < w[3];
                    *to = exists ? from[((ci * w[1] + c) * w[2] + kh) * w[3] + kw] : T(0);
                }
            }
        }
    }
    return bytes;
}

std::vector<std::byte> compute_phase_weights(const OperatorContext &context) {
    return context.input(0).type == DataType::F64 ? rearranged<double>(context)
                                                  : rearranged<float>(context);
}

}  // namespace

const Operator &onnx_phase_weights() {
    static const Operator phase_weights = {
        .type = "PhaseWeights",
        .domain = kOwnDomain,
        .check = check_phase_weights,
        .compute = compute_phase_weights,
    };
    return phase_weights;
}

}  // namespace emulsion
