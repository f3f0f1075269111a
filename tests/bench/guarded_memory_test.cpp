#include "bench/guarded_memory.h"

#include <csignal>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

TEST(GuardedMemories, GiveBuffersOfAnySizeThatCanBeWritten) {
    GuardedMemory memory;
    for (const int64_t bytes : {0, 1, 63, 64, 65, 4095, 4096, 4097, 100'000}) {
        std::byte *buffer = memory.take(bytes);
        EXPECT_EQ(0U, reinterpret_cast<uintptr_t>(buffer) % 64);
        std::memset(buffer, 1, static_cast<size_t>(bytes));
    }
    EXPECT_TRUE(memory.is_intact());
}

TEST(GuardedMemories, FindOutWhatIsWrittenCloseToABuffer) {
    for (const int64_t at : {-1, 70, 127}) {
        GuardedMemory memory;
        std::byte *buffer = memory.take(70);
        buffer[at] = std::byte{0};
        EXPECT_FALSE(memory.is_intact()) << at;
    }
}

TEST(GuardedMemoriesDeathTest, EndWhoTouchesWhatIsFurtherAway) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    GuardedMemory memory;
    const volatile std::byte *buffer = memory.take(70);
    EXPECT_EXIT(static_cast<void>(buffer[128]), testing::KilledBySignal(SIGSEGV), "");
    EXPECT_EXIT(static_cast<void>(buffer[-4096]), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace emulsion
