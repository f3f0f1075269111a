// What networks ask of HIP, through the fake library.

#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/gpu/gpu.h"
#include "runtime/hip/HalideRuntimeHip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/network/network.h"
#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime {

namespace {

const std::string &bundle() {
    static const std::string bytes = gpu::make_bundle(
        {"gfx906"}, {{"add", {1, 1, 1}}, {"sum", {1, 1, 1}}, {"square", {1, 1, 1}}});
    return bytes;
}

struct Hip {
    static const EmulsionGpu *gpu() { return &emulsion_hip; }
    static int initialize(void *context, void **state) {
        return halide_hip_initialize_kernels(context, state, bundle().data(),
                                             static_cast<int>(bundle().size()));
    }
    static int run(void *context, void *state, const char *kernel, int blocks, size_t *sizes,
                   void **arguments, int8_t *is_buffer) {
        return halide_hip_run(context, state, kernel, blocks, 1, 1, 1, 1, 1, 0, sizes, arguments,
                              is_buffer);
    }
    static constexpr DeviceCode kCode = {initialize, halide_hip_finalize_kernels, run,
                                         halide_hip_device_interface};
};

const Network &network() { return network_of<Hip>(); }

// The kernels, on all elements at once.
void add(const void *arguments, size_t, void *) {
    struct {
        const float *x, *bias;
        float *padded;
    } a;
    std::memcpy(&a, arguments, sizeof a);
    for (int i = 0; i < kRows * kColumns; i++) {
        a.padded[i / kColumns * kPitch + i % kColumns] = a.x[i] + a.bias[i % kColumns];
    }
}

void sum(const void *arguments, size_t, void *) {
    struct {
        const float *padded;
        float *z;
    } a;
    std::memcpy(&a, arguments, sizeof a);
    for (int i = 0; i < kRows * kColumns; i++) {
        const float *p = a.padded + (i / kColumns + 1) * kPitch + i % kColumns + 1;
        a.z[i] = p[-kPitch] + p[kPitch] + p[-1] + p[1];
    }
}

void square(const void *arguments, size_t, void *) {
    struct {
        const float *z;
        const uint8_t *scale;
        float *q;
    } a;
    std::memcpy(&a, arguments, sizeof a);
    for (int i = 0; i < kRows * kColumns; i++) {
        a.q[i] = a.z[i] * a.z[i] * a.scale[2];
    }
}

size_t count(const char *call, const std::string &part) {
    size_t found = 0;
    for (size_t i = 0; i < fake_hip_count(call); i++) {
        found += std::strstr(fake_hip_line(call, i), part.c_str()) != nullptr ? 1 : 0;
    }
    return found;
}

size_t uploads(size_t bytes) {
    return count("hipMemcpyAsync",
                 "\"direction\":\"host to device\",\"bytes\":" + std::to_string(bytes) + ",");
}

size_t downloads(size_t bytes) {
    return count("hipMemcpyAsync",
                 "\"direction\":\"device to host\",\"bytes\":" + std::to_string(bytes) + ",");
}

class HipNetwork : public testing::Test {
protected:
    void SetUp() override {
        fake_hip_set_kernel("add", add, nullptr);
        fake_hip_set_kernel("sum", sum, nullptr);
        fake_hip_set_kernel("square", square, nullptr);
        fake_hip_clear();
    }
    // Everything is given back when the last context is closed, whatever failed before.
    void TearDown() override {
        EXPECT_EQ(0U, fake_hip_live_bytes());
        EXPECT_EQ(0U, fake_hip_live_modules());
    }
    static int open_context(EmulsionContext **context) {
        return emulsion_open_memory(network().program(), network().weights(),
                                    network().weights_bytes(), context);
    }
};

// Makes calls of HIP fail while it lives.
class Failing {
public:
    explicit Failing(const char *calls) { setenv("EMULSION_FAKE_HIP_FAIL", calls, 1); }
    ~Failing() { unsetenv("EMULSION_FAKE_HIP_FAIL"); }
    Failing(const Failing &) = delete;
    Failing &operator=(const Failing &) = delete;
};

}  // namespace

