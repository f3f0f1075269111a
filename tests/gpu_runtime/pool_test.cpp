#include "runtime/gpu/pool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "runtime/hip/hip.h"
#include "tests/gpu_runtime/fake_hip/fake_hip.h"
#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime::gpu {

class Pools : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_NE(nullptr, open_device(device, &why)) << why.text;
        trim(device);
        fake_hip_clear();
    }
    void *get(size_t bytes, Stream stream = nullptr) {
        void *memory = nullptr;
        EXPECT_TRUE(allocate(device, bytes, stream, &memory, &why)) << why.text;
        return memory;
    }
    void put(void *memory, Stream stream = nullptr) {
        EXPECT_TRUE(release(device, memory, stream, &why)) << why.text;
    }
    Device &device = hip_device();
    Message why;
};

TEST_F(Pools, AFreedBlockServesTheNextRequestOfItsSizeOrALittleLess) {
    void *block = get(3000);
    put(block);
    EXPECT_EQ(block, get(2100));
    put(block);
    EXPECT_EQ(1U, fake_hip_count("hipMalloc"));
    EXPECT_EQ(0U, fake_hip_count("hipFree"));
}

TEST_F(Pools, ASmallRequestDoesNotTakeALargeBlock) {
    void *large = get(1 << 20);
    put(large);
    void *small = get(4096);
    EXPECT_NE(large, small);
    put(small);
}

TEST_F(Pools, TheSmallestBlockThatFitsIsTaken) {
    void *a = get(1400 * 256);
    void *b = get(1100 * 256);
    void *c = get(1200 * 256);
    put(a);
    put(b);
    put(c);
    EXPECT_EQ(b, get(1000 * 256));
    EXPECT_EQ(c, get(1000 * 256));
    EXPECT_EQ(a, get(1000 * 256));
    put(a);
    put(b);
    put(c);
}

TEST_F(Pools, ABlockIsGivenToAnotherStreamOnlyAfterItsOwnWasWaitedFor) {
    Stream one = nullptr;
    Stream two = nullptr;
    ASSERT_TRUE(create_stream(device, &one, &why) && create_stream(device, &two, &why));
    void *block = get(5000, one);
    put(block, one);
    void *other = get(5000, two);
    EXPECT_NE(block, other);
    ASSERT_TRUE(synchronize(device, one, &why));
    EXPECT_EQ(block, get(5000, two));
    put(block, two);
    put(other, two);
    ASSERT_TRUE(destroy_stream(device, one, &why) && destroy_stream(device, two, &why));
    const size_t calls = fake_hip_count("hipMalloc");
    void *first = get(5000);
    void *second = get(5000);
    EXPECT_EQ(calls, fake_hip_count("hipMalloc")) << "a destroyed stream uses nothing";
    put(first);
    put(second);
}

TEST_F(Pools, ABlockThatAnotherStreamFreesGoesBackToTheDriver) {
    Stream one = nullptr;
    Stream two = nullptr;
    ASSERT_TRUE(create_stream(device, &one, &why) && create_stream(device, &two, &why));
    const std::string text = "not yet copied";
    const std::pair<Stream, Stream> kCases[] = {{one, nullptr}, {nullptr, one}, {one, two}};
    for (const auto &[owner, last_use] : kCases) {
        const size_t before = fake_hip_live_bytes();
        fake_hip_clear();
        void *block = get(5000, owner);
        ASSERT_TRUE(upload(device, block, text.data(), text.size(), owner, &why)) << why.text;
        put(block, last_use);
        EXPECT_EQ(1U, fake_hip_count("hipFree"));
        EXPECT_EQ(before, fake_hip_live_bytes());
    }
    // Given to another stream meanwhile, it is that one's.
    void *block = get(5000, one);
    put(block, one);
    ASSERT_TRUE(synchronize(device, one, &why));
    ASSERT_EQ(block, get(5000, two));
    fake_hip_clear();
    put(block, two);
    EXPECT_EQ(0U, fake_hip_count("hipFree"));
    ASSERT_TRUE(destroy_stream(device, one, &why) && destroy_stream(device, two, &why));
}

