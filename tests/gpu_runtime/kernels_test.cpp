#include "runtime/gpu/kernels.h"

#include <cstring>
#include <optional>

#include <gtest/gtest.h>

#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

namespace {

// What a user context asks for, in these tests.
struct Wish {
    void *stream;
    int error;
};

}  // namespace

extern "C" int halide_hip_get_stream(void *user_context, void **stream) {
    const auto *wish = static_cast<const Wish *>(user_context);
    *stream = wish != nullptr ? wish->stream : nullptr;
    return wish != nullptr ? wish->error : 0;
}

namespace emulsion::runtime::gpu {

namespace {

std::string field(const char *line, const std::string &name) {
    const std::string text = line;
    const size_t at = text.find("\"" + name + "\":");
    const size_t begin = at + name.size() + 3;
    const char end = text[begin] == '[' ? ']' : ',';
    return at == std::string::npos ? "" : text.substr(begin, text.find(end, begin) - begin);
}

std::string launch_field(const std::string &name, size_t i = 0) {
    return field(fake_hip_line("hipModuleLaunchKernel", i), name);
}

}  // namespace

class Kernels : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(nullptr, open_device(hip_device(), &why)) << why.text;
        halide_device_release(nullptr, halide_hip_device_interface());
        fake_hip_clear();
    }
    void TearDown() override { EXPECT_EQ("", errors.take()); }
    const std::string bundle = make_bundle({"gfx1100", "gfx906"}, {{"fixed", {8, 2, 1}},
                                                                   {"any", {0, 0, 0}},
                                                                   {"row", {16, 0, 0}},
                                                                   {"dynamic", {0, 0, 0}, true}});
    Errors errors;
    Message why;
};

TEST_F(Kernels, ALaunchHasTheBlocksAndThreadsThatTheCodeAskedFor) {
    TestProgram program(bundle);
    ASSERT_EQ(0, program.run("fixed", {5, 6, 7}, {8, 2, 1}, 0, {}));
    EXPECT_EQ("\"fixed\"", launch_field("kernel"));
    EXPECT_EQ("[5,6,7", launch_field("grid"));
    EXPECT_EQ("[8,2,1", launch_field("block"));
    EXPECT_EQ("0", launch_field("stream"));
}

TEST_F(Kernels, ArgumentsArePackedByTheirNaturalAlignment) {
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {1});
    ASSERT_EQ(0, halide_device_malloc(nullptr, &buffer, halide_hip_device_interface()));
    const uint64_t eight = 0x8877665544332211;
    const uint32_t four = 0x44332211;
    const uint16_t two = 0x2211;
    const uint8_t one = 0x11;
    struct Expected {
        uint64_t buffer;
        uint64_t eight;
        uint32_t four;
        uint16_t two;
        uint8_t one;
        uint8_t padding;
        uint64_t last;
    } expected{buffer.device, eight, four, two, one, 0, eight};
    struct Got {
        std::vector<unsigned char> bytes;
    } got;
    fake_hip_set_kernel(
        "any",
        [](const void *arguments, size_t bytes, void *closure) {
            const auto *begin = static_cast<const unsigned char *>(arguments);
            static_cast<Got *>(closure)->bytes.assign(begin, begin + bytes);
        },
        &got);
    TestProgram program(bundle);
    // The launch may not look at the values any more when it happens.
    {
        uint64_t gone = eight;
        ASSERT_EQ(
            0,
            program.run(
                "any", {1, 1, 1}, {1, 1, 1}, 0,
                {{8, &buffer, true}, {8, &gone}, {4, &four}, {2, &two}, {1, &one}, {8, &eight}}));
        gone = 0;
    }
    ASSERT_EQ(0, halide_device_sync(nullptr, &buffer));
    ASSERT_EQ(sizeof expected, got.bytes.size());
    EXPECT_EQ(0, std::memcmp(&expected, got.bytes.data(), sizeof expected));
    ASSERT_EQ(0, program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}, {1, &one}}));
    EXPECT_EQ(9U * 2 + 2, launch_field("arguments", 1).size()) << "no bytes after the last";
    fake_hip_set_kernel(
        "any", [](const void *, size_t, void *) {}, nullptr);
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

TEST_F(Kernels, ArgumentsThatCannotBePackedAreRefused) {
    TestProgram program(bundle);
    const char bytes[16] = {};
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {{16, bytes}}));
    EXPECT_EQ("kernel any: argument 0 has 16 bytes, which isn't supported\n", errors.take());
    const std::vector<TestProgram::Argument> many(513, {8, bytes});
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("any", {1, 1, 1}, {1, 1, 1}, 0, many));
    EXPECT_EQ("kernel any: its arguments have more than 4096 bytes\n", errors.take());
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {1});
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}}));
    EXPECT_EQ("HIP: kernel any is launched with a buffer that has no device memory (argument 0)\n",
              errors.take());
    EXPECT_EQ(0U, fake_hip_count("hipModuleLaunchKernel"));
}

