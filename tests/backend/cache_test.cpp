#include "backend/cache.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "backend/files.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

class Cache : public ::testing::Test {
protected:
    TemporaryFolder folder_{fs::temp_directory_path() / "cache"};

    fs::path only_entry() const {
        for (const auto &e : fs::recursive_directory_iterator(folder_.path())) {
            if (e.is_regular_file()) {
                return e.path();
            }
        }
        return {};
    }
};

}  // namespace

TEST_F(Cache, GivesBackWhatWasStored) {
    const UnitCache cache(folder_.path(), "build");
    EXPECT_FALSE(cache.find("u1"));
    const std::string object("\0\x7f"
                             "ELF",
                             5);
    cache.store("u1", object);
    EXPECT_EQ(object, cache.find("u1"));
    cache.store("u2", "");
    EXPECT_EQ("", cache.find("u2"));
    EXPECT_FALSE(UnitCache(folder_.path(), "another").find("u1"));
}

TEST_F(Cache, DetectsAndRemovesDamagedEntries) {
    const UnitCache cache(folder_.path(), "build");
    cache.store("u1", std::string(1000, 'x'));
    const fs::path entry = only_entry();
    const std::string bytes = read_file(entry);
    for (size_t at : {size_t{0}, size_t{999}, size_t{1010}, bytes.size() - 1}) {
        std::string damaged = bytes;
        damaged[at] ^= 1;
        write_file(entry, damaged);
        EXPECT_FALSE(cache.find("u1")) << at;
        EXPECT_FALSE(fs::exists(entry));
    }
    for (size_t size : {size_t{0}, size_t{20}, size_t{999}, bytes.size() - 1}) {
        write_file(entry, bytes.substr(0, size));
        EXPECT_FALSE(cache.find("u1")) << size;
    }
    cache.store("u1", "new");
    EXPECT_EQ("new", cache.find("u1"));
}

TEST_F(Cache, ForgetsTheLeastRecentlyUsed) {
    const UnitCache cache(folder_.path(), "build", 5000);
    for (int i = 0; i < 8; i++) {
        cache.store("u" + std::to_string(i), std::string(1000, 'x'));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(cache.find("u0"));  // used just now
    cache.trim();
    EXPECT_TRUE(cache.find("u0"));
    EXPECT_FALSE(cache.find("u1"));
    EXPECT_TRUE(cache.find("u7"));
}

TEST_F(Cache, WithoutAFolderItHoldsNothing) {
    for (const char *folder : {"", "/proc/nowhere"}) {
        const UnitCache cache(folder, "build");
        cache.store("u1", "x");
        EXPECT_FALSE(cache.find("u1"));
        cache.trim();
    }
}

// Also while a process runs, whose units would be kept as those of another build.
TEST_F(Cache, ABuildIsWhatTheProgramIsNow) {
    const fs::path program = folder_.path() / "program";
    write_file(program, "one");
    const std::string one = compiler_build(program);
    EXPECT_EQ(one, compiler_build(program));
    write_file(program, "another");
    EXPECT_NE(one, compiler_build(program));
    write_file(program, "one");
    EXPECT_EQ(one, compiler_build(program));
    fs::remove(program);
    EXPECT_THROW(compiler_build(program), Error);
}

TEST_F(Cache, ConcurrentUsersDoNotDisturbEachOther) {
    std::vector<std::thread> users;
    for (int t = 0; t < 4; t++) {
        users.emplace_back([&] {
            const UnitCache cache(folder_.path(), "build", 3000);
            for (int i = 0; i < 100; i++) {
                const std::string key = "u" + std::to_string(i % 7);
                const std::optional<std::string> found = cache.find(key);
                EXPECT_TRUE(!found || *found == key);
                cache.store(key, key);
                if (i % 10 == 0) {
                    cache.trim();
                }
            }
        });
    }
    for (std::thread &user : users) {
        user.join();
    }
}

}  // namespace emulsion
