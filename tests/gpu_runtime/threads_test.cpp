// Several threads at a time, each with a stream and buffers of its own, through everything.

#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime::gpu {

namespace {

struct AddArguments {
    uint8_t *memory;
    int32_t count;
    uint8_t term;
};

void add_in_threads(const void *arguments, size_t, void *) {
    AddArguments a = {};
    std::memcpy(&a, arguments, offsetof(AddArguments, term) + 1);
    for (int32_t i = 0; i < a.count; i++) {
        a.memory[i] = static_cast<uint8_t>(a.memory[i] + a.term);
    }
}

// As kernels_test.cpp reads user contexts.
struct ThreadWish {
    void *stream;
    int error;
};

void work(uint8_t term) {
    Message why;
    ThreadWish wish{nullptr, 0};
    ASSERT_TRUE(create_stream(hip_device(), &wish.stream, &why)) << why.text;
    const std::string bundle = make_bundle({"gfx906"}, {{"add", {0, 0, 0}}});
    for (int32_t i = 1; i <= 100; i++) {
        TestBuffer buffer(halide_type_t(halide_type_uint, 8), {i * 20});
        buffer.fill(static_cast<unsigned>(i));
        const auto before = buffer.content;
        buffer.set_host_dirty();
        ASSERT_EQ(0, halide_copy_to_device(&wish, &buffer, halide_hip_device_interface()));
        TestProgram program(bundle);
        const int32_t count = i * 20;
        ASSERT_EQ(0, program.run("add", {1, 1, 1}, {1, 1, 1}, 0,
                                 {{8, &buffer, true}, {4, &count}, {1, &term}}, &wish));
        buffer.set_device_dirty();
        ASSERT_EQ(0, halide_copy_to_host(&wish, &buffer));
        for (size_t k = 0; k < before.size(); k++) {
            ASSERT_EQ(static_cast<uint8_t>(before[k] + term), buffer.content[k]);
        }
        ASSERT_EQ(0, halide_device_free(&wish, &buffer));
        if (i % 25 == 0) {
            halide_device_release(&wish, halide_hip_device_interface());
        }
    }
    ASSERT_TRUE(destroy_stream(hip_device(), wish.stream, &why)) << why.text;
}

}  // namespace

TEST(Threads, DoNotDisturbEachOther) {
    Message why;
    ASSERT_NE(nullptr, open_device(hip_device(), &why)) << why.text;
    fake_hip_set_kernel("add", add_in_threads, nullptr);
    const Errors errors;
    std::vector<std::thread> threads;
    for (int t = 1; t <= 4; t++) {
        threads.emplace_back(work, static_cast<uint8_t>(t));
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

TEST(ThreadsDeathTest, OpenTheDeviceOnce) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            std::vector<std::thread> threads;
            for (int t = 0; t < 8; t++) {
                threads.emplace_back([] {
                    Message why;
                    if (open_device(hip_device(), &why) == nullptr) {
                        std::_Exit(1);
                    }
                });
            }
            for (std::thread &thread : threads) {
                thread.join();
            }
            std::_Exit(fake_hip_count("hipInit") == 1 ? 0 : 2);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace emulsion::runtime::gpu
