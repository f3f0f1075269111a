// Machines on which the device can't be opened, each in a process of its own. A failure must be an error
// with a sentence, again and again, for everything that needs the device.

#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "runtime/gpu/device_state.h"
#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

extern "C" int halide_device_and_host_malloc(void *, halide_buffer_t *,
                                             const halide_device_interface_t *);

namespace emulsion::runtime::gpu {

namespace {

// Ends the process with 0 if all calls fail as they should; says why on the error output.
[[noreturn]] void use_the_device() {
    Errors errors;
    const halide_device_interface_t *interface = halide_hip_device_interface();
    TestBuffer buffer(halide_type_t(halide_type_float, 32), {4});
    buffer.fill(1);
    bool good =
        halide_device_malloc(nullptr, &buffer, interface) == halide_error_code_device_malloc_failed;
    const std::string sentence = errors.take();
    std::fprintf(stderr, "%s", sentence.c_str());
    good = good && buffer.device == 0 && buffer.device_interface == nullptr && !sentence.empty();
    buffer.set_host_dirty();
    good = good && halide_copy_to_device(nullptr, &buffer, interface) != 0 &&
           errors.take() == sentence;
    good = good && halide_device_and_host_malloc(nullptr, &buffer, interface) != 0 &&
           errors.take() == sentence;
    const TestProgram program(make_bundle({"gfx906"}, {}));
    good =
        good && program.result() == halide_error_code_gpu_device_error && errors.take() == sentence;
    good = good && halide_device_sync_global(nullptr, interface) != 0 && errors.take() == sentence;
    int major = 1;
    int minor = 1;
    good = good && interface->compute_capability(nullptr, &major, &minor) == 0 && major == 0;
    halide_device_release(nullptr, interface);
    Message why;
    good = good && open_device(hip_device(), &why) == nullptr && errors.take().empty() &&
           why.text + std::string("\n") == sentence;
    std::_Exit(good ? 0 : 1);
}

}  // namespace

class NoDeviceDeathTest : public testing::Test {
protected:
    // A new process that has not opened the device yet.
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(NoDeviceDeathTest, TheLibraryIsMissing) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_HIP_LIBRARY", "/nowhere/libamdhip64.so", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0),
        "no AMD GPU can be used: the library that EMULSION_HIP_LIBRARY names can't be opened "
        "\\(/nowhere/libamdhip64.so: cannot open shared object file: No such file or directory\\)");
}

TEST_F(NoDeviceDeathTest, TheLibraryHasNotTheFunctions) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_HIP_LIBRARY", "libm.so.6", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0), "the driver's library has no function hipInit");
}

TEST_F(NoDeviceDeathTest, HipFindsNoDevice) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_FAIL", "hipInit=100", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0),
        "HIP: hipInit failed: hipErrorNoDevice \\(100\\); there is no GPU");
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_FAIL", "hipInit=101", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0), "HIP: hipInit failed: hipErrorInvalidDevice \\(101\\)");
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_DEVICES", "0", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0), "HIP: hipGetDeviceCount failed: hipErrorNoDevice \\(100\\)");
}

TEST_F(NoDeviceDeathTest, TheChipIsNotKnown) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_CHIP", "", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0), "architecture is not known");
}

// The real library of the package libamdhip64-5, where it is installed and there is no GPU.
TEST_F(NoDeviceDeathTest, TheRealLibraryWithoutAGpu) {
    if (std::getenv("EMULSION_HAS_AMD_GPU") != nullptr) {
        GTEST_SKIP();
    }
    EXPECT_EXIT(
        {
            setenv("EMULSION_HIP_LIBRARY", "libamdhip64.so.5", 1);
            use_the_device();
        },
        testing::ExitedWithCode(0), "HIP: hipInit failed|can't be opened|or newer is needed");
}

TEST_F(NoDeviceDeathTest, AnotherChipThanTheFirstIsTakenAsItIs) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_CHIP", "gfx90a:sramecc+:xnack-", 1);
            Errors errors;
            const TestProgram program(make_bundle({"gfx906", "gfx1100"}, {}));
            std::fprintf(stderr, "%s", errors.take().c_str());
            std::_Exit(program.result() == halide_error_code_gpu_device_error ? 0 : 1);
        },
        testing::ExitedWithCode(0),
        "the code is for gfx906, gfx1100; this machine's GPU is gfx90a");
}

// The handler that the device registered runs when a program ends in the ordinary way.
TEST_F(NoDeviceDeathTest, AnOpenDeviceIsEmptiedWhenTheProgramEnds) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_LOG", "/dev/stderr", 1);
            TestBuffer buffer(halide_type_t(halide_type_float, 32), {4});
            halide_device_malloc(nullptr, &buffer, halide_hip_device_interface());
            halide_device_free(nullptr, &buffer);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "hipMalloc.*\n.*hipFree");
}

TEST_F(NoDeviceDeathTest, AClosedDeviceIsNotUsedAnyMore) {
    EXPECT_EXIT(
        {
            Message why;
            Device &device = hip_device();
            Stream stream = nullptr;
            void *memory = nullptr;
            bool good = create_stream(device, &stream, &why) &&
                        allocate(device, 100, stream, &memory, &why);
            close_device(device);
            fake_hip_clear();
            char text[] = "x";
            void *more = nullptr;
            Stream other = nullptr;
            const auto fails = [&](bool result) {
                const bool says_so = std::string(why.text) == "HIP: the program is ending";
                why.set("-");
                return !result && says_so;
            };
            good = good && fails(allocate(device, 100, stream, &more, &why));
            good = good && fails(upload(device, memory, text, 1, stream, &why));
            good = good && fails(download(device, text, memory, 1, stream, &why));
            good = good && fails(create_stream(device, &other, &why));
            good = good && fails(synchronize(device, stream, &why));
            good = good && release(device, memory, stream, &why);
            good = good && destroy_stream(device, stream, &why);
            trim(device);
            std::_Exit(good && fake_hip_count(nullptr) == 0 ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace emulsion::runtime::gpu
