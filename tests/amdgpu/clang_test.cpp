#include "backend/amdgpu/clang.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "backend/amdgpu/code_object.h"
#include "backend/amdgpu/disassembly.h"
#include "backend/files.h"
#include "backend/process.h"
#include "fusion/chips.h"
#include "fusion/error.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

const std::string kDotKernel =
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void dot_kernel(\n"
    " __global const char4 *restrict a,\n __global const char4 *restrict b,\n"
    " __global int *restrict out)\n{\n"
    " int i = get_group_id(0) * 64 + get_local_id(0);\n"
    " out[i] = emulsion_dot4(a[i], b[i], out[i]);\n}\n";

std::string message_of(const DeviceCompiler &compiler, const std::string &source,
                       const std::string &chip) {
    try {
        compiler.compile(source, chip);
    } catch (const Error &error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST(Clang, DotProductsOfBytesAreOneInstructionOnEveryChip) {
    const DeviceCompiler compiler;
    for (const Chip &chip : all_chips()) {
        const std::vector<KernelDisassembly> kernels =
            disassemble(compiler.compile(kDotKernel, chip.name));
        ASSERT_EQ(1u, kernels.size());
        EXPECT_EQ(4, kernels[0].whole.dots) << chip.name;
    }
}

TEST(Clang, MinAndMaxAreOneInstruction) {
    const std::string source =
        "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void clamp_kernel(\n"
        " __global float4 *restrict x, __global short *restrict y)\n{\n"
        " x[get_local_id(0)] = min(max(x[get_local_id(0)] * 2.0f, (float4)0.0f), (float4)6.0f);\n"
        " y[get_local_id(0)] = max(y[get_local_id(0)], (short)3);\n}\n";
    const DeviceCompiler compiler;
    for (const Chip &chip : all_chips()) {
        const CodeObject object = read_code_object(compiler.compile(source, chip.name));
        EXPECT_EQ(1u, object.kernels.size());
        const std::vector<KernelDisassembly> kernels =
            disassemble(compiler.compile(source, chip.name));
        EXPECT_LT(kernels[0].whole.instructions, 40) << chip.name;
    }
}

TEST(Clang, DividesExactlyUnlessToldOtherwise) {
    const std::string source =
        "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void divide(\n"
        " __global float *restrict x)\n{\n"
        " x[get_local_id(0)] = x[get_local_id(0)] / x[64 + get_local_id(0)];\n}\n";
    const DeviceCompiler exact, fast({.exact_division = false});
    for (const Chip &chip : all_chips()) {
        const InstructionMix steps = disassemble(exact.compile(source, chip.name))[0].whole;
        const InstructionMix none = disassemble(fast.compile(source, chip.name))[0].whole;
        EXPECT_GE(steps.fused, 4) << chip.name;  // Newton's steps
        EXPECT_EQ(0, none.fused) << chip.name;
    }
}

TEST(Clang, LeavesNothingBehind) {
    // Other programs leave theirs for a while in the usual place.
    const TemporaryFolder own(fs::temp_directory_path() / "amdgpu-temporary");
    const char *usual = std::getenv("TMPDIR");
    const std::string before = usual != nullptr ? usual : "";
    setenv("TMPDIR", own.path().c_str(), 1);
    const DeviceCompiler compiler;
    compiler.compile(kDotKernel, "gfx906");
    EXPECT_NE("no error", message_of(compiler, "__kernel void", "gfx906"));
    EXPECT_TRUE(fs::is_empty(own.path()));
    if (usual != nullptr) {
        setenv("TMPDIR", before.c_str(), 1);
    } else {
        unsetenv("TMPDIR");
    }
}

TEST(Clang, WorksInTheFolderThatItIsGiven) {
    const TemporaryFolder own(fs::temp_directory_path() / "amdgpu-scratch");
    DeviceCompiler({.temporary = own.path()}).compile(kDotKernel, "gfx906");
    EXPECT_TRUE(fs::is_empty(own.path()));
    const std::string message =
        message_of(DeviceCompiler({.temporary = own.path() / "none"}), kDotKernel, "gfx906");
    EXPECT_NE(std::string::npos, message.find((own.path() / "none").string())) << message;
}

TEST(Clang, WritesNothingToTheTerminal) {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    DeviceCompiler().compile(kDotKernel, "gfx906");
    EXPECT_EQ("", testing::internal::GetCapturedStdout());
    EXPECT_EQ("", testing::internal::GetCapturedStderr());
}

TEST(Clang, GivesTheSameBytesTwice) {
    const DeviceCompiler compiler;
    EXPECT_EQ(compiler.compile(kDotKernel, "gfx1100"), compiler.compile(kDotKernel, "gfx1100"));
}

TEST(Clang, KeepsCodeObjectsByTheirContent) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-cache");
    const UnitCache cache(folder.path(), "test");
    const DeviceCompiler compiler({}, &cache);
    const std::string first = compiler.compile(kDotKernel, "gfx906");
    std::vector<fs::path> entries;
    for (const auto &entry : fs::recursive_directory_iterator(folder.path())) {
        if (entry.is_regular_file()) {
            entries.push_back(entry.path());
        }
    }
    ASSERT_EQ(1u, entries.size());
    EXPECT_EQ(first, compiler.compile(kDotKernel, "gfx906"));
    EXPECT_NE(first, compiler.compile(kDotKernel, "gfx90a"));
    // What is kept under the key is what comes back, so another chip, text or flag has another key.
    cache.store(entries[0].stem().string(), "kept");
    EXPECT_EQ("kept", compiler.compile(kDotKernel, "gfx906"));
    EXPECT_NE("kept", compiler.compile(kDotKernel + "\n", "gfx906"));
    EXPECT_NE("kept", DeviceCompiler({.fp_contract = "off"}, &cache).compile(kDotKernel, "gfx906"));
}

TEST(Clang, IsAnotherOneWithOtherDeviceLibrariesOrArguments) {
    const TemporaryFolder folder(fs::temp_directory_path() / "amdgpu-bitcode");
    const fs::path bitcode = folder.path() / "bitcode";
    fs::copy(ClangOptions().bitcode, bitcode);
    const std::string before = DeviceCompiler({.bitcode = bitcode}).identity("gfx906");
    EXPECT_EQ(before, DeviceCompiler({.bitcode = bitcode}).identity("gfx906"));
    EXPECT_NE(before, DeviceCompiler({.bitcode = bitcode}).identity("gfx90a"));
    EXPECT_NE(before,
              DeviceCompiler({.bitcode = bitcode, .fp_contract = "off"}).identity("gfx906"));
    // Other contents of the same size.
    std::string ocml = read_file(bitcode / "ocml.bc");
    ocml.back() = static_cast<char>(ocml.back() + 1);
    write_file(bitcode / "ocml.bc", ocml);
    EXPECT_NE(before, DeviceCompiler({.bitcode = bitcode}).identity("gfx906"));
}

TEST(Clang, TellsTheFirstErrorOfTheText) {
    const std::string message = message_of(
        DeviceCompiler(), "__kernel void k(__global int *x) {\n x[0] = nothing;\n}\n", "gfx906");
    EXPECT_NE(std::string::npos, message.find("clang-19 ended with status 1 on device code for "
                                              "gfx906: kernel 'k', line 2: "))
        << message;
    EXPECT_NE(std::string::npos, message.find("nothing")) << message;
    EXPECT_EQ(std::string::npos, message.find('\n'));
}

TEST(Clang, NamesTheKernelOfAnError) {
    const std::string text =
        "__kernel void first(__global int *x) {\n x[0] = 1;\n}\n"
        "__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void second(\n"
        " __global int *x)\n{\n x[0] = nothing;\n}\n"
        "__kernel void third(__global int *x) {\n x[0] = 1;\n}\n";
    const std::string message = message_of(DeviceCompiler(), text, "gfx906");
    EXPECT_NE(std::string::npos, message.find("kernel 'second', line 7: ")) << message;
    const std::string outside =
        message_of(DeviceCompiler(), "int f(void) { return x; }\n", "gfx906");
    EXPECT_NE(std::string::npos, outside.find("gfx906: line 1: ")) << outside;
}

TEST(Clang, TellsASymbolThatNothingDefines) {
    const std::string message = message_of(DeviceCompiler(),
                                           "int missing(int);\n__kernel void k(__global int *x) {\n"
                                           " x[0] = missing(x[0]);\n}\n",
                                           "gfx906");
    EXPECT_NE(std::string::npos, message.find("symbol: missing")) << message;
    EXPECT_NE(std::string::npos, message.find("function 'k'")) << message;
}

TEST(Clang, NamesThePackageThatIsMissing) {
    const auto message = [](const ClangOptions &options) {
        try {
            DeviceCompiler(options).compile(kDotKernel, "gfx906");
        } catch (const Error &error) {
            EXPECT_EQ(ErrorKind::Failed, error.kind());
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(std::string::npos,
              message({.compiler = "no-such-clang"}).find("install the package clang-19"));
    EXPECT_NE(std::string::npos,
              message({.linker = "no-such-lld"}).find("install the package lld-19"));
    const std::string bitcode = message({.bitcode = "/nowhere"});
    EXPECT_NE(std::string::npos, bitcode.find("install the package rocm-device-libs")) << bitcode;
    EXPECT_NE(std::string::npos, bitcode.find("/nowhere/opencl.bc")) << bitcode;
}

TEST(Clang, RefusesAnUnknownChip) {
    const std::string message = message_of(DeviceCompiler(), kDotKernel, "gfx42");
    EXPECT_NE(std::string::npos, message.find("gfx906, gfx90a, gfx942, gfx1030, gfx1100"))
        << message;
}

}  // namespace emulsion
