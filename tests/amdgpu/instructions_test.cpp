// That the generators of dot4_convolution and half_convolution come out with the instructions that they
// are for, and with the right numbers.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "backend/amdgpu/disassembly.h"
#include "backend/amdgpu/module.h"
#include "fusion/chips.h"

namespace emulsion {

using Halide::Buffer;
using Halide::GeneratorParamsMap;
using Halide::Target;
using Halide::Internal::AbstractGeneratorPtr;

namespace {

AbstractGeneratorPtr make_generator(const std::string &name, const GeneratorParamsMap &params,
                                    const Target &target) {
    AbstractGeneratorPtr generator = Halide::Internal::get_registered_generators().create(
        name, Halide::GeneratorContext(target));
    generator->set_generatorparam_values(params);
    return generator;
}

struct KernelMix {
    std::string chip;
    InstructionMix mix;  // of the hottest loop
};

// Of every chip; findings are failures.
std::vector<KernelMix> mixes(const std::string &name, const GeneratorParamsMap &params) {
    const AbstractGeneratorPtr generator =
        make_generator(name, params, Target("x86-64-linux-opencl-no_runtime-cl_half"));
    std::vector<std::string> chips;
    for (const Chip &chip : all_chips()) {
        chips.push_back(chip.name);
    }
    const HipModule hip = rewrite_for_hip(generator->build_module(name), chips);
    std::vector<KernelMix> result;
    for (const ChipCode &chip : hip.chips) {
        for (const Finding &finding : chip.findings) {
            ADD_FAILURE() << name << ": " << finding.sentence;
        }
        const std::vector<KernelDisassembly> kernels = disassemble(chip.code);
        EXPECT_EQ(1u, kernels.size()) << name;
        EXPECT_TRUE(kernels[0].hottest_is_loop) << name << " " << chip.chip;
        EXPECT_EQ(0, kernels[0].whole.scratch_accesses) << name << " " << chip.chip;
        result.push_back({chip.chip, kernels[0].hottest});
    }
    return result;
}

constexpr double kShare = 0.95;  // of the multiply-adds, by the instructions meant for them

void expect_dots(const std::string &name, const GeneratorParamsMap &params, int per_instruction) {
    for (const KernelMix &kernel : mixes(name, params)) {
        const InstructionMix &mix = kernel.mix;
        EXPECT_GT(mix.dots, 0) << name << " " << kernel.chip;
        EXPECT_GE(mix.dots, kShare * (mix.multiply_adds() + mix.integer_multiply_adds))
            << name << " " << kernel.chip;
        // Most instructions of the loop are those: operands come in lanes as they are.
        EXPECT_GE(mix.dots / per_instruction, 0.65 * mix.instructions)
            << name << " " << kernel.chip;
    }
}

int8_t byte(int i) { return static_cast<int8_t>(i * 97 % 251 - 125); }

// Buffers of bytes and what they are in lanes of four.
Buffer<int32_t> lanes_of(const std::vector<int8_t> &bytes, const std::vector<int> &extents) {
    Buffer<int32_t> lanes(extents);
    std::memcpy(lanes.data(), bytes.data(), bytes.size());
    lanes.set_host_dirty();
    return lanes;
}

std::vector<int8_t> some_bytes(int count, int seed) {
    std::vector<int8_t> bytes(static_cast<size_t>(count));
    for (int i = 0; i < count; i++) {
        bytes[static_cast<size_t>(i)] = byte(i + seed);
    }
    return bytes;
}

struct Shape {
    int in_channels, out_channels, width, height, batch, kernel, stride;
};

GeneratorParamsMap params_of(const Shape &shape) {
    return {{"in_channels", std::to_string(shape.in_channels)},
            {"out_channels", std::to_string(shape.out_channels)},
            {"width", std::to_string(shape.width)},
            {"height", std::to_string(shape.height)},
            {"batch", std::to_string(shape.batch)},
            {"kernel", std::to_string(shape.kernel)},
            {"stride", std::to_string(shape.stride)}};
}

// Runs it through OpenCL where the tests run, and compares every element with plain loops.
void expect_right_numbers(const Shape &s, bool requantise) {
    GeneratorParamsMap params = params_of(s);
    params["requantise"] = requantise ? "true" : "false";
    params["columns"] = "3";
    const int pad = (s.kernel - 1) / 2, wide = s.width * s.stride + 2 * pad,
              high = s.height * s.stride + 2 * pad, quads = s.in_channels / 4;
    const std::vector<int8_t> image = some_bytes(s.in_channels * wide * high * s.batch, 1),
                              filter = some_bytes(
                                  s.in_channels * s.out_channels * s.kernel * s.kernel, 5);
    Buffer<int32_t> input = lanes_of(image, {quads, wide, high, s.batch}),
                    weights = lanes_of(filter, {s.out_channels, quads, s.kernel, s.kernel}),
                    bias(s.out_channels);
    Buffer<float> scale(s.out_channels);
    for (int c = 0; c < s.out_channels; c++) {
        bias(c) = 1000 * c - 7;
        scale(c) = static_cast<float>(1 + c % 5) / 4096.0F;
    }
    bias.set_host_dirty();
    scale.set_host_dirty();
    input.translate({0, -pad, -pad, 0});
    const std::vector<int> extents{s.out_channels, s.width, s.height, s.batch};
    Buffer<> output(requantise ? Halide::Int(8) : Halide::Int(32), extents);
    const AbstractGeneratorPtr generator = make_generator(
        "dot4_convolution", params, Halide::get_host_target().with_feature(Target::OpenCL));
    const Halide::Callable run = generator->compile_to_callable();
    ASSERT_EQ(0, requantise ? run(input, weights, bias, scale, output)
                            : run(input, weights, bias, output));
    output.copy_to_host();
    const auto expected = [&](int c, int x, int y, int n) {
        int sum = bias(c);
        for (int k = 0; k < s.kernel * s.kernel * s.in_channels; k++) {
            const int channel = k % s.in_channels, tap = k / s.in_channels;
            const int column = x * s.stride + tap % s.kernel, row = y * s.stride + tap / s.kernel;
            const int pixel = column + wide * (row + high * n);
            const int lane = c + s.out_channels * (channel / 4 + quads * tap);
            sum += image[static_cast<size_t>(channel) +
                         static_cast<size_t>(s.in_channels) * static_cast<size_t>(pixel)] *
                   filter[4 * static_cast<size_t>(lane) + static_cast<size_t>(channel % 4)];
        }
        if (requantise) {
            const float scaled = std::nearbyint(static_cast<float>(sum) * scale(c));
            return static_cast<int>(std::fmin(std::fmax(scaled, -128.0F), 127.0F));
        }
        return sum;
    };
    int wrong = 0;
    for (int i = 0; i < s.out_channels * s.width * s.height * s.batch; i++) {
        const int c = i % s.out_channels, x = i / s.out_channels % s.width,
                  y = i / s.out_channels / s.width % s.height,
                  n = i / s.out_channels / s.width / s.height;
        const int actual =
            requantise ? Buffer<int8_t>(output)(c, x, y, n) : Buffer<int32_t>(output)(c, x, y, n);
        wrong += actual != expected(c, x, y, n) ? 1 : 0;
    }
    EXPECT_EQ(0, wrong) << s.in_channels << " " << s.out_channels << " " << s.kernel;
}

}  // namespace

TEST(Instructions, BytesAreMultipliedByDot4) {
    expect_dots("dot4_convolution", {}, 4);
    expect_dots("dot4_convolution", {{"requantise", "false"}}, 4);
    expect_dots("dot4_convolution", {{"kernel", "1"}, {"in_channels", "256"}}, 4);
    expect_dots("dot4_convolution",
                {{"kernel", "1"}, {"height", "1"}, {"width", "512"}, {"out_channels", "512"}}, 4);
}

TEST(Instructions, HalvesAreMultipliedByDot2IntoFloats) {
    expect_dots("half_convolution", {}, 2);
    expect_dots("half_convolution", {{"kernel", "1"}, {"in_channels", "256"}}, 2);
}

TEST(Instructions, HalvesAreMultipliedInPairsIntoHalves) {
    for (const char *kernel : {"1", "3"}) {
        for (const KernelMix &k :
             mixes("half_convolution", {{"sums", "half"}, {"kernel", kernel}})) {
            EXPECT_GT(k.mix.packed, 0) << k.chip;
            EXPECT_GE(k.mix.packed, kShare * k.mix.multiply_adds()) << k.chip;
        }
    }
}

TEST(Instructions, ProductsOfBytesAreRight) {
    // What the prelude has for the chips. Read once, when the first pipeline is compiled for OpenCL.
    const char *const dot4 = "-Demulsion_dot4(a,b,c)=((c)+(((a)<<24)>>24)*(((b)<<24)>>24)"
                             "+(((a)<<16)>>24)*(((b)<<16)>>24)+(((a)<<8)>>24)*(((b)<<8)>>24)"
                             "+((a)>>24)*((b)>>24))";
    ASSERT_EQ(0, setenv("HL_OCL_BUILD_OPTIONS", dot4, 1));
    expect_right_numbers({16, 8, 12, 8, 1, 3, 1}, true);
    expect_right_numbers({16, 8, 12, 8, 1, 3, 1}, false);
    expect_right_numbers({20, 68, 13, 5, 2, 1, 1}, true);
    expect_right_numbers({4, 12, 7, 9, 1, 3, 2}, false);
    expect_right_numbers({32, 64, 29, 1, 1, 1, 1}, false);  // a matrix product
    unsetenv("HL_OCL_BUILD_OPTIONS");
}

}  // namespace emulsion