TEST_F(Kernels, OnlyKernelsWithDynamicMemoryGetTheLaunchsSize) {
    TestProgram program(bundle);
    ASSERT_EQ(0, program.run("any", {1, 1, 1}, {1, 1, 1}, 640, {}));
    ASSERT_EQ(0, program.run("dynamic", {1, 1, 1}, {1, 1, 1}, 640, {}));
    EXPECT_EQ("0", launch_field("shared", 0));
    EXPECT_EQ("640", launch_field("shared", 1));
}

TEST_F(Kernels, ABlockOfAnotherSizeThanTheKernelsIsAnError) {
    TestProgram program(bundle);
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("fixed", {1, 1, 1}, {8, 4, 1}, 0, {}));
    EXPECT_EQ(
        "HIP: kernel fixed was compiled for blocks of 8x2x1 threads, but is launched with 8x4x1\n",
        errors.take());
    EXPECT_EQ(0, program.run("row", {1, 1, 1}, {16, 9, 1}, 0, {}));
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("row", {1, 1, 1}, {17, 9, 1}, 0, {}));
    errors.take();
}

TEST_F(Kernels, ALaunchWithoutBlocksIsNone) {
    TestProgram program(bundle);
    EXPECT_EQ(0, program.run("any", {4, 0, 1}, {1, 1, 1}, 0, {}));
    EXPECT_EQ(0U, fake_hip_count("hipModuleLaunchKernel"));
}

TEST_F(Kernels, AKernelThatTheCodeDoesNotHaveIsAnError) {
    TestProgram program(bundle);
    EXPECT_EQ(halide_error_code_device_run_failed,
              program.run("nothing", {1, 1, 1}, {1, 1, 1}, 0, {}));
    EXPECT_EQ("HIP: the program's code for the GPU has no kernel nothing\n", errors.take());
}

TEST_F(Kernels, ADriversRefusalToLaunchIsAnError) {
    TestProgram program(bundle);
    setenv("EMULSION_FAKE_HIP_FAIL", "hipModuleLaunchKernel=719", 1);
    EXPECT_EQ(halide_error_code_device_run_failed, program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {}));
    EXPECT_EQ("HIP: hipModuleLaunchKernel failed for kernel any: hipErrorLaunchFailure (719)\n",
              errors.take());
    unsetenv("EMULSION_FAKE_HIP_FAIL");
}

TEST_F(Kernels, CodeIsLoadedOnceForAllPipelinesThatBringIt) {
    {
        TestProgram one(bundle);
        TestProgram two(bundle);
        EXPECT_EQ(0, one.run("any", {1, 1, 1}, {1, 1, 1}, 0, {}));
        EXPECT_EQ(0, two.run("any", {1, 1, 1}, {1, 1, 1}, 0, {}));
        EXPECT_EQ(0, two.run("any", {1, 1, 1}, {1, 1, 1}, 0, {}));
    }
    TestProgram again(bundle);
    EXPECT_EQ(1U, fake_hip_count("hipModuleLoadData"));
    EXPECT_EQ(1U, fake_hip_count("hipModuleGetFunction"));
}

TEST_F(Kernels, APipelinesSecondRunFindsItsCodeByItsState) {
    void *state = nullptr;
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(0, halide_hip_initialize_kernels(nullptr, &state, bundle.data(),
                                                   static_cast<int>(bundle.size())));
        halide_hip_finalize_kernels(nullptr, state);
    }
    EXPECT_EQ(1U, fake_hip_count("hipModuleLoadData"));
    halide_device_release(nullptr, halide_hip_device_interface());
    EXPECT_EQ(1U, fake_hip_count("hipModuleUnload"));
    ASSERT_EQ(0, halide_hip_initialize_kernels(nullptr, &state, bundle.data(),
                                               static_cast<int>(bundle.size())));
    halide_hip_finalize_kernels(nullptr, state);
    EXPECT_EQ(2U, fake_hip_count("hipModuleLoadData")) << "loaded again after the release";
}

TEST_F(Kernels, AReleaseKeepsWhatIsInUse) {
    TestProgram program(bundle);
    std::optional<TestProgram> other(make_bundle({"gfx906"}, {{"k", {0, 0, 0}}}));
    EXPECT_EQ(2U, fake_hip_live_modules());
    other.reset();
    halide_device_release(nullptr, halide_hip_device_interface());
    EXPECT_EQ(1U, fake_hip_live_modules());
    EXPECT_EQ(0, program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {}));
}

TEST_F(Kernels, CodeForOtherChipsIsRefusedWithBothSidesNamed) {
    const TestProgram program(make_bundle({"gfx1031", "gfx942"}, {}));
    EXPECT_EQ(halide_error_code_gpu_device_error, program.result());
    EXPECT_EQ("the code is for gfx1031, gfx942; this machine's GPU is gfx906\n", errors.take());
}

