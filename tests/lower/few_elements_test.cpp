// Elements are the same as compiled code computes, or they are left to that.
#include "frontend/lower/few_elements.h"

#include <gtest/gtest.h>

#include <cstring>

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

// What compiled code says, as bytes.
template<typename T>
std::vector<std::byte> compiled(Func f, const std::vector<int> &extents) {
    // Row-major: the last axis lies element beside element.
    std::vector<int> order;
    for (size_t i = extents.size(); i-- > 0;) {
        order.push_back(static_cast<int>(i));
    }
    Buffer<T> out(extents, order);
    f.output_buffer().dim(0).set_stride(Expr());
    f.realize(out);
    std::vector<std::byte> bytes(out.number_of_elements() * sizeof(T));
    std::memcpy(bytes.data(), out.data(), bytes.size());
    return bytes;
}

class FewElements : public testing::Test {
protected:
    FewElements() {
        for (int i = 0; i < 12; i++) {
            numbers(i) = (i - 5) * 1'000'000'007LL;
        }
        image.set(numbers);
    }

    template<typename T>
    void expect_same(const Func &f, const std::vector<int> &extents) {
        const auto found = few_elements(f, {extents.begin(), extents.end()});
        ASSERT_TRUE(found);
        EXPECT_EQ(compiled<T>(f, extents), *found);
    }

    const Var x{"x"}, y{"y"};
    Buffer<int64_t> numbers{12};
    ImageParam image{Halide::Int(64), 1};
};

}  // namespace

TEST_F(FewElements, OfArithmeticOnBuffers) {
    Func f;
    const Expr n = image(x);
    f(x) = Halide::select(n < 0, -n / 3, n % 7) - cast<int64_t>(x) * 2;
    expect_same<int64_t>(f, {12});
}

TEST_F(FewElements, OfFuncsThatReadOthersAcross) {
    Func turned, f;
    turned(x, y) = image(Halide::clamp(y * 4 + x, 0, 11));
    f(x, y) = turned(y, x) + turned(3 - y, x);
    expect_same<int64_t>(f, {3, 4});
}

TEST_F(FewElements, OfNarrowTypes) {
    Func flags, bytes, words;
    flags(x) = image(x) > 0;
    bytes(x) = cast<uint8_t>(image(x));
    words(x) = cast<int16_t>(image(x));
    expect_same<bool>(flags, {12});
    expect_same<uint8_t>(bytes, {12});
    expect_same<int16_t>(words, {12});
}

// A gather of a gather: places that are known only when the first is.
TEST_F(FewElements, OfPlacesThatAreValues) {
    Func places, f;
    places(x) = cast<int>(11 - x);
    f(x) = image(places(Halide::clamp(places(x), 0, 11)));
    expect_same<int64_t>(f, {12});
}

TEST_F(FewElements, WhatIsNotSelectedIsNotRead) {
    Func f;
    f(x) = Halide::select(x >= 2 && x < 14, image(x - 2), cast<int64_t>(-1));
    const auto found = few_elements(f, {16});
    ASSERT_TRUE(found);
    int64_t first = 0, third = 0;
    std::memcpy(&first, found->data(), sizeof first);
    std::memcpy(&third, found->data() + 2 * sizeof third, sizeof third);
    EXPECT_EQ(-1, first);
    EXPECT_EQ(numbers(0), third);
}

TEST_F(FewElements, LeavesToCompiledCodeWhatItDoesNotKnow) {
    Func sum, real, beyond, large, overflow;
    const Halide::RDom r(0, 12);
    sum(x) = cast<int64_t>(0);
    sum(x) += image(r);
    real(x) = cast<float>(image(x));
    beyond(x) = image(x + 1);
    large(x) = x;
    const Expr high = cast<int64_t>(1 << 30) * cast<int64_t>(1 << 30);
    overflow(x) = (image(x) * high) * (image(x) * high);
    EXPECT_FALSE(few_elements(sum, {2}));
    EXPECT_FALSE(few_elements(real, {2}));
    EXPECT_FALSE(few_elements(beyond, {12}));
    EXPECT_FALSE(few_elements(large, {257}));
    EXPECT_FALSE(few_elements(overflow, {12}));
    ImageParam without(Halide::Int(64), 1);
    Func unknown;
    unknown(x) = without(x);
    EXPECT_FALSE(few_elements(unknown, {2}));
}

}  // namespace emulsion
