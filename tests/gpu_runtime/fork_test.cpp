// A process that is forked from one that uses the device.

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/gpu/device_state.h"
#include "runtime/hip/HalideRuntimeHip.h"
#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime::gpu {

namespace {

constexpr const char *kSentence =
    "HIP: the device belongs to the process that this one was forked from; open it only after fork()";
constexpr unsigned kSeconds = 20;  // after which a child is taken for stuck

// Whether `good` is true in a forked process.
bool in_child(const std::function<bool()> &good) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(kSeconds);
        std::_Exit(good() ? 0 : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

class Fork : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(nullptr, open_device(device, &why)) << why.text;
        ASSERT_TRUE(create_stream(device, &stream, &why)) << why.text;
        ASSERT_TRUE(allocate(device, 1000, stream, &memory, &why)) << why.text;
    }
    void TearDown() override {
        EXPECT_TRUE(release(device, memory, stream, &why)) << why.text;
        EXPECT_TRUE(destroy_stream(device, stream, &why)) << why.text;
        EXPECT_EQ("", errors.take());
    }
    // Whether a call failed with the sentence.
    bool refused(bool result) const { return !result && std::string(why.text) == kSentence; }

    Device &device = hip_device();
    Stream stream = nullptr;
    void *memory = nullptr;
    Errors errors;
    Message why;
};

TEST_F(Fork, AChildCannotUseItsParentsDevice) {
    fake_hip_clear();
    EXPECT_TRUE(in_child([&] {
        char text[] = "x";
        void *more = nullptr;
        Stream other = nullptr;
        return refused(open_device(device, &why) != nullptr) &&
               refused(allocate(device, 100, stream, &more, &why)) &&
               refused(upload(device, memory, text, 1, stream, &why)) &&
               refused(download(device, text, memory, 1, stream, &why)) &&
               refused(create_stream(device, &other, &why)) &&
               refused(synchronize(device, stream, &why)) && fake_hip_count(nullptr) == 0;
    }));
}

TEST_F(Fork, AChildsPipelinesFailAndItsBuffersGo) {
    const halide_device_interface_t *interface = halide_hip_device_interface();
    TestBuffer buffer(halide_type_t(halide_type_uint, 8), {100});
    TestBuffer other(halide_type_t(halide_type_uint, 8), {100});
    buffer.fill(1);
    buffer.set_host_dirty();
    ASSERT_EQ(0, halide_copy_to_device(nullptr, &buffer, interface));
    TestProgram program(make_bundle({"gfx906"}, {{"k", {0, 0, 0}}}));
    ASSERT_EQ(0, program.result());
    fake_hip_clear();
    EXPECT_TRUE(in_child([&] {
        const std::string sentence = std::string(kSentence) + "\n";
        buffer.set_host_dirty();
        bool good = halide_device_malloc(nullptr, &other, interface) != 0 &&
                    errors.take() == sentence && other.device == 0;
        good = good && halide_copy_to_device(nullptr, &buffer, interface) != 0 &&
               errors.take() == sentence;
        good =
            good && program.run("k", {1, 1, 1}, {1, 1, 1}, 0, {}) != 0 && errors.take() == sentence;
        good = good && halide_device_free(nullptr, &buffer) == 0 && buffer.device == 0;
        halide_device_release(nullptr, interface);
        return good && errors.take().empty() && fake_hip_count(nullptr) == 0;
    }));
    EXPECT_EQ(0, program.run("k", {1, 1, 1}, {1, 1, 1}, 0, {}));
    EXPECT_EQ(0, halide_device_free(nullptr, &buffer));
}

// The other threads may just hold any lock, which nobody opens in the child.
TEST_F(Fork, AChildTakesNoLocks) {
    std::atomic<bool> ended{false};
    std::thread busy([&] {
        while (!ended.load()) {
            Message message;
            void *block = nullptr;
            EXPECT_TRUE(allocate(device, 100, nullptr, &block, &message)) << message.text;
            EXPECT_TRUE(release(device, block, nullptr, &message)) << message.text;
            TestProgram program(make_bundle({"gfx906"}, {{"k", {0, 0, 0}}}));
        }
    });
    TestProgram program(make_bundle({"gfx906"}, {{"k", {0, 0, 0}}}));
    const Locked lock(device.opening);
    for (int i = 0; i < 20 && !HasFailure(); i++) {
        EXPECT_TRUE(in_child([&] {
            program.~TestProgram();
            bool good = release(device, memory, stream, &why) &&
                        destroy_stream(device, stream, &why) &&
                        refused(allocate(device, 100, stream, &memory, &why));
            trim(device);
            close_device(device);
            return good;
        }));
    }
    ended.store(true);
    busy.join();
}

TEST(ForkDeathTest, AChildThatEndsGivesNothingBack) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            // After the device's own handler, which is registered later.
            std::atexit([] { std::_Exit(fake_hip_count("hipFree") == 0 ? 0 : 1); });
            Message why;
            void *memory = nullptr;
            Device &device = hip_device();
            bool good = allocate(device, 100, nullptr, &memory, &why) &&
                        release(device, memory, nullptr, &why);
            const pid_t child = fork();
            if (child == 0) {
                std::exit(0);
            }
            int status = -1;
            good = good && waitpid(child, &status, 0) == child && status == 0;
            std::_Exit(good ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

TEST(ForkDeathTest, AChildMayOpenWhatItsParentHasNot) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            const bool good = in_child([] {
                Message why;
                return open_device(hip_device(), &why) != nullptr;
            });
            Message why;
            std::_Exit(good && open_device(hip_device(), &why) != nullptr ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
}

}  // namespace emulsion::runtime::gpu