TEST_F(HipNetwork, UploadsWeightsOnceAndAnArenaForEachContext) {
    EmulsionContext *first = nullptr;
    EmulsionContext *second = nullptr;
    ASSERT_EQ(EMULSION_OK, open_context(&first)) << emulsion_open_error();
    ASSERT_EQ(EMULSION_OK, emulsion_open_shared(first, &second)) << emulsion_open_error();
    EXPECT_EQ(1U, uploads(network().program()->weights_bytes));
    EXPECT_EQ(2U, uploads(static_cast<size_t>(network().program()->arena_bytes)));
    EXPECT_EQ(3U, fake_hip_count("hipMemcpyAsync"));
    EXPECT_EQ(3U, fake_hip_count("hipMalloc"));
    EXPECT_EQ(2U, fake_hip_count("hipStreamCreateWithFlags"));
    emulsion_close(first);
    const Inputs inputs(1);
    Outputs outputs = {};
    EXPECT_EQ(EMULSION_OK, run(second, inputs, &outputs)) << emulsion_last_error(second);
    EXPECT_EQ(expected(network(), inputs), outputs);
    emulsion_close(second);
    EXPECT_EQ(2U, fake_hip_count("hipStreamDestroy"));
}

TEST_F(HipNetwork, CopiesInputsAndOutputsOnceARunAndWaitsOnce) {
    EmulsionContext *context = nullptr;
    ASSERT_EQ(EMULSION_OK, open_context(&context)) << emulsion_open_error();
    for (unsigned seed = 0; seed < 3; seed++) {
        fake_hip_clear();
        const Inputs inputs(seed);
        Outputs outputs = {};
        ASSERT_EQ(EMULSION_OK, run(context, inputs, &outputs)) << emulsion_last_error(context);
        EXPECT_EQ(expected(network(), inputs), outputs);
        EXPECT_EQ(1U, uploads(sizeof inputs.x));
        EXPECT_EQ(1U, uploads(sizeof inputs.scale));
        EXPECT_EQ(2U, downloads(sizeof outputs.z));
        EXPECT_EQ(1U, downloads(sizeof outputs.bias));
        EXPECT_EQ(5U, fake_hip_count("hipMemcpyAsync"));
        EXPECT_EQ(3U, fake_hip_count("hipModuleLaunchKernel"));
        EXPECT_EQ(1U, fake_hip_count("hipStreamSynchronize"));
        EXPECT_EQ(0U, fake_hip_count("hipMalloc"));
    }
    emulsion_close(context);
}

TEST_F(HipNetwork, PutsEverythingOnTheContextsStream) {
    const std::string stream = "\"stream\":" + std::to_string(reinterpret_cast<uintptr_t>(nullptr));
    EmulsionContext *contexts[2] = {};
    std::string streams[2];
    ASSERT_EQ(EMULSION_OK, open_context(&contexts[0])) << emulsion_open_error();
    ASSERT_EQ(EMULSION_OK, emulsion_open_shared(contexts[0], &contexts[1]));
    for (int i = 0; i < 2; i++) {
        fake_hip_clear();
        Outputs outputs = {};
        ASSERT_EQ(EMULSION_OK, run(contexts[i], Inputs(1), &outputs));
        streams[i] =
            "\"stream\":" + std::to_string(reinterpret_cast<uintptr_t>(stream_of(contexts[i])));
        EXPECT_EQ(5U, count("hipMemcpyAsync", streams[i]));
        EXPECT_EQ(3U, count("hipModuleLaunchKernel", streams[i]));
        EXPECT_EQ(1U, count("hipStreamSynchronize", streams[i]));
        EXPECT_NE(stream, streams[i]);
    }
    EXPECT_NE(streams[0], streams[1]);
    emulsion_close(contexts[0]);
    emulsion_close(contexts[1]);
}

