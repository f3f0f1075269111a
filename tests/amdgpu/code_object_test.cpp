#include "backend/amdgpu/code_object.h"

// Halide has names of its own that are macros of <elf.h>.
#include "pipelines.h"

#include <chrono>
#include <cstring>
#include <iostream>
#include <random>

#include <elf.h>
#include <gtest/gtest.h>

#include "backend/amdgpu/metadata.h"
#include "backend/amdgpu/module.h"
#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

// How long each of the tests with random bytes may take.
constexpr std::chrono::seconds kBox{2};

const std::string &some_code() {
    static const std::string code = rewrite_for_hip(staged_convolution(), {"gfx906"}).chips[0].code;
    return code;
}

// Whatever the bytes are, they are read or refused.
void read_or_refuse(const std::string &bytes) {
    try {
        read_code_object(bytes);
    } catch (const Error &error) {
        EXPECT_EQ(ErrorKind::Failed, error.kind());
    }
}

}  // namespace

TEST(CodeObject, TellsWhatAKernelTakes) {
    const HipModule hip = rewrite_for_hip(staged_convolution(), {"gfx90a"});
    const CodeObject object = read_code_object(hip.chips[0].code);
    EXPECT_EQ("amdgcn-amd-amdhsa--gfx90a", object.target);
    EXPECT_TRUE(object.undefined.empty());
    ASSERT_EQ(1u, object.kernels.size());
    const KernelCode &kernel = object.kernels[0];
    EXPECT_EQ(hip.launches[0].kernel, kernel.name);
    EXPECT_EQ(46080, kernel.lds_bytes);
    EXPECT_EQ(0, kernel.private_bytes);
    EXPECT_EQ(0, kernel.vgpr_spills);
    EXPECT_GT(kernel.vgprs, 28);
    EXPECT_LT(kernel.vgprs, 256);
    EXPECT_EQ(64, kernel.wavefront);
    EXPECT_EQ(256, kernel.most_threads);
    EXPECT_EQ((std::array<int64_t, 3>{16, 4, 4}), kernel.workgroup);
    EXPECT_EQ(24, kernel.kernarg_bytes);
    ASSERT_EQ(3u, kernel.arguments.size());
    EXPECT_EQ((KernelArgument{16, 8, "global_buffer", "float*"}), kernel.arguments[2]);
}

TEST(CodeObject, ListsUndefinedSymbols) {
    std::string code = some_code();
    Elf64_Ehdr header;
    std::memcpy(&header, code.data(), sizeof(header));
    int changed = 0;
    for (int i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        std::memcpy(&section, code.data() + header.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type == SHT_DYNSYM) {
            for (uint64_t s = 1; s < section.sh_size / sizeof(Elf64_Sym); s++) {
                const uint16_t undefined = SHN_UNDEF;
                std::memcpy(code.data() + section.sh_offset + s * sizeof(Elf64_Sym) +
                                offsetof(Elf64_Sym, st_shndx),
                            &undefined, sizeof(undefined));
                changed++;
            }
        }
    }
    const CodeObject object = read_code_object(code);
    ASSERT_GT(changed, 0);
    EXPECT_EQ(static_cast<size_t>(changed), object.undefined.size());
}

TEST(CodeObject, ThatIsTruncatedIsRefused) {
    const std::string &code = some_code();
    for (size_t bytes = 0; bytes < code.size(); bytes += bytes < 2048 ? 1 : 37) {
        EXPECT_THROW(read_code_object(code.substr(0, bytes)), Error) << bytes;
    }
}

TEST(CodeObject, WithRandomBytesNeverCrashes) {
    const unsigned seed = std::random_device()();
    std::cout << "seed " << seed << "\n";
    std::mt19937 random(seed);
    const auto end = std::chrono::steady_clock::now() + kBox;
    int tries = 0;
    for (; std::chrono::steady_clock::now() < end; tries++) {
        std::string code = some_code();
        // Most of what is read lies at the front.
        const size_t range = random() % 2 == 0 ? 1024 : code.size();
        for (unsigned flips = 1 + random() % 8; flips > 0; flips--) {
            code[random() % range] = static_cast<char>(random());
        }
        read_or_refuse(code);
    }
    std::cout << tries << " tries\n";
}

TEST(CodeObject, WithRandomMetadataNeverCrashes) {
    const unsigned seed = std::random_device()();
    std::cout << "seed " << seed << "\n";
    std::mt19937 random(seed);
    const size_t start = some_code().find("amdhsa.kernels") - 2;
    const std::string metadata = some_code().substr(start, 900);
    const auto end = std::chrono::steady_clock::now() + kBox;
    while (std::chrono::steady_clock::now() < end) {
        std::string bytes = metadata.substr(0, 1 + random() % metadata.size());
        for (unsigned flips = random() % 8; flips > 0; flips--) {
            bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        CodeObject object;
        try {
            read_metadata(bytes, &object);
        } catch (const Error &error) {
            EXPECT_EQ(ErrorKind::Failed, error.kind());
        }
    }
}

TEST(CodeObject, WithDeeplyNestedMetadataIsRefused) {
    CodeObject object;
    EXPECT_THROW(read_metadata(std::string(1 << 20, '\x91'), &object), Error);
    EXPECT_THROW(read_metadata(std::string(1 << 20, '\x81'), &object), Error);
    EXPECT_THROW(read_metadata("\xdd\xff\xff\xff\xff", &object), Error);  // a list of 2^32 - 1
}

TEST(CodeObject, OfAnotherMachineIsRefused) {
    std::string code = some_code();
    code[offsetof(Elf64_Ehdr, e_machine)] = EM_X86_64;
    EXPECT_THROW(read_code_object(code), Error);
    EXPECT_THROW(read_code_object(""), Error);
    EXPECT_THROW(read_code_object("hello"), Error);
}

}  // namespace emulsion
