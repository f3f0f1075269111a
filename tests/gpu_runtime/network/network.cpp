#include "tests/gpu_runtime/network/network.h"

#include <cstring>
#include <random>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace emulsion::runtime {

namespace {

constexpr int64_t kShape[] = {kRows, kColumns};
constexpr int64_t kBiasShape[] = {kColumns};
constexpr int64_t kScaleShape[] = {kScales};
constexpr int kF32 = 0;
constexpr int kU8 = 6;

constexpr EmulsionTensor kX = {"x", kF32, 2, kShape};
constexpr EmulsionTensor kScale = {"scale", kU8, 1, kScaleShape};
constexpr EmulsionTensor kPadded = {"padded", kF32, 2, kShape};
constexpr EmulsionTensor kZ = {"z", kF32, 2, kShape};
constexpr EmulsionTensor kQ = {"q", kF32, 2, kShape};
constexpr EmulsionTensor kBias = {"bias", kF32, 1, kBiasShape};
constexpr EmulsionTensor kInputs[] = {kX, kScale};
constexpr EmulsionTensor kOutputs[] = {kZ, kQ, kBias};

constexpr EmulsionDimension kDense[] = {{0, kRows, kColumns, 0}, {0, kColumns, 1, 0}};
constexpr EmulsionDimension kInterior[] = {{0, kRows, kPitch, 0}, {0, kColumns, 1, 0}};
constexpr EmulsionDimension kWhole[] = {{-1, kRows + 2, kPitch, 0}, {-1, kPitch, 1, 0}};
constexpr EmulsionDimension kRow[] = {{0, kColumns, 1, 0}};
constexpr EmulsionDimension kScaleRow[] = {{0, kScales, 1, 0}};

// The arena: 96 bytes each of x, z and q, 5 of scale, 24 of the third output, and the padded tensor.
constexpr int64_t kDeviceInputs[] = {0, 128};
constexpr int64_t kDeviceOutputs[] = {192, 704, 832};
constexpr int64_t kPaddedOffset = 320;
constexpr int64_t kInteriorOffset = kPaddedOffset + (kPitch + 1) * 4;
constexpr int64_t kQOffset = 576;
constexpr int64_t kArenaBytes = 896;

enum View { kXView, kBiasView, kWholeView, kInteriorView, kZView, kScaleView, kQView };
constexpr EmulsionView kViews[] = {
    {EMULSION_INPUT, 0, 0, 2, 32, 2, 4, -1, 1, kDense, &kX},
    {EMULSION_WEIGHTS, 0, 0, 2, 32, 1, 4, -1, 1, kRow, &kBias},
    {EMULSION_ARENA, 0, kPaddedOffset, 2, 32, 2, 4, -1, 1, kWhole, &kPadded},
    {EMULSION_ARENA, 0, kInteriorOffset, 2, 32, 2, 4, -1, 1, kInterior, &kPadded},
    {EMULSION_OUTPUT, 0, 0, 2, 32, 2, 4, -1, 1, kDense, &kZ},
    {EMULSION_INPUT, 1, 0, 1, 8, 1, 1, -1, 1, kScaleRow, &kScale},
    {EMULSION_ARENA, 0, kQOffset, 2, 32, 2, 4, -1, 1, kDense, &kQ},
};
constexpr int64_t kMargin[] = {1, 1};
constexpr EmulsionFill kFill = {kWholeView, kMargin, kMargin, 0x40E00000, 1};  // 7
constexpr int32_t kAddViews[] = {kXView, kBiasView, kInteriorView};
constexpr int32_t kSumViews[] = {kWholeView, kZView};
constexpr int32_t kSquareViews[] = {kZView, kScaleView, kQView};
constexpr EmulsionCopy kCopies[] = {{kQView, 1, 96}, {kBiasView, 2, 24}};

}  // namespace

int run_unit(const DeviceCode &code, void **state, const char *kernel, void **arguments,
             int buffers) {
    void *context = arguments[0];
    int error = code.initialize(context, state);
    if (error != 0) {
        return error;
    }
    size_t sizes[4] = {};
    int8_t is_buffer[4] = {};
    for (int i = 0; i < buffers && error == 0; i++) {
        sizes[i] = sizeof halide_buffer_t::device;
        is_buffer[i] = 1;
        auto *buffer = static_cast<halide_buffer_t *>(arguments[i + 1]);
        error = halide_copy_to_device(context, buffer, code.interface());
    }
    auto *output = static_cast<halide_buffer_t *>(arguments[buffers]);
    if (error == 0) {
        error = halide_device_malloc(context, output, code.interface());
    }
    if (error == 0) {
        error =
            code.run(context, *state, kernel, kRows * kColumns, sizes, arguments + 1, is_buffer);
    }
    if (error == 0) {
        output->set_device_dirty();
    }
    code.finalize(context, *state);
    return error;
}