TEST_F(HipNetwork, OtherUsersOfTheDeviceKeepTheNullStream) {
    gpu::TestBuffer buffer(halide_type_t(halide_type_uint, 8), {16});
    buffer.fill(1);
    buffer.set_host_dirty();
    EXPECT_EQ(0, halide_copy_to_device(nullptr, &buffer, halide_hip_device_interface()));
    EXPECT_EQ(1U, count("hipMemcpyAsync", "\"stream\":0,"));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
    halide_device_release(nullptr, halide_hip_device_interface());
}

TEST_F(HipNetwork, WaitsForEachLaunchWhenObserved) {
    EmulsionContext *context = nullptr;
    ASSERT_EQ(EMULSION_OK, open_context(&context)) << emulsion_open_error();
    const Inputs inputs(5);
    Outputs outputs = {};
    std::vector<Seen> seen;
    ASSERT_EQ(EMULSION_OK, run(context, inputs, &outputs, see, &seen));
    const Outputs wanted = expected(network(), inputs);
    EXPECT_EQ(wanted, outputs);
    ASSERT_EQ(3U, seen.size());
    EXPECT_EQ(std::vector<float>(wanted.z.begin(), wanted.z.end()), seen[1].elements);
    EXPECT_EQ(std::vector<float>(wanted.q.begin(), wanted.q.end()), seen[2].elements);
    // The interior of a tensor with a halo: what lies between its first and its last element.
    EXPECT_EQ(1U, downloads(((kRows - 1) * kPitch + kColumns) * sizeof(float)));
    emulsion_close(context);
}

TEST_F(HipNetwork, AFailedOpeningLeavesNothingBehind) {
    const std::pair<const char *, int> kCases[] = {{"hipStreamCreateWithFlags=1", EMULSION_DEVICE},
                                                   {"hipMalloc=2", EMULSION_MEMORY},
                                                   {"hipMemcpyAsync=1", EMULSION_DEVICE},
                                                   {"hipStreamSynchronize=719", EMULSION_DEVICE}};
    for (const auto &[calls, code] : kCases) {
        EmulsionContext *context = nullptr;
        {
            const Failing failing(calls);
            EXPECT_EQ(code, open_context(&context)) << calls;
        }
        EXPECT_EQ(nullptr, context);
        const std::string call(calls, std::strchr(calls, '='));
        EXPECT_EQ(0U, std::string(emulsion_open_error()).find("HIP: " + call))
            << emulsion_open_error();
        EXPECT_EQ(0U, fake_hip_live_bytes()) << calls;
        ASSERT_EQ(EMULSION_OK, open_context(&context));
        EXPECT_STREQ("", emulsion_open_error());
        emulsion_close(context);
    }
}

TEST_F(HipNetwork, AFailedRunSaysWhyAndTheNextOneIsGood) {
    EmulsionContext *context = nullptr;
    ASSERT_EQ(EMULSION_OK, open_context(&context));
    const Inputs inputs(1);
    const std::pair<const char *, int> kCases[] = {{"hipModuleLoadData=209", EMULSION_KERNEL},
                                                   {"hipModuleLaunchKernel=719", EMULSION_KERNEL},
                                                   {"hipMemcpyAsync=1", EMULSION_DEVICE},
                                                   {"hipStreamSynchronize=719", EMULSION_DEVICE}};
    for (const auto &[calls, code] : kCases) {
        Outputs outputs = {};
        {
            const Failing failing(calls);
            EXPECT_EQ(code, run(context, inputs, &outputs)) << calls;
        }
        const std::string call(calls, std::strchr(calls, '='));
        EXPECT_NE(std::string::npos, std::string(emulsion_last_error(context)).find(call))
            << emulsion_last_error(context);
        EXPECT_EQ(EMULSION_OK, run(context, inputs, &outputs)) << emulsion_last_error(context);
        EXPECT_STREQ("", emulsion_last_error(context));
        EXPECT_EQ(expected(network(), inputs), outputs);
    }
    emulsion_close(context);
}

