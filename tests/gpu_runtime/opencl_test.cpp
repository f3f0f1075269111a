// The OpenCL driver, on the machine's own device: PoCL's, which is the CPU, where there is no GPU.

#include "runtime/opencl/opencl.h"

#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include <HalideRuntimeOpenCL.h>

#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime::gpu {

namespace {

// As Halide writes kernels: buffers, scalars by falling size, then an array in local memory.
constexpr const char *kSource = R"(
__kernel void scale(__global const float *restrict in, __global float *restrict out, const float factor,
                    const int width, const uchar offset, __local short *shared_memory) {
    const int x = get_group_id(0) * 8 + get_local_id(0);
    const int y = get_group_id(1) * 2 + get_local_id(1);
    if (x < width) {
        out[y * width + x] = in[y * width + x] * factor + offset;
    }
}
__kernel void reverse_blocks(__global const int *restrict in, __global int *restrict out,
                             __local short *shared_memory) {
    __local int *staged = (__local int *)shared_memory;
    const int i = get_local_id(0);
    const int begin = get_group_id(0) * 16;
    staged[i] = in[begin + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[begin + i] = staged[15 - i];
}
__kernel void add(__global int *restrict data, const int term, __local short *shared_memory) {
    data[get_group_id(0)] += term;
}
)";

class Program {
public:
    explicit Program(const char *source = kSource) {
        result_ = halide_opencl_initialize_kernels(nullptr, &state_, source,
                                                   static_cast<int>(std::strlen(source)) + 1);
    }
    ~Program() {
        if (result_ == 0) {
            halide_opencl_finalize_kernels(nullptr, state_);
        }
    }
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;
    int result() const { return result_; }

    int run(const char *kernel, std::vector<int> blocks, std::vector<int> threads, int shared_bytes,
            const std::vector<TestProgram::Argument> &arguments, void *user_context = nullptr) {
        std::vector<size_t> sizes;
        std::vector<void *> values;
        std::vector<int8_t> is_buffer;
        for (const auto &argument : arguments) {
            sizes.push_back(argument.bytes);
            values.push_back(const_cast<void *>(argument.value));
            is_buffer.push_back(argument.is_buffer ? 1 : 0);
        }
        sizes.push_back(0);
        values.push_back(nullptr);
        is_buffer.push_back(0);
        return halide_opencl_run(user_context, state_, kernel, blocks[0], blocks[1], blocks[2],
                                 threads[0], threads[1], threads[2], shared_bytes, sizes.data(),
                                 values.data(), is_buffer.data());
    }

private:
    void *state_ = nullptr;
    int result_ = 0;
};

template<typename T>
T *elements(TestBuffer *buffer) {
    return reinterpret_cast<T *>(buffer->content.data());
}

}  // namespace

class OpenCl : public testing::Test {
protected:
    void SetUp() override { ASSERT_NE(nullptr, open_device(opencl_device(), &why)) << why.text; }
    void TearDown() override { EXPECT_EQ("", errors.take()); }
    void send(TestBuffer *buffer) {
        buffer->set_host_dirty();
        ASSERT_EQ(0, halide_copy_to_device(nullptr, buffer, interface));
    }
    const halide_device_interface_t *interface = halide_opencl_device_interface();
    Message why;
    Errors errors;
};

TEST_F(OpenCl, ScalarsAndBuffersReachTheKernel) {
    TestBuffer in(halide_type_t(halide_type_float, 32), {20, 4});
    TestBuffer out(halide_type_t(halide_type_float, 32), {20, 4});
    in.fill(0);
    out.fill(0);
    for (int i = 0; i < 80; i++) {
        elements<float>(&in)[i] = static_cast<float>(i);
    }
    send(&in);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &out, interface));
    Program program;
    ASSERT_EQ(0, program.result());
    const float factor = 0.5F;
    const int width = 20;
    const uint8_t offset = 200;
    ASSERT_EQ(
        0, program.run("scale", {3, 2, 1}, {8, 2, 1}, 0,
                       {{8, &in, true}, {8, &out, true}, {4, &factor}, {4, &width}, {1, &offset}}));
    out.set_device_dirty();
    ASSERT_EQ(0, halide_copy_to_host(nullptr, &out));
    for (int i = 0; i < 80; i++) {
        ASSERT_EQ(static_cast<float>(i) * factor + offset, elements<float>(&out)[i]);
    }
    EXPECT_EQ(0, halide_device_free(nullptr, &in));
    EXPECT_EQ(0, halide_device_free(nullptr, &out));
}