Network::Network(const EmulsionGpu *gpu, const std::array<Unit, 3> &units)
    : launches_{{units[0], "add", 3, kAddViews, 1, &kFill},
                {units[1], "sum", 2, kSumViews, 0, nullptr},
                {units[2], "square", 3, kSquareViews, 0, nullptr}},
      offload_{.gpu = gpu,
               .chips = nullptr,
               .inputs = kDeviceInputs,
               .outputs = kDeviceOutputs,
               .weights_bytes = sizeof weights_ - sizeof(EmulsionWeightsHeader),
               .fallback = nullptr} {
    for (int i = 0; i < kColumns; i++) {
        bias_[static_cast<size_t>(i)] = static_cast<float>(i * i - 3);
    }
    EmulsionWeightsHeader header = {};
    std::memset(weights_, 0, sizeof weights_);
    std::memcpy(weights_ + sizeof header, bias_.data(), sizeof bias_);
    const XXH128_hash_t hash = XXH3_128bits(weights_ + sizeof header, sizeof header);
    std::memcpy(header.magic, EMULSION_WEIGHTS_MAGIC, sizeof header.magic);
    header.version = EMULSION_WEIGHTS_VERSION;
    header.content_bytes = sizeof weights_ - sizeof header;
    header.hash[0] = hash.high64;
    header.hash[1] = hash.low64;
    std::memcpy(weights_, &header, sizeof header);
    program_ = {.input_count = 2,
                .output_count = 3,
                .view_count = std::size(kViews),
                .launch_count = 3,
                .copy_count = 2,
                .default_threads = 1,
                .inputs = kInputs,
                .outputs = kOutputs,
                .views = kViews,
                .launches = launches_,
                .copies = kCopies,
                .offload = &offload_,
                .arena_bytes = kArenaBytes,
                .live_bytes = kArenaBytes,
                .weights_bytes = header.content_bytes,
                .weights_hash = {hash.high64, hash.low64}};
}

Inputs::Inputs(unsigned seed) {
    std::minstd_rand random(seed + 1);
    for (float &element : x) {
        element = static_cast<float>(random() % 64);
    }
    for (uint8_t &element : scale) {
        element = static_cast<uint8_t>(random() % 8);
    }
}

namespace {

size_t index(int row, int column) {
    return static_cast<size_t>(row) * kColumns + static_cast<size_t>(column);
}

}  // namespace

Outputs expected(const Network &network, const Inputs &inputs) {
    const auto padded = [&](int i, int j) {
        return i < 0 || i >= kRows || j < 0 || j >= kColumns
                   ? kHalo
                   : inputs.x[index(i, j)] + network.bias()[index(0, j)];
    };
    Outputs outputs;
    for (int i = 0; i < kRows; i++) {
        for (int j = 0; j < kColumns; j++) {
            const size_t at = index(i, j);
            outputs.z[at] =
                padded(i - 1, j) + padded(i + 1, j) + padded(i, j - 1) + padded(i, j + 1);
            outputs.q[at] = outputs.z[at] * outputs.z[at] * inputs.scale[2];
        }
    }
    outputs.bias = network.bias();
    return outputs;
}

int run(EmulsionContext *context, const Inputs &inputs, Outputs *outputs, EmulsionObserver observer,
        void *user) {
    const void *const from[] = {inputs.x.data(), inputs.scale.data()};
    void *const to[] = {outputs->z.data(), outputs->q.data(), outputs->bias.data()};
    return emulsion_run(context, from, to, observer, user);
}

void see(const EmulsionEvent *event, void *user) {
    Seen seen = {event->label, event->seconds, {}};
    const auto *data = static_cast<const float *>(event->data);
    for (int64_t i = 0; i < event->tensor.shape[0]; i++) {
        for (int64_t j = 0; j < event->tensor.shape[1]; j++) {
            seen.elements.push_back(data[i * event->strides[0] + j * event->strides[1]]);
        }
    }
    static_cast<std::vector<Seen> *>(user)->push_back(seen);
}

}  // namespace emulsion::runtime
