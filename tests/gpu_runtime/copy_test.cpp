#include "runtime/gpu/copy.h"

#include <chrono>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "runtime/gpu/buffers.h"
#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime::gpu {

namespace {

using Random = std::mt19937;

int draw(Random *random, int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(*random);
}

// Any order of dimensions, gaps between them, sometimes backwards.
void shuffle_layout(TestBuffer *buffer, Random *random, bool may_be_negative) {
    std::vector<int> order(buffer->dims.size());
    for (size_t i = 0; i < order.size(); i++) {
        order[i] = static_cast<int>(i);
    }
    if (draw(random, 0, 2) == 0) {
        std::shuffle(order.begin(), order.end(), *random);
    }
    const bool gaps = draw(random, 0, 1) == 0;
    int stride = gaps && draw(random, 0, 3) == 0 ? 2 : 1;
    for (int i : order) {
        buffer->dims[i].stride = may_be_negative && draw(random, 0, 7) == 0 ? -stride : stride;
        stride = stride * buffer->dims[i].extent + (gaps ? draw(random, 0, 2) : 0);
    }
}

// The same coordinates, one after the other, each element for itself.
void reference_copy(const TestBuffer &from, TestBuffer *to) {
    std::vector<int> at(from.dims.size());
    const auto copy_from = [&](auto &self, size_t d) -> void {
        if (d == at.size()) {
            memcpy(to->address_of(at.data()), from.address_of(at.data()), to->type.bytes());
            return;
        }
        const auto &f = from.dims[d];
        const auto &t = to->dims[d];
        for (at[d] = std::max(f.min, t.min); at[d] < std::min(f.min + f.extent, t.min + t.extent);
             at[d]++) {
            self(self, d + 1);
        }
    };
    copy_from(copy_from, 0);
}

// The content of a buffer on the device, somewhere inside of a larger allocation.
class OnDevice {
public:
    OnDevice(const TestBuffer &buffer, int gap) : bytes_(buffer.content.size()), gap_(gap) {
        EXPECT_TRUE(allocate(hip_device(), bytes_ + 2 * gap_, nullptr, &memory_, &why_));
        // Uploads need memory that stays until the stream was waited for, which is here.
        EXPECT_TRUE(upload(hip_device(), begin(), buffer.content.data(), bytes_, nullptr, &why_) &&
                    synchronize(hip_device(), nullptr, &why_));
    }
    ~OnDevice() { EXPECT_TRUE(release(hip_device(), memory_, nullptr, &why_)); }
    OnDevice(const OnDevice &) = delete;
    OnDevice &operator=(const OnDevice &) = delete;

    void attach(TestBuffer *buffer) const {
        ASSERT_EQ(0, halide_hip_wrap_device_ptr(
                         nullptr, buffer,
                         reinterpret_cast<uint64_t>(begin()) -
                             buffer->begin_offset() * static_cast<int64_t>(buffer->type.bytes())));
    }
    std::vector<uint8_t> content() {
        std::vector<uint8_t> result(bytes_);
        EXPECT_TRUE(download(hip_device(), result.data(), begin(), bytes_, nullptr, &why_));
        EXPECT_TRUE(synchronize(hip_device(), nullptr, &why_)) << why_.text;
        return result;
    }

private:
    char *begin() const { return static_cast<char *>(memory_) + gap_; }
    size_t bytes_;
    size_t gap_;
    void *memory_ = nullptr;
    Message why_;
};

}  // namespace

class Copies : public testing::Test {
protected:
    void SetUp() override { ASSERT_NE(nullptr, open_device(hip_device(), &why)) << why.text; }
    Message why;
    Errors errors;
};

