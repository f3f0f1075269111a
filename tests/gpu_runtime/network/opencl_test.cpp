// Networks on the machine's OpenCL device: PoCL's, which is the CPU, where there is no GPU.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include <HalideRuntimeOpenCL.h>

#include "runtime/gpu/gpu.h"
#include "tests/gpu_runtime/network/network.h"

namespace emulsion::runtime {

namespace {

constexpr char kSource[] = R"(
__kernel void add(__global const float *x, __global const float *bias, __global float *padded,
                  __local short *shared_memory) {
    const int i = get_group_id(0) / 6, j = get_group_id(0) % 6;
    padded[i * 8 + j] = x[i * 6 + j] + bias[j];
}
__kernel void sum(__global const float *padded, __global float *z, __local short *shared_memory) {
    const int i = get_group_id(0) / 6, j = get_group_id(0) % 6;
    __global const float *p = padded + (i + 1) * 8 + j + 1;
    z[i * 6 + j] = p[-8] + p[8] + p[-1] + p[1];
}
__kernel void square(__global const float *z, __global const uchar *scale, __global float *q,
                     __local short *shared_memory) {
    const int i = get_group_id(0);
    q[i] = z[i] * z[i] * scale[2];
}
)";

struct OpenCl {
    static const EmulsionGpu *gpu() { return &emulsion_opencl; }
    static int initialize(void *context, void **state) {
        return halide_opencl_initialize_kernels(context, state, kSource, sizeof kSource);
    }
    static int run(void *context, void *state, const char *kernel, int blocks, size_t *sizes,
                   void **arguments, int8_t *is_buffer) {
        return halide_opencl_run(context, state, kernel, blocks, 1, 1, 1, 1, 1, 0, sizes, arguments,
                                 is_buffer);
    }
    static constexpr DeviceCode kCode = {initialize, halide_opencl_finalize_kernels, run,
                                         halide_opencl_device_interface};
};

// A network whose text doesn't compile.
struct Broken : OpenCl {
    static int initialize(void *context, void **state) {
        constexpr char kText[] = "__kernel void add(__global float *p) { p[0] = nowhere; }";
        return halide_opencl_initialize_kernels(context, state, kText, sizeof kText);
    }
    static constexpr DeviceCode kCode = {initialize, halide_opencl_finalize_kernels, run,
                                         halide_opencl_device_interface};
};

const Network &network() { return network_of<OpenCl>(); }

EmulsionContext *open_context(const Network &of = network()) {
    EmulsionContext *context = nullptr;
    EXPECT_EQ(EMULSION_OK,
              emulsion_open_memory(of.program(), of.weights(), of.weights_bytes(), &context))
        << emulsion_open_error();
    return context;
}

void expect_results(EmulsionContext *context, unsigned seed) {
    const Inputs inputs(seed);
    Outputs outputs = {};
    ASSERT_EQ(EMULSION_OK, run(context, inputs, &outputs)) << emulsion_last_error(context);
    ASSERT_EQ(expected(network(), inputs), outputs);
}

}  // namespace

TEST(OpenClNetwork, GivesTheKernelsResultsRunAfterRun) {
    EmulsionContext *context = open_context();
    ASSERT_NE(nullptr, context);
    for (unsigned seed = 0; seed < 5; seed++) {
        expect_results(context, seed);
    }
    emulsion_close(context);
}

TEST(OpenClNetwork, OpensAFileThatMayChangeAfterwards) {
    const std::string path = testing::TempDir() + "opencl_network.weights";
    std::ofstream(path, std::ios::binary)
        .write(static_cast<const char *>(network().weights()),
               static_cast<std::streamsize>(network().weights_bytes()));
    EmulsionContext *context = nullptr;
    ASSERT_EQ(EMULSION_OK, emulsion_open(network().program(), path.c_str(), &context));
    EmulsionContext *other = nullptr;
    ASSERT_EQ(0, std::remove(path.c_str()));
    ASSERT_EQ(EMULSION_OK, emulsion_open_shared(context, &other));
    expect_results(context, 1);
    emulsion_close(context);
    expect_results(other, 2);
    emulsion_close(other);
}

TEST(OpenClNetwork, OpensAgainAfterTheLastContextIsClosed) {
    for (unsigned i = 0; i < 3; i++) {
        EmulsionContext *context = open_context();
        ASSERT_NE(nullptr, context);
        expect_results(context, i);
        emulsion_close(context);
    }
}

