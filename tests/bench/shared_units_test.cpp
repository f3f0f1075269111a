// What networks that are compared share.
#include "bench/shared_units.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "backend/compiler.h"

namespace emulsion::test {
namespace {

TEST(SharedUnits, AreKeptForTheCommandWhereTheUserWantsNoCache) {
    CompileOptions options;
    options.use_cache = false;
    {
        const SharedUnits units(options);
        EXPECT_TRUE(options.use_cache);
        EXPECT_TRUE(std::filesystem::is_directory(options.cache_folder));
    }
    EXPECT_FALSE(std::filesystem::exists(options.cache_folder));
}

TEST(SharedUnits, LeaveTheUsersCacheAlone) {
    CompileOptions options;
    options.cache_folder = "mine";
    const SharedUnits units(options);
    EXPECT_TRUE(options.use_cache);
    EXPECT_EQ("mine", options.cache_folder);
}

}  // namespace
}  // namespace emulsion::test