TEST_F(Pools, AStreamIsGoneAlsoIfDestroyingItFails) {
    Stream stream = nullptr;
    ASSERT_TRUE(create_stream(device, &stream, &why));
    void *block = get(5000, stream);
    put(block, stream);
    setenv("EMULSION_FAKE_HIP_FAIL", "hipStreamSynchronize=719", 1);
    EXPECT_FALSE(destroy_stream(device, stream, &why));
    EXPECT_STREQ("HIP: hipStreamSynchronize failed: hipErrorLaunchFailure (719)", why.text);
    EXPECT_EQ(1U, fake_hip_count("hipStreamDestroy"));
    EXPECT_EQ(block, get(5000));
    put(block);
    ASSERT_TRUE(create_stream(device, &stream, &why));
    setenv("EMULSION_FAKE_HIP_FAIL", "hipStreamSynchronize=719,hipStreamDestroy=400", 1);
    EXPECT_FALSE(destroy_stream(device, stream, &why));
    EXPECT_STREQ("HIP: hipStreamSynchronize failed: hipErrorLaunchFailure (719)", why.text);
    setenv("EMULSION_FAKE_HIP_FAIL", "hipStreamDestroy=400", 1);
    EXPECT_FALSE(destroy_stream(device, stream, &why));
    EXPECT_STREQ("HIP: hipStreamDestroy failed: hipErrorInvalidHandle (400)", why.text);
    unsetenv("EMULSION_FAKE_HIP_FAIL");
    EXPECT_TRUE(destroy_stream(device, stream, &why)) << why.text;
}

TEST_F(Pools, WhenMemoryRunsOutKeptBlocksAreGivenBackAndItIsTriedAgain) {
    setenv("EMULSION_FAKE_HIP_MEMORY", std::to_string(fake_hip_live_bytes() + 10'000'000).c_str(),
           1);
    put(get(6'000'000));
    void *block = get(9'000'000);
    EXPECT_NE(nullptr, block);
    EXPECT_EQ(3U, fake_hip_count("hipMalloc"));
    void *more = nullptr;
    EXPECT_FALSE(allocate(device, 9'000'000, nullptr, &more, &why));
    EXPECT_STREQ(
        "HIP: hipMalloc of 9000192 bytes failed: hipErrorOutOfMemory (2); run with smaller inputs, "
        "or end other programs that use the GPU",
        why.text);
    unsetenv("EMULSION_FAKE_HIP_MEMORY");
    put(block);
}

TEST_F(Pools, AQuarterOfTheDevicesMemoryIsKeptAtMost) {
    std::vector<void *> blocks;
    for (int i = 0; i < 5; i++) {
        blocks.push_back(get(size_t{60} << 20));
    }
    const size_t before = fake_hip_live_bytes();
    for (void *block : blocks) {
        put(block);
    }
    EXPECT_EQ(1U, fake_hip_count("hipFree"));
    EXPECT_EQ(before - (size_t{60} << 20), fake_hip_live_bytes());
    void *again = get(size_t{60} << 20);
    EXPECT_TRUE(std::find(blocks.begin() + 1, blocks.end(), again) != blocks.end())
        << "the longest unused goes first";
    put(again);
}

TEST_F(Pools, ForeignMemoryAndMemoryFreedTwiceAreRefused) {
    int local = 0;
    EXPECT_FALSE(release(device, &local, nullptr, &why));
    EXPECT_NE(nullptr, strstr(why.text, "was not allocated here"));
    void *block = get(100);
    put(block);
    EXPECT_FALSE(release(device, block, nullptr, &why));
}

TEST_F(Pools, RequestsOfNothingAndOfTooMuchAreHandled) {
    put(get(0));
    void *memory = nullptr;
    EXPECT_FALSE(allocate(device, SIZE_MAX - 5, nullptr, &memory, &why));
}

TEST_F(Pools, TrimGivesEverythingBackThatIsNotInUse) {
    const size_t before = fake_hip_live_bytes();
    void *used = get(1000);
    put(get(100'000));
    trim(device);
    EXPECT_EQ(before + 1024, fake_hip_live_bytes());
    put(used);
    trim(device);
    EXPECT_EQ(before, fake_hip_live_bytes());
}

}  // namespace emulsion::runtime::gpu