// Even with code for a CPU: the weights of its parent's contexts are on the GPU only.
TEST_F(HipNetwork, AForkedProcessCanOnlyCloseItsParentsContexts) {
    EmulsionProgram on_cpu = *network().program();
    EmulsionOffload offload = *on_cpu.offload;
    EmulsionProgram program = on_cpu;
    on_cpu.offload = nullptr;
    offload.fallback = &on_cpu;
    program.offload = &offload;
    EmulsionContext *context = nullptr;
    ASSERT_EQ(EMULSION_OK, emulsion_open_memory(&program, network().weights(),
                                                network().weights_bytes(), &context));
    ASSERT_EQ(1, emulsion_on_gpu(context));
    const Inputs inputs(1);
    Outputs outputs = {};
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        const std::string sentence =
            "the device belongs to the process that this one was forked from";
        EmulsionContext *other = nullptr;
        bool good = emulsion_open_shared(context, &other) == EMULSION_NO_DEVICE &&
                    std::string(emulsion_open_error()).find(sentence) != std::string::npos;
        good = good && emulsion_open_memory(&program, network().weights(),
                                            network().weights_bytes(), &other) == EMULSION_OK;
        good = good && emulsion_on_gpu(other) == 0;
        emulsion_close(other);
        good = good && run(context, inputs, &outputs) == EMULSION_DEVICE &&
               std::string(emulsion_last_error(context)).find(sentence) != std::string::npos;
        emulsion_close(context);
        std::_Exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    EXPECT_EQ(0, status);
    EXPECT_EQ(EMULSION_OK, run(context, inputs, &outputs)) << emulsion_last_error(context);
    EXPECT_EQ(expected(network(), inputs), outputs);
    emulsion_close(context);
}

namespace {

[[noreturn]] void fail_to_open(int wanted) {
    EmulsionContext *context = nullptr;
    const int code = emulsion_open_memory(network().program(), network().weights(),
                                          network().weights_bytes(), &context);
    std::fprintf(stderr, "%s: %s\n", emulsion_error_text(code), emulsion_open_error());
    std::_Exit(code == wanted && context == nullptr ? 0 : 1);
}

}  // namespace

class HipNetworkDeathTest : public testing::Test {
protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(HipNetworkDeathTest, OpeningFailsWithoutADriver) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_HIP_LIBRARY", "/nowhere/libamdhip64.so", 1);
            fail_to_open(EMULSION_NO_DRIVER);
        },
        testing::ExitedWithCode(0),
        "the library of the GPU's driver can't be opened: no AMD GPU can be used: the library");
}

TEST_F(HipNetworkDeathTest, OpeningFailsWithoutADevice) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_FAIL", "hipInit=100", 1);
            fail_to_open(EMULSION_NO_DEVICE);
        },
        testing::ExitedWithCode(0),
        "there is no GPU that the driver can use, or no code for it: HIP: hipInit failed: hipErrorNoDevice");
}

TEST_F(HipNetworkDeathTest, TheFirstRunFailsOnAChipThatTheNetworkIsNotFor) {
    EXPECT_EXIT(
        {
            setenv("EMULSION_FAKE_HIP_CHIP", "gfx1030", 1);
            EmulsionContext *context = nullptr;
            emulsion_open_memory(network().program(), network().weights(),
                                 network().weights_bytes(), &context);
            Outputs outputs = {};
            const int code = run(context, Inputs(1), &outputs);
            std::fprintf(stderr, "%s\n", emulsion_last_error(context));
            std::_Exit(code == EMULSION_KERNEL ? 0 : 1);
        },
        testing::ExitedWithCode(0), "the code is for gfx906; this machine's GPU is gfx1030");
}

// As a leaked context whose owner is destroyed after main().
TEST_F(HipNetworkDeathTest, AContextMayBeClosedWhenTheProgramEnds) {
    EXPECT_EXIT(
        {
            static struct Owner {
                EmulsionContext *context = nullptr;
                ~Owner() { emulsion_close(context); }
            } owner;
            emulsion_open_memory(network().program(), network().weights(),
                                 network().weights_bytes(), &owner.context);
            std::exit(0);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace emulsion::runtime
