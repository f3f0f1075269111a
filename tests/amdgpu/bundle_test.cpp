#include "backend/amdgpu/bundle.h"

#include <cstring>

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "runtime/gpu/bundle_reader.h"

// The runtime's reader is linked, but not the runtime that it reports errors to.
extern "C" void halide_error(void *, const char *) {}

namespace emulsion {

namespace {

const std::vector<BundledCode> kCodes{{"gfx906", std::string(1000, 'a')},
                                      {"gfx1100", std::string(65, 'b')}};
const std::vector<BundledKernel> kKernels{{"first", false, {16, 4, 4}, 46080},
                                          {"second", true, {0, 0, 0}, 0}};

}  // namespace

TEST(Bundle, IsReadBackByTheRuntime) {
    const std::string bundle = make_bundle(kCodes, kKernels);
    EmulsionBundleHeader header;
    std::memcpy(&header, bundle.data(), sizeof(header));
    EXPECT_EQ(bundle.size(), header.bytes);
    runtime::gpu::Message why;
    for (const BundledCode &code : kCodes) {
        EmulsionBundleCode entry;
        ASSERT_TRUE(runtime::gpu::choose_code(bundle.data(), bundle.size(), code.chip.c_str(),
                                              &entry, &why))
            << why.text;
        EXPECT_EQ(0u, entry.offset % EMULSION_BUNDLE_ALIGNMENT);
        EXPECT_EQ(code.code, bundle.substr(entry.offset, entry.bytes));
    }
    for (const BundledKernel &kernel : kKernels) {
        EmulsionBundleKernel entry;
        ASSERT_TRUE(runtime::gpu::find_bundle_kernel(bundle.data(), kernel.name.c_str(), &entry));
        EXPECT_EQ(kernel.dynamic_lds, (entry.flags & EMULSION_KERNEL_DYNAMIC_LDS) != 0);
        EXPECT_EQ(static_cast<uint32_t>(kernel.threads[2]), entry.threads[2]);
        EXPECT_EQ(static_cast<uint32_t>(kernel.static_lds_bytes), entry.static_lds_bytes);
    }
}

TEST(Bundle, HasNoCodeForAnotherChip) {
    const std::string bundle = make_bundle(kCodes, kKernels);
    runtime::gpu::Message why;
    EmulsionBundleCode entry;
    EXPECT_FALSE(runtime::gpu::choose_code(bundle.data(), bundle.size(), "gfx1030", &entry, &why));
    EXPECT_NE(nullptr, std::strstr(why.text, "gfx906, gfx1100"));
}

TEST(Bundle, OfTheSameCodeIsTheSameBytes) {
    EXPECT_EQ(make_bundle(kCodes, kKernels), make_bundle(kCodes, kKernels));
}

TEST(Bundle, RefusesTwoCodesForOneChipAndNamesThatAreTooLong) {
    const auto message = [](const std::vector<BundledCode> &codes) -> std::string {
        try {
            make_bundle(codes, {});
        } catch (const Error &error) {
            return error.message();
        }
        return "no error";
    };
    EXPECT_EQ("there are two codes for " + kCodes[0].chip + " in one bundle",
              message({kCodes[0], kCodes[0]}));
    EXPECT_EQ("'" + std::string(24, 'x') + "' is too long a name for a chip in a bundle",
              message({{std::string(24, 'x'), "code"}}));
}

}  // namespace emulsion