TEST_F(Copies, RandomBoxesBetweenRandomLayoutsInAllFourDirections) {
    const unsigned seed = std::random_device{}();
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1000);
    int cases = 0;
    for (; std::chrono::steady_clock::now() < end && !HasFailure(); cases++) {
        const int rank = draw(&random, 0, 19) == 0 ? 16 : draw(&random, 0, 6);
        const int longest = rank <= 2 ? 20 : rank <= 4 ? 6 : rank == 16 ? 2 : 3;
        const halide_type_t type(halide_type_uint, 8 << draw(&random, 0, 3));
        std::vector<int> from_extents(rank);
        std::vector<int> to_extents(rank);
        for (int i = 0; i < rank; i++) {
            from_extents[i] = rank == 16 && i % 2 == 0 ? 1 : draw(&random, 1, longest);
            to_extents[i] = draw(&random, 0, 1) == 0   ? from_extents[i]
                            : rank == 16 && i % 2 == 0 ? 1
                                                       : draw(&random, 1, longest);
        }
        TestBuffer from(type, from_extents);
        TestBuffer to(type, to_extents);
        const int from_host = draw(&random, 0, 1);
        const int to_host = draw(&random, 0, 1);
        shuffle_layout(&from, &random, true);
        shuffle_layout(&to, &random, true);
        for (int i = 0; i < rank; i++) {
            const bool moved = draw(&random, 0, 2) == 0;
            from.dims[i].min = draw(&random, -5, 5);
            to.dims[i].min = from.dims[i].min + (moved ? draw(&random, -longest, longest) : 0);
        }
        from.fill(random());
        to.fill(random());
        const OnDevice from_device(from, draw(&random, 0, 3) * 8);
        OnDevice to_device(to, draw(&random, 0, 3) * 8);
        TestBuffer expected(type, {});
        expected.dims = to.dims;
        expected.dimensions = rank;
        expected.dim = expected.dims.data();
        expected.fill(0);
        expected.content = to.content;
        expected.host = expected.content.data() - expected.begin_offset() * type.bytes();
        reference_copy(from, &expected);
        if (from_host == 0) {
            from_device.attach(&from);
            from.set_device_dirty();
            from.host = nullptr;
        }
        const halide_device_interface_t *target =
            to_host != 0 ? nullptr : halide_hip_device_interface();
        if (to_host == 0) {
            to_device.attach(&to);
        }
        // Halide copies from host to host by itself, so that direction is asked for directly.
        const int result = from_host != 0 && to_host != 0
                               ? buffer_copy(hip_device(), nullptr, &from, target, &to)
                               : halide_buffer_copy(nullptr, &from, target, &to);
        ASSERT_EQ(0, result) << errors.take();
        ASSERT_EQ(expected.content, to_host != 0 ? to.content : to_device.content())
            << "rank " << rank << ", from host " << from_host << ", to host " << to_host;
    }
    EXPECT_GT(cases, 20);
}

TEST_F(Copies, ThereAndBackGivesTheSameInAnyLayout) {
    const unsigned seed = std::random_device{}();
    Random random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
    while (std::chrono::steady_clock::now() < end && !HasFailure()) {
        std::vector<int> extents(draw(&random, 0, 5));
        for (int &extent : extents) {
            extent = draw(&random, 1, 6);
        }
        TestBuffer buffer(halide_type_t(halide_type_uint, 16), extents);
        shuffle_layout(&buffer, &random, false);
        buffer.fill(random());
        const auto content = buffer.content;
        buffer.set_host_dirty();
        ASSERT_EQ(0, halide_copy_to_device(nullptr, &buffer, halide_hip_device_interface()));
        // Everything is there already: the host may change its memory.
        TestBuffer expected(buffer.type, {});
        expected.dims = buffer.dims;
        expected.dimensions = buffer.dimensions;
        expected.dim = expected.dims.data();
        expected.fill(0);
        std::fill(buffer.content.begin(), buffer.content.end(), 0);
        std::fill(expected.content.begin(), expected.content.end(), 0);
        {
            TestBuffer original(buffer.type, {});
            original.dims = buffer.dims;
            original.dimensions = buffer.dimensions;
            original.dim = original.dims.data();
            original.fill(0);
            original.content = content;
            original.host = original.content.data();
            reference_copy(original, &expected);
        }
        buffer.set_device_dirty();
        ASSERT_EQ(0, halide_copy_to_host(nullptr, &buffer)) << errors.take();
        EXPECT_EQ(expected.content, buffer.content) << "bytes between the rows stay as they are";
        EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
    }
}

TEST_F(Copies, ContiguousDimensionsAreOneCopyAndRowsOneCall) {
    TestBuffer dense(halide_type_t(halide_type_float, 32), {5, 7, 9});
    dense.fill(1);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &dense, halide_hip_device_interface()));
    fake_hip_clear();
    dense.set_host_dirty();
    ASSERT_EQ(0, halide_copy_to_device(nullptr, &dense, halide_hip_device_interface()));
    EXPECT_STREQ("{\"call\":\"hipMemcpyAsync\",\"direction\":\"host to device\",\"bytes\":1260,"
                 "\"stream\":0,\"result\":0}",
                 fake_hip_line("hipMemcpyAsync", 0));
    EXPECT_EQ(2U, fake_hip_count(nullptr)) << "a copy, and the wait for it";
    EXPECT_EQ(0, halide_device_free(nullptr, &dense));

    TestBuffer padded(halide_type_t(halide_type_float, 32), {5, 7, 9});
    padded.dims[1].stride = 8;
    padded.dims[2].stride = 56;
    padded.fill(1);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &padded, halide_hip_device_interface()));
    fake_hip_clear();
    padded.set_host_dirty();
    ASSERT_EQ(0, halide_copy_to_device(nullptr, &padded, halide_hip_device_interface()));
    EXPECT_STREQ("{\"call\":\"hipMemcpy2DAsync\",\"direction\":\"host to device\",\"width\":20,"
                 "\"rows\":63,\"to_pitch\":32,\"from_pitch\":32,\"stream\":0,\"result\":0}",
                 fake_hip_line("hipMemcpy2DAsync", 0));
    EXPECT_EQ(2U, fake_hip_count(nullptr));
    EXPECT_EQ(0, halide_device_free(nullptr, &padded));
}