TEST_F(Kernels, CodeThatTheDriverRefusesIsAnError) {
    setenv("EMULSION_FAKE_HIP_FAIL", "hipModuleLoadData=209", 1);
    const TestProgram program(make_bundle({"gfx906"}, {{"refused", {0, 0, 0}}}));
    unsetenv("EMULSION_FAKE_HIP_FAIL");
    EXPECT_EQ(halide_error_code_gpu_device_error, program.result());
    EXPECT_EQ(
        "HIP: hipModuleLoadData failed: hipErrorNoBinaryForGpu (209); compile the program for this "
        "machine's GPU\n",
        errors.take());
}

TEST_F(Kernels, EverythingOfAUserContextGoesToItsStream) {
    Stream stream = nullptr;
    ASSERT_TRUE(create_stream(hip_device(), &stream, &why)) << why.text;
    Wish wish{stream, 0};
    TestProgram program(bundle);
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {1000});
    buffer.fill(1);
    buffer.set_host_dirty();
    ASSERT_EQ(0, halide_copy_to_device(&wish, &buffer, halide_hip_device_interface()));
    ASSERT_EQ(0, program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}}, &wish));
    ASSERT_EQ(0, halide_device_sync(&wish, &buffer));
    const std::string expected = std::to_string(reinterpret_cast<uintptr_t>(stream));
    EXPECT_EQ(expected, launch_field("stream"));
    EXPECT_EQ(expected, field(fake_hip_line("hipMemcpyAsync", 0), "stream"));
    for (size_t i = 0; i < fake_hip_count("hipStreamSynchronize"); i++) {
        EXPECT_EQ(expected, field(fake_hip_line("hipStreamSynchronize", i), "stream"));
    }
    EXPECT_EQ(0, halide_device_free(&wish, &buffer));
    EXPECT_TRUE(destroy_stream(hip_device(), stream, &why)) << why.text;
}

TEST_F(Kernels, AnErrorOfTheUsersStreamFunctionFailsTheCall) {
    Wish wish{nullptr, halide_error_code_generic_error};
    TestProgram program(bundle);
    EXPECT_EQ(halide_error_code_generic_error,
              program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {}, &wish));
    EXPECT_EQ("HIP: the program's function for streams returned -1\n", errors.take());
}

TEST_F(Kernels, AThreadMayHaveAnotherDeviceCurrent) {
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {4, 5});
    buffer.dims[1].stride = 6;
    buffer.fill(1);
    const auto before = buffer.content;
    for (const int device : {0, 1}) {
        fake_hip_clear();
        fake_hip_set_device(device);
        {
            TestProgram program(bundle);
            Stream stream = nullptr;
            ASSERT_TRUE(create_stream(hip_device(), &stream, &why)) << why.text;
            Wish wish{stream, 0};
            buffer.set_host_dirty();
            EXPECT_EQ(0, halide_copy_to_device(&wish, &buffer, halide_hip_device_interface()));
            EXPECT_EQ(0, program.run("any", {1, 1, 1}, {1, 1, 1}, 0, {{8, &buffer, true}}, &wish));
            std::fill(buffer.content.begin(), buffer.content.end(), 0);
            buffer.set_device_dirty();
            EXPECT_EQ(0, halide_copy_to_host(&wish, &buffer));
            EXPECT_EQ(before[27], buffer.content[27]);
            EXPECT_EQ(0, halide_device_free(&wish, &buffer));
            EXPECT_TRUE(destroy_stream(hip_device(), stream, &why)) << why.text;
        }
        EXPECT_EQ(0, halide_device_sync_global(nullptr, halide_hip_device_interface()));
        halide_device_release(nullptr, halide_hip_device_interface());
        EXPECT_EQ(0U, fake_hip_live_modules());
        EXPECT_EQ(device, fake_hip_device());
        EXPECT_EQ(device == 0, fake_hip_count("hipSetDevice") == 0);
    }
    fake_hip_set_device(0);
}

TEST_F(Kernels, DeviceMemoryForTheRestOfTheRuntime) {
    void *memory = nullptr;
    ASSERT_TRUE(allocate(hip_device(), 1000, nullptr, &memory, &why)) << why.text;
    auto *bytes = static_cast<char *>(memory);
    const std::string text = "device";
    const std::string around(1000, 'x');
    ASSERT_TRUE(upload(hip_device(), bytes, around.data(), around.size(), nullptr, &why));
    ASSERT_TRUE(upload(hip_device(), bytes + 10, text.data(), text.size(), nullptr, &why));
    std::string back(8, ' ');
    ASSERT_TRUE(download(hip_device(), back.data(), bytes + 9, back.size(), nullptr, &why));
    ASSERT_TRUE(synchronize(hip_device(), nullptr, &why)) << why.text;
    EXPECT_EQ("xdevicex", back);
    EXPECT_TRUE(upload(hip_device(), bytes, nullptr, 0, nullptr, &why)) << "nothing";
    EXPECT_TRUE(release(hip_device(), memory, nullptr, &why)) << why.text;
}

}  // namespace emulsion::runtime::gpu