TEST_F(OpenCl, LocalMemoryAndBarriersWork) {
    TestBuffer in(halide_type_t(halide_type_int, 32), {64});
    TestBuffer out(halide_type_t(halide_type_int, 32), {64});
    in.fill(1);
    out.fill(2);
    send(&in);
    ASSERT_EQ(0, halide_device_malloc(nullptr, &out, interface));
    Program program;
    ASSERT_EQ(0, program.run("reverse_blocks", {4, 1, 1}, {16, 1, 1}, 64,
                             {{8, &in, true}, {8, &out, true}}));
    out.set_device_dirty();
    ASSERT_EQ(0, halide_copy_to_host(nullptr, &out));
    for (int i = 0; i < 64; i++) {
        ASSERT_EQ(elements<int>(&in)[i / 16 * 16 + 15 - i % 16], elements<int>(&out)[i]);
    }
    EXPECT_EQ(0, halide_device_free(nullptr, &in));
    EXPECT_EQ(0, halide_device_free(nullptr, &out));
}

TEST_F(OpenCl, BuffersMayLieAnywhereInOneAllocation) {
    void *arena = nullptr;
    ASSERT_TRUE(allocate(opencl_device(), 1 << 16, nullptr, &arena, &why)) << why.text;
    auto *begin = static_cast<char *>(arena);
    const std::vector<char> ones(1 << 16, 0x11);
    ASSERT_TRUE(upload(opencl_device(), arena, ones.data(), ones.size(), nullptr, &why));
    TestBuffer in(halide_type_t(halide_type_int, 32), {16});
    TestBuffer out(halide_type_t(halide_type_int, 32), {16});
    in.fill(1);
    out.fill(2);
    in.device = reinterpret_cast<uint64_t>(begin + 4096 + 12);
    out.device = reinterpret_cast<uint64_t>(begin + 60000);
    in.device_interface = out.device_interface = interface;
    send(&in);
    Program program;
    ASSERT_EQ(0, program.run("reverse_blocks", {1, 1, 1}, {16, 1, 1}, 64,
                             {{8, &in, true}, {8, &out, true}}));
    out.set_device_dirty();
    ASSERT_EQ(0, halide_copy_to_host(nullptr, &out));
    EXPECT_EQ(elements<int>(&in)[15], elements<int>(&out)[0]);
    EXPECT_EQ(elements<int>(&in)[0], elements<int>(&out)[15]);
    std::vector<unsigned char> around(3);
    ASSERT_TRUE(download(opencl_device(), around.data(), begin + 60000 + 64, 3, nullptr, &why));
    ASSERT_TRUE(synchronize(opencl_device(), nullptr, &why)) << why.text;
    EXPECT_EQ((std::vector<unsigned char>{0x11, 0x11, 0x11}), around);
    EXPECT_EQ(0, halide_device_detach_native(nullptr, &in));
    EXPECT_EQ(0, halide_device_detach_native(nullptr, &out));
    EXPECT_TRUE(release(opencl_device(), arena, nullptr, &why)) << why.text;
}

TEST_F(OpenCl, StridedCopiesKeepTheBytesBetween) {
    TestBuffer buffer(halide_type_t(halide_type_uint, 16), {5, 6, 3});
    buffer.dims[1].stride = 7;
    buffer.dims[2].stride = 50;
    buffer.fill(5);
    const auto before = buffer.content;
    send(&buffer);
    std::fill(buffer.content.begin(), buffer.content.end(), 0);
    buffer.set_device_dirty();
    ASSERT_EQ(0, halide_copy_to_host(nullptr, &buffer));
    for (size_t i = 0; i < before.size() / 2; i++) {
        const bool is_element = i % 50 / 7 < 6 && i % 50 % 7 < 5;
        ASSERT_EQ(is_element ? before[2 * i] : 0, buffer.content[2 * i]) << i;
    }
    TestBuffer crop(buffer.type, {2, 2, 2});
    TestBuffer target(buffer.type, {2, 2, 2});
    for (int i = 0; i < 3; i++) {
        crop.dims[i] = {1, 2, buffer.dims[i].stride};
        target.dims[i].min = 1;
    }
    ASSERT_EQ(0, halide_device_crop(nullptr, &buffer, &crop));
    crop.set_device_dirty();
    ASSERT_EQ(0, halide_buffer_copy(nullptr, &crop, interface, &target));
    target.fill(0);
    ASSERT_EQ(0, halide_copy_to_host(nullptr, &target));
    EXPECT_EQ(elements<uint16_t>(&buffer)[58], elements<uint16_t>(&target)[0]);
    EXPECT_EQ(elements<uint16_t>(&buffer)[116], elements<uint16_t>(&target)[7]);
    EXPECT_EQ(0, halide_device_release_crop(nullptr, &crop));
    EXPECT_EQ(0, halide_device_free(nullptr, &target));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(OpenCl, TextThatDoesNotCompileIsAnErrorWithTheCompilersLine) {
    const Program program("__kernel void broken(__global int *p) { p[0] = nowhere; }");
    EXPECT_EQ(halide_error_code_gpu_device_error, program.result());
    const std::string message = errors.take();
    EXPECT_EQ(0U, message.find("OpenCL: clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE (-11): "));
    EXPECT_NE(std::string::npos, message.find("nowhere")) << message;
    EXPECT_EQ(message.size() - 1, message.find('\n')) << "one line";
}

TEST_F(OpenCl, WhatALaunchMayNotBeIsAnError) {
    Program program;
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("nothing", {1, 1, 1}, {1, 1, 1}, 0, {}));
    EXPECT_EQ("OpenCL: clCreateKernel failed for kernel nothing: CL_INVALID_KERNEL_NAME (-46)\n",
              errors.take());
    TestBuffer buffer(halide_type_t(halide_type_int, 32), {1});
    const int term = 1;
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("add", {1, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}, {4, &term}}));
    EXPECT_EQ(
        "OpenCL: kernel add is launched with a buffer that has no device memory (argument 0)\n",
        errors.take());
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, interface));
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("add", {1, 1, 1}, {1 << 20, 1, 1}, 0, {{8, &buffer, true}, {4, &term}}));
    EXPECT_NE(std::string::npos, errors.take().find("CL_INVALID_WORK_"));
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("add", {1, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}}));
    EXPECT_NE("", errors.take());
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(OpenCl, StreamsOfOnesOwnAreWaitedForBeforeMemoryIsFreed) {
    Stream stream = nullptr;
    ASSERT_TRUE(create_stream(opencl_device(), &stream, &why)) << why.text;
    void *memory = nullptr;
    const std::vector<char> content(8 << 20, 3);
    const size_t bytes = content.size();
    ASSERT_TRUE(allocate(opencl_device(), bytes, stream, &memory, &why)) << why.text;
    for (int i = 0; i < 10; i++) {
        ASSERT_TRUE(upload(opencl_device(), memory, content.data(), bytes, stream, &why));
    }
    ASSERT_TRUE(release(opencl_device(), memory, stream, &why)) << why.text;
    trim(opencl_device());
    EXPECT_TRUE(destroy_stream(opencl_device(), stream, &why)) << why.text;
    EXPECT_FALSE(destroy_stream(opencl_device(), stream, &why));
}