TEST(OpenClNetwork, ShowsAnObserverTheResultOfEachLaunch) {
    EmulsionContext *context = open_context();
    ASSERT_NE(nullptr, context);
    const Inputs inputs(3);
    Outputs outputs = {};
    std::vector<Seen> seen;
    ASSERT_EQ(EMULSION_OK, run(context, inputs, &outputs, see, &seen));
    const Outputs wanted = expected(network(), inputs);
    EXPECT_EQ(wanted, outputs);
    ASSERT_EQ(3U, seen.size());
    EXPECT_EQ("add", seen[0].label);
    for (size_t i = 0; i < inputs.x.size(); i++) {
        EXPECT_EQ(inputs.x[i] + network().bias()[i % kColumns], seen[0].elements[i]);
    }
    EXPECT_EQ(std::vector<float>(wanted.z.begin(), wanted.z.end()), seen[1].elements);
    EXPECT_EQ(std::vector<float>(wanted.q.begin(), wanted.q.end()), seen[2].elements);
    for (const Seen &launch : seen) {
        EXPECT_GT(launch.seconds, 0.0);
        EXPECT_LT(launch.seconds, 10.0);
    }
    expect_results(context, 4);
    emulsion_close(context);
}

TEST(OpenClNetwork, RunsInSeveralThreads) {
    EmulsionContext *first = open_context();
    ASSERT_NE(nullptr, first);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; t++) {
        threads.emplace_back([first, t] {
            EmulsionContext *context = nullptr;
            ASSERT_EQ(EMULSION_OK, emulsion_open_shared(first, &context)) << emulsion_open_error();
            for (unsigned i = 0; i < 50; i++) {
                expect_results(context, 100 * t + i);
            }
            emulsion_close(context);
        });
    }
    for (unsigned i = 0; i < 50; i++) {
        expect_results(first, i);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    emulsion_close(first);
}

// Each thread's context is often the last one to go, which unloads the code that others load just then.
TEST(OpenClNetwork, OpensAndClosesInSeveralThreads) {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; t++) {
        threads.emplace_back([t] {
            for (unsigned i = 0; i < 10; i++) {
                EmulsionContext *context = open_context();
                ASSERT_NE(nullptr, context);
                expect_results(context, 100 * t + i);
                emulsion_close(context);
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

TEST(OpenClNetwork, SaysWhatIsWrongWithARun) {
    EmulsionContext *context = open_context(network_of<Broken>());
    ASSERT_NE(nullptr, context);
    const Inputs inputs(1);
    Outputs outputs = {};
    EXPECT_EQ(EMULSION_KERNEL, run(context, inputs, &outputs));
    EXPECT_EQ(0U, std::string(emulsion_last_error(context)).find("OpenCL: clBuildProgram failed"))
        << emulsion_last_error(context);
    void *const to[] = {outputs.z.data(), outputs.q.data(), outputs.bias.data()};
    const void *const from[] = {inputs.x.data(), nullptr};
    EXPECT_EQ(EMULSION_ARGUMENT, emulsion_run(context, from, to, nullptr, nullptr));
    EXPECT_STREQ("input 1 is a null pointer", emulsion_last_error(context));
    emulsion_close(context);
}

namespace {

// Prints the code's sentence and the opening's own.
[[noreturn]] void fail_to_open(int wanted) {
    EmulsionContext *context = nullptr;
    int code = 0;
    for (int i = 0; i < 2; i++) {
        code = emulsion_open_memory(network().program(), network().weights(),
                                    network().weights_bytes(), &context);
    }
    std::fprintf(stderr, "%s: %s\n", emulsion_error_text(code), emulsion_open_error());
    // Another thread has not failed yet.
    std::thread([] { std::fprintf(stderr, "[%s]", emulsion_open_error()); }).join();
    const int argument = emulsion_open(network().program(), nullptr, &context);
    std::fprintf(stderr, "[%s]\n", emulsion_open_error());
    std::_Exit(code == wanted && argument == EMULSION_ARGUMENT && context == nullptr ? 0 : 1);
}

}  // namespace

TEST(OpenClNetworkDeathTest, OpeningFailsWithoutADriver) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("EMULSION_OPENCL_LIBRARY", "/nowhere/libOpenCL.so", 1);
            fail_to_open(EMULSION_NO_DRIVER);
        },
        testing::ExitedWithCode(0),
        "the library of the GPU's driver can't be opened: no OpenCL device can be used: the "
        "library that EMULSION_OPENCL_LIBRARY names can't be opened .*\n\\[\\]\\[\\]");
}

TEST(OpenClNetworkDeathTest, OpeningFailsWithoutADevice) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("OCL_ICD_VENDORS", "/nowhere", 1);
            fail_to_open(EMULSION_NO_DEVICE);
        },
        testing::ExitedWithCode(0),
        "there is no GPU that the driver can use, or no code for it: .*OpenCL");
}

}  // namespace emulsion::runtime