TEST_F(Copies, OfTheElementsThatShareAPlaceTheLastStays) {
    TestBuffer from(halide_type_t(halide_type_uint, 8), {3, 4});
    TestBuffer to(halide_type_t(halide_type_uint, 8), {3, 4});
    to.dims[1].stride = 0;
    from.fill(3);
    to.fill(4);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &from, halide_hip_device_interface()));
    from.set_host_dirty();
    ASSERT_EQ(0, halide_copy_to_device(nullptr, &from, halide_hip_device_interface()));
    from.set_device_dirty();
    ASSERT_EQ(0, halide_buffer_copy(nullptr, &from, nullptr, &to)) << errors.take();
    EXPECT_EQ(std::vector<uint8_t>(from.content.end() - 3, from.content.end()), to.content);
    EXPECT_EQ(0, halide_device_free(nullptr, &from));
}

TEST_F(Copies, BuffersThatDoNotMatchAreRefused) {
    TestBuffer one(halide_type_t(halide_type_uint, 8), {3});
    TestBuffer two(halide_type_t(halide_type_uint, 8), {3, 3});
    TestBuffer wide(halide_type_t(halide_type_uint, 16), {3});
    one.fill(1);
    two.fill(1);
    wide.fill(1);
    EXPECT_EQ(halide_error_code_bad_dimensions,
              buffer_copy(hip_device(), nullptr, &one, nullptr, &two));
    EXPECT_EQ(halide_error_code_device_buffer_copy_failed,
              buffer_copy(hip_device(), nullptr, &one, nullptr, &wide));
    EXPECT_NE("", errors.take());
}

TEST_F(Copies, ACopyOntoItselfIsNone) {
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {300});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, halide_hip_device_interface()));
    buffer.set_device_dirty();
    fake_hip_clear();
    EXPECT_EQ(0, halide_buffer_copy(nullptr, &buffer, halide_hip_device_interface(), &buffer));
    EXPECT_EQ(0U, fake_hip_count(nullptr));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(Copies, AFailureOfTheDriverIsASentenceAndACode) {
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {300});
    buffer.fill(1);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, halide_hip_device_interface()));
    setenv("EMULSION_FAKE_HIP_FAIL", "hipMemcpyAsync=719", 1);
    buffer.set_host_dirty();
    EXPECT_EQ(halide_error_code_copy_to_device_failed,
              halide_copy_to_device(nullptr, &buffer, halide_hip_device_interface()));
    EXPECT_EQ("HIP: hipMemcpyAsync failed: hipErrorLaunchFailure (719)\n", errors.take());
    setenv("EMULSION_FAKE_HIP_FAIL", "hipStreamSynchronize=719", 1);
    buffer.set_host_dirty(false);
    buffer.set_device_dirty();
    EXPECT_EQ(halide_error_code_copy_to_host_failed, halide_copy_to_host(nullptr, &buffer));
    EXPECT_EQ(halide_error_code_device_sync_failed, halide_device_sync(nullptr, &buffer));
    EXPECT_EQ("HIP: hipStreamSynchronize failed: hipErrorLaunchFailure (719)\n"
              "HIP: hipStreamSynchronize failed: hipErrorLaunchFailure (719)\n",
              errors.take());
    unsetenv("EMULSION_FAKE_HIP_FAIL");
    EXPECT_EQ(0, halide_device_sync(nullptr, &buffer));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(Copies, APieceThatFailsEndsTheCopyOnlyWhenThoseBeforeHaveEnded) {
    TestBuffer buffer(halide_type_t(halide_type_float, 32), {5, 7, 9});
    buffer.dims[1].stride = 8;
    buffer.dims[2].stride = 60;
    buffer.fill(1);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, halide_hip_device_interface()));
    fake_hip_clear();
    setenv("EMULSION_FAKE_HIP_FAIL", "hipMemcpy2DAsync#3=719,hipStreamSynchronize=1", 1);
    buffer.set_host_dirty();
    EXPECT_NE(0, halide_copy_to_device(nullptr, &buffer, halide_hip_device_interface()));
    unsetenv("EMULSION_FAKE_HIP_FAIL");
    EXPECT_EQ("HIP: hipMemcpy2DAsync failed: hipErrorLaunchFailure (719)\n", errors.take());
    EXPECT_EQ(3U, fake_hip_count("hipMemcpy2DAsync"));
    EXPECT_NE(nullptr, strstr(fake_hip_line(nullptr, 3), "hipStreamSynchronize"));
    EXPECT_EQ(4U, fake_hip_count(nullptr));
    buffer.set_host_dirty(false);
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

}  // namespace emulsion::runtime::gpu