// All launches share the kernel's object, which holds the arguments.
TEST_F(OpenCl, ThreadsMayLaunchTheSameKernel) {
    std::vector<std::thread> threads;
    Program program;
    ASSERT_EQ(0, program.result());
    for (int t = 1; t <= 4; t++) {
        threads.emplace_back([&, t] {
            TestBuffer buffer(halide_type_t(halide_type_int, 32), {8});
            buffer.fill(static_cast<unsigned>(t));
            const int before = elements<int>(&buffer)[7];
            buffer.set_host_dirty();
            ASSERT_EQ(0, halide_copy_to_device(nullptr, &buffer, interface));
            for (int i = 0; i < 50; i++) {
                ASSERT_EQ(
                    0, program.run("add", {8, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}, {4, &t}}));
            }
            buffer.set_device_dirty();
            ASSERT_EQ(0, halide_copy_to_host(nullptr, &buffer));
            ASSERT_EQ(static_cast<int>(static_cast<unsigned>(before) + 50U * t),
                      elements<int>(&buffer)[7]);
            ASSERT_EQ(0, halide_device_free(nullptr, &buffer));
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

TEST_F(OpenCl, AReleasedDeviceGoesOn) {
    halide_device_release(nullptr, interface);
    TestBuffer buffer(halide_type_t(halide_type_int, 32), {1});
    buffer.fill(1);
    send(&buffer);
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
    int major = 0;
    int minor = 0;
    EXPECT_EQ(0, interface->compute_capability(nullptr, &major, &minor));
    EXPECT_GE(major, 2);
}

TEST(OpenClDeathTest, AMissingLibraryIsAnError) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("EMULSION_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", 1);
            Errors errors;
            TestBuffer buffer(halide_type_t(halide_type_int, 32), {1});
            const int result =
                halide_device_malloc(nullptr, &buffer, halide_opencl_device_interface());
            std::fprintf(stderr, "%s", errors.take().c_str());
            std::_Exit(result == halide_error_code_device_malloc_failed ? 0 : 1);
        },
        testing::ExitedWithCode(0), "no OpenCL device can be used: the library that");
}

TEST(OpenClDeathTest, AMachineWithoutPlatformsIsAnError) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("OCL_ICD_VENDORS", "/nowhere", 1);
            Errors errors;
            TestBuffer buffer(halide_type_t(halide_type_int, 32), {1});
            const int result =
                halide_device_malloc(nullptr, &buffer, halide_opencl_device_interface());
            std::fprintf(stderr, "%s", errors.take().c_str());
            std::_Exit(result == halide_error_code_device_malloc_failed ? 0 : 1);
        },
        testing::ExitedWithCode(0), "OpenCL");
}

}  // namespace emulsion::runtime::gpu
