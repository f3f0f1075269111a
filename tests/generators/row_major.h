// Buffers as graph generators have them: dimension i is axis i, elements dense and row-major.
#pragma once

#include <HalideBuffer.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace emulsion {

// Of Halide's own buffers: an output that the pipeline reads again is loaded in aligned vectors.
template<typename T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{128};

    AlignedAllocator() = default;
    template<typename U>
    explicit AlignedAllocator(const AlignedAllocator<U> &) {}
    T *allocate(size_t count) {
        return static_cast<T *>(::operator new(count * sizeof(T), kAlignment));
    }
    void deallocate(T *block, size_t) { ::operator delete(block, kAlignment); }
    bool operator==(const AlignedAllocator &) const = default;
};

struct RowMajor {
    std::vector<int> shape;
    std::vector<float, AlignedAllocator<float>> data;

    explicit RowMajor(std::vector<int> extents)
        : shape(std::move(extents)), data(static_cast<size_t>(std::accumulate(
                                         shape.begin(), shape.end(), 1, std::multiplies<>()))) {}
    RowMajor(std::vector<int> extents, unsigned seed) : RowMajor(std::move(extents)) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> value(-1.0F, 1.0F);
        for (float &f : data) {
            f = value(random);
        }
    }

    float at(const std::vector<int> &index) const {
        size_t position = 0;
        for (size_t i = 0; i < shape.size(); i++) {
            position = position * static_cast<size_t>(shape[i]) + static_cast<size_t>(index[i]);
        }
        return data[position];
    }

    Halide::Runtime::Buffer<float> buffer() {
        std::vector<halide_dimension_t> dimensions(shape.size());
        int stride = 1;
        for (size_t i = shape.size(); i-- > 0;) {
            dimensions[i] = halide_dimension_t(0, shape[i], stride);
            stride *= shape[i];
        }
        return Halide::Runtime::Buffer<float>(data.data(), static_cast<int>(shape.size()),
                                              dimensions.data());
    }
};

// `expected` gives the element at an index of `actual`.
inline void expect_close(const RowMajor &actual,
                         const std::function<double(const std::vector<int> &)> &expected) {
    std::vector<int> index(actual.shape.size(), 0);
    for (const float value : actual.data) {
        const double wanted = expected(index);
        ASSERT_LE(std::abs(value - wanted), 1e-4 + 1e-3 * std::abs(wanted))
            << ::testing::PrintToString(index);
        for (size_t i = index.size(); i-- > 0 && ++index[i] == actual.shape[i];) {
            index[i] = 0;
        }
    }
}

inline std::string schedule_of(const std::string &library) {
    std::ifstream in(std::string(EMULSION_BINARY_DIR) + "/generators/" + library + ".schedule.h");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace emulsion
