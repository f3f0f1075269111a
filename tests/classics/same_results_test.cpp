// The classic pipelines, small: under Gao2025 each computes bit for bit what it does under the default
// schedule, and is scheduled alike every time. Where inlining everything would take minutes, the other
// schedule stores every Func.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <regex>

#include "bench/classics/schedulers.h"

namespace emulsion::classics {

namespace {

using Halide::Buffer;
using Parameters = std::map<std::string, std::string>;

struct Case {
    std::string pipeline;
    Parameters parameters;
    std::vector<int> output;
    std::string reference = kPlain;
};

void PrintTo(const Case &c, std::ostream *out) { *out << c.pipeline; }

// Contraction and reassociation would differ from schedule to schedule.
Halide::Target strict_target() {
    return Halide::get_jit_target_from_environment().with_feature(Halide::Target::StrictFloat);
}

int64_t known(const Halide::Expr &e) { return *Halide::Internal::as_const_int(e); }

void fill(Buffer<> buffer) {
    std::mt19937 random(7);
    const auto bytes = buffer.size_in_bytes();
    if (buffer.type() == Halide::Float(32)) {
        auto *data = static_cast<float *>(buffer.data());
        for (size_t i = 0; i < bytes / sizeof(float); i++) {
            data[i] = static_cast<float>(random() >> 8) * 0x1p-24F;
        }
        return;
    }
    auto *data = static_cast<uint8_t *>(buffer.data());
    for (size_t i = 0; i < bytes; i++) {
        data[i] = static_cast<uint8_t>(random());
    }
}

// Inputs as large as estimated, scalars as estimated.
void set_inputs(Halide::Internal::AbstractGenerator &generator) {
    for (const auto &argument : generator.arginfos()) {
        if (argument.dir != Halide::Internal::ArgInfoDirection::Input) {
            continue;
        }
        Halide::Parameter parameter = generator.input_parameter(argument.name).front();
        if (!parameter.is_buffer()) {
            const Halide::Expr estimate = parameter.estimate();
            if (parameter.type() == Halide::Float(32)) {
                parameter.set_scalar(
                    static_cast<float>(*Halide::Internal::as_const_float(estimate)));
            } else {
                parameter.set_scalar(static_cast<int>(known(estimate)));
            }
            continue;
        }
        std::vector<int> extents;
        for (int d = 0; d < parameter.dimensions(); d++) {
            extents.push_back(static_cast<int>(known(parameter.extent_constraint_estimate(d))));
        }
        Buffer<> buffer(parameter.type(), extents);
        fill(buffer);
        parameter.set_buffer(buffer);
    }
}

Buffer<> result(const Case &c, const std::string &scheduler) {
    Scheduled scheduled = schedule(c.pipeline, scheduler, strict_target(), 2, c.parameters);
    set_inputs(*scheduled.generator);
    return scheduled.pipeline.realize(c.output, strict_target())[0];
}

class Classics : public testing::TestWithParam<Case> {};

TEST_P(Classics, ComputeTheSameUnderGao2025) {
    const Buffer<> ours = result(GetParam(), "Gao2025"),
                   plain = result(GetParam(), GetParam().reference);
    ASSERT_EQ(ours.size_in_bytes(), plain.size_in_bytes());
    const auto *a = static_cast<const uint8_t *>(ours.data());
    const auto *b = static_cast<const uint8_t *>(plain.data());
    int64_t different = 0;
    for (size_t i = 0; i < ours.size_in_bytes(); i++) {
        different += a[i] != b[i] ? 1 : 0;
    }
    EXPECT_EQ(0, different) << "bytes of " << ours.size_in_bytes();
}

TEST_P(Classics, AreScheduledAlikeEveryTime) {
    // Halide numbers the names that it makes up.
    const auto source = [&] {
        return std::regex_replace(
            schedule(GetParam().pipeline, "Gao2025", strict_target(), 2, GetParam().parameters)
                .source,
            std::regex("([_$]?[0-9]+)+"), "N");
    };
    const std::string once = source();
    EXPECT_EQ(once, source());
    EXPECT_NE(std::string::npos, once.find(".vectorize("));
}

class ByHand : public testing::TestWithParam<Case> {};

TEST_P(ByHand, ComputeTheSameAsStored) {
    const Buffer<> ours = result(GetParam(), kManual), stored = result(GetParam(), kStored);
    EXPECT_EQ(0, std::memcmp(ours.data(), stored.data(), stored.size_in_bytes()));
}

const Parameters kSmall{{"width", "70"}, {"height", "46"}};

Parameters small_with(const std::string &name, const std::string &value) {
    Parameters parameters = kSmall;
    parameters[name] = value;
    return parameters;
}

INSTANTIATE_TEST_SUITE_P(
    All, Classics,
    testing::Values(Case{"box_blur", kSmall, {70, 46}}, Case{"unsharp_mask", kSmall, {70, 46, 3}},
                    Case{"harris_corners", kSmall, {70, 46}},
                    Case{"camera_pipe", kSmall, {70, 46, 3}, kStored},
                    Case{"local_laplacian", small_with("octaves", "3"), {70, 46, 3}, kStored},
                    Case{"bilateral_grid", kSmall, {70, 46}},
                    Case{"histogram_equalisation", kSmall, {70, 46, 3}, kStored},
                    Case{"recursive_filter", kSmall, {70, 46, 3}},
                    Case{"non_local_means", {{"width", "40"}, {"height", "24"}}, {40, 24, 3}},
                    Case{"max_filter", small_with("radius", "5"), {70, 46, 3}},
                    Case{"matrix_product", {{"size", "50"}}, {50, 50}},
                    Case{"stencil_chain", small_with("stages", "3"), {70, 46}, kStored},
                    Case{"guided_upsampling", small_with("cell", "2"), {70, 46, 3}, kStored},
                    Case{"lens_blur", small_with("octaves", "4"), {70, 46, 3}, kStored},
                    Case{"colour_table", small_with("entries", "5"), {70, 46, 3}},
                    Case{"exposure_fusion", small_with("octaves", "3"), {70, 46, 3}, kStored},
                    Case{"difference_of_gaussians", small_with("radius", "4"), {70, 46}, kStored},
                    Case{"disc_opening", small_with("radius", "3"), {70, 46}, kStored},
                    Case{"convolution_layer",
                         {{"channels", "5"}, {"filters", "19"}, {"width", "21"}, {"height", "9"}},
                         {19, 21, 9}},
                    Case{"recursive_gaussian", kSmall, {70, 46}}),
    [](const auto &info) { return info.param.pipeline; });

// As large as one step of each schedule needs.
const Parameters kTiles{{"width", "300"}, {"height", "70"}};

INSTANTIATE_TEST_SUITE_P(
    All, ByHand,
    testing::Values(Case{"unsharp_mask", kTiles, {300, 70, 3}},
                    Case{"harris_corners", kTiles, {300, 70}},
                    Case{"difference_of_gaussians", kTiles, {300, 70}},
                    Case{"disc_opening", kTiles, {300, 70}},
                    Case{"convolution_layer",
                         {{"channels", "6"}, {"filters", "48"}, {"width", "21"}, {"height", "9"}},
                         {48, 21, 9}},
                    Case{"recursive_gaussian", kTiles, {300, 70}}),
    [](const auto &info) { return info.param.pipeline; });

}  // namespace

}  // namespace emulsion::classics
