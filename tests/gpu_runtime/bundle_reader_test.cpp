#include "runtime/gpu/bundle_reader.h"

#include <cstring>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "tests/gpu_runtime/support.h"

namespace emulsion::runtime::gpu {

namespace {

// On the heap, where a sanitizer sees a read beyond its end.
bool choose(const std::string &bundle, const char *chip, EmulsionBundleCode *code, Message *why) {
    const std::unique_ptr<char[]> copy(new char[bundle.size() + 1]);
    std::memcpy(copy.get() + 1, bundle.data(), bundle.size());
    return choose_code(copy.get() + 1, bundle.size(), chip, code, why);
}

const std::string &sample() {
    static const std::string bundle = make_bundle({"gfx906", "gfx90a", "gfx1100"},
                                                  {{"one", {8, 8, 1}}, {"two", {0, 0, 0}, true}});
    return bundle;
}

}  // namespace

TEST(BundleReader, TheDevicesCodeIsChosen) {
    EmulsionBundleCode code;
    Message why;
    for (const std::string chip : {"gfx906", "gfx90a", "gfx1100"}) {
        ASSERT_TRUE(choose(sample(), chip.c_str(), &code, &why)) << why.text;
        EXPECT_EQ("\177ELF" + chip, sample().substr(code.offset, code.bytes));
        EXPECT_EQ(0U, code.offset % EMULSION_BUNDLE_ALIGNMENT);
    }
    EXPECT_FALSE(choose(sample(), "gfx90", &code, &why)) << "a beginning is no match";
    EXPECT_STREQ("the code is for gfx906, gfx90a, gfx1100; this machine's GPU is gfx90", why.text);
}

TEST(BundleReader, KernelsAreFoundByTheirNames) {
    EmulsionBundleKernel kernel;
    ASSERT_TRUE(find_bundle_kernel(sample().data(), "two", &kernel));
    EXPECT_EQ(EMULSION_KERNEL_DYNAMIC_LDS, kernel.flags);
    ASSERT_TRUE(find_bundle_kernel(sample().data(), "one", &kernel));
    EXPECT_EQ(8U, kernel.threads[1]);
    EXPECT_FALSE(find_bundle_kernel(sample().data(), "on", &kernel));
}

TEST(BundleReader, ABundleThatEndsTooEarlyIsRefused) {
    EmulsionBundleCode code;
    Message why;
    for (size_t bytes = 0; bytes < sample().size(); bytes++) {
        EXPECT_FALSE(choose(sample().substr(0, bytes), "gfx906", &code, &why)) << bytes;
    }
    EXPECT_STREQ("the program's code for the GPU can't be read: its end is missing", why.text);
    EXPECT_TRUE(choose(sample() + "more", "gfx906", &code, &why));
}

TEST(BundleReader, ForeignBytesAreRefused) {
    EmulsionBundleCode code;
    Message why;
    EXPECT_FALSE(choose(std::string(500, '\177'), "gfx906", &code, &why));
    EXPECT_STREQ("the program's code for the GPU can't be read: it is no bundle", why.text);
    std::string newer = sample();
    newer[8] = 9;
    EXPECT_FALSE(choose(newer, "gfx906", &code, &why));
    EXPECT_NE(nullptr, strstr(why.text, "another version"));
    EXPECT_FALSE(choose(make_bundle({}, {}), "gfx906", &code, &why));
    EXPECT_STREQ("the code is for no GPU; this machine's GPU is gfx906", why.text);
}

// What is accepted in spite of the changes must be inside of the bundle.
TEST(BundleReader, ChangedBytesNeverLeadOutOfTheBundle) {
    const unsigned seed = std::random_device{}();
    std::mt19937 random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (int i = 0; i < 20000; i++) {
        std::string bundle = sample();
        for (unsigned changes = random() % 3 + 1; changes > 0; changes--) {
            bundle[random() % 220] = static_cast<char>(random() % 2 == 0 ? random() : 0xFF);
        }
        EmulsionBundleCode code;
        Message why;
        if (choose(bundle, "gfx906", &code, &why)) {
            ASSERT_LE(code.offset + code.bytes, bundle.size());
            EmulsionBundleKernel kernel;
            const std::unique_ptr<char[]> copy(new char[bundle.size()]);
            std::memcpy(copy.get(), bundle.data(), bundle.size());
            (void)find_bundle_kernel(copy.get(), "no such kernel", &kernel);
        }
    }
}

}  // namespace emulsion::runtime::gpu
