// That the experiments with matrix instructions (docs/matrix-instructions.md) come out with them, and that
// each lane of a wave passes and stores the elements that they expect of it.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "backend/amdgpu/disassembly.h"
#include "backend/amdgpu/module.h"
#include "backend/files.h"
#include "backend/process.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

HipModule compiled(const std::string &name, const Halide::GeneratorParamsMap &params,
                   const std::vector<std::string> &chips) {
    const Halide::Internal::AbstractGeneratorPtr generator =
        Halide::Internal::get_registered_generators().create(
            name, Halide::GeneratorContext(
                      Halide::Target("x86-64-linux-opencl-no_runtime-no_asserts-no_bounds_query")));
    generator->set_generatorparam_values(params);
    return rewrite_for_hip(generator->build_module(name), chips);
}

// What stands for the device when its kernels are compiled for the CPU. The instructions get pointers:
// how vectors are passed is a matter between compilers.
const char *const kPrelude = R"(
int emulated_lane(void);
int emulated_group(int d);
#define get_local_id(d) emulated_lane()
#define get_group_id(d) emulated_group(d)
#define reqd_work_group_size(x, y, z) annotate("")
void emulated_mfma(const float *a, const float *b, float *c);
void emulated_wmma(const int *a, const int *b, float *c);
static float16 emulsion_mfma_32x32x2(float16 a, float16 b, float16 c) {
    emulated_mfma((const float *)&a, (const float *)&b, (float *)&c);
    return c;
}
void emulated_mfma_of_halves(const long *a, const long *b, float *c);
static float16 emulsion_mfma_32x32x8(long16 a, long16 b, float16 c) {
    emulated_mfma_of_halves((const long *)&a, (const long *)&b, (float *)&c);
    return c;
}
static float8 emulsion_wmma_16x16x16(int8 a, int8 b, float8 c) {
    emulated_wmma((const int *)&a, (const int *)&b, (float *)&c);
    return c;
}
)";

// A thread for every lane, which waits for the others wherever the wave works together. Elements are
// where AMD's manuals of the instruction sets put them ("CDNA3", chapter 7; "RDNA3", chapter 7.9).
// Halves are integers below 16 here.
const char *const kProductProgram = R"(
#include <barrier>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

constexpr int rows = 128, columns = 64, depth = 32;
static thread_local int lane, group[2];
static std::barrier<> *wave;
static float a_of[64][16], b_of[64][16];

extern "C" int emulated_lane() { return lane; }
extern "C" int emulated_group(int d) { return group[d]; }
static void mfma(float *c, int halves) {
    wave->arrive_and_wait();
    for (int i = 0; i < 16; i++) {
        const int row = 8 * (i / 4) + 4 * (lane / 32) + i % 4, column = lane % 32;
        for (int k = 0; k < 2 * halves; k++) {
            const int from = 32 * (k / halves);
            c[i] += a_of[row + from][k % halves] * b_of[column + from][k % halves];
        }
    }
    wave->arrive_and_wait();
}
extern "C" void emulated_mfma(const float *a, const float *b, float *c) {
    a_of[lane][0] = *a;
    b_of[lane][0] = *b;
    mfma(c, 1);
}
extern "C" void emulated_mfma_of_halves(const long *a, const long *b, float *c) {
    for (int k = 0; k < 4; k++) {
        a_of[lane][k] = *a >> 16 * k & 15;
        b_of[lane][k] = *b >> 16 * k & 15;
    }
    mfma(c, 4);
}
extern "C" void emulated_wmma(const int *a, const int *b, float *c) {
    for (int k = 0; k < 16; k++) {
        a_of[lane][k] = a[k / 2] >> 16 * (k % 2) & 15;
        b_of[lane][k] = b[k / 2] >> 16 * (k % 2) & 15;
    }
    wave->arrive_and_wait();
    for (int i = 0; i < 8; i++) {
        const int row = 2 * i + lane / 16, column = lane % 16;
        for (int k = 0; k < 16; k++) c[i] += a_of[row][k] * b_of[column][k];
    }
    wave->arrive_and_wait();
}

extern "C" void KERNEL(const ELEMENT *, const ELEMENT *, float *);
static int a_value(int row, int k) { return (row * 7 + k * 3) % 11; }
static int b_value(int column, int k) { return (column * 5 + k) % 13; }

int main() {
    std::vector<ELEMENT> a(rows * depth), b(columns * depth);
    std::vector<float> c(rows * columns, -1.0f);
    // PACK values of k to an element; then the row or column is innermost, or k.
    const auto pack = [](std::vector<ELEMENT> &to, int size, int (*value)(int, int)) {
        for (int i = 0; i < size * depth; i++) {
            const int side = i % size, k = i / size;
            const int at = K_INNERMOST ? side * (depth / PACK) + k / PACK : k / PACK * size + side;
            to[at] += static_cast<ELEMENT>(static_cast<int64_t>(value(side, k)) << 16 * (k % PACK));
        }
    };
    pack(a, rows, a_value);
    pack(b, columns, b_value);
    std::barrier<> all(LANES);
    wave = &all;
    std::vector<std::thread> lanes;
    for (int l = 0; l < LANES; l++) {
        lanes.emplace_back([&, l] {
            lane = l;
            for (group[1] = 0; group[1] < GRID_Y; group[1]++)
                for (group[0] = 0; group[0] < GRID_X; group[0]++) KERNEL(a.data(), b.data(), c.data());
        });
    }
    for (std::thread &t : lanes) t.join();
    int wrong = 0;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            float sum = 0;
            for (int k = 0; k < depth; k++) sum += a_value(row, k) * b_value(column, k);
            wrong += c[row * columns + column] != sum;
        }
    }
    std::printf("%d wrong", wrong);
}
)";

// `pack`: values in an element of the buffers.
void run_on_the_cpu(const std::string &generator, const std::string &chip,
                    Halide::GeneratorParamsMap params, const std::string &element, int pack,
                    bool k_innermost) {
    params.insert({{"rows", "128"}, {"columns", "64"}, {"depth", "32"}});
    const HipModule hip = compiled(generator, params, {chip});
    ASSERT_EQ(1u, hip.launches.size());
    const KernelLaunch &launch = hip.launches[0];
    for (size_t i = 0; i < 3; i++) {
        ASSERT_EQ("abc"[i], launch.arguments[i].name[0]);
    }
    const TemporaryFolder folder(fs::temp_directory_path() / "matrix-product");
    const std::string kernels = folder.path() / "kernels.cl", object = folder.path() / "kernels.o",
                      program = folder.path() / "main";
    write_file(kernels, kPrelude + hip.source);
    write_file(program + ".cpp", kProductProgram);
    ToolResult built = run_tool({"clang-19", "-x", "cl", "-cl-std=CL1.2", "-target",
                                 "x86_64-linux-gnu", "-O1", "-w", "-c", kernels, "-o", object},
                                "clang-19");
    ASSERT_EQ(0, built.status) << built.output;
    std::vector<std::string> command{"c++", "-std=c++20", "-O1", "-w", "-pthread"};
    for (const std::string &definition :
         {"KERNEL=" + launch.kernel, "ELEMENT=" + element, fmt::format("PACK={}", pack),
          fmt::format("K_INNERMOST={:d}", k_innermost),
          fmt::format("LANES={}", constant_block(launch).value()[0]),
          fmt::format("GRID_X={}", constant_value(launch.grid[0]).value()),
          fmt::format("GRID_Y={}", constant_value(launch.grid[1]).value())}) {
        command.push_back("-D" + definition);
    }
    command.insert(command.end(), {program + ".cpp", object, "-o", program});
    built = run_tool(command, "g++");
    ASSERT_EQ(0, built.status) << built.output;
    EXPECT_EQ("0 wrong", run_tool({program}, "").output);
}

void expect_matrix_instructions(const std::string &generator,
                                const Halide::GeneratorParamsMap &params,
                                const std::vector<std::string> &chips, int per_lane) {
    for (const ChipCode &chip : compiled(generator, params, chips).chips) {
        EXPECT_TRUE(chip.findings.empty()) << generator << " " << chip.chip;
        const std::vector<KernelDisassembly> kernels = disassemble(chip.code);
        ASSERT_EQ(1u, kernels.size());
        const InstructionMix &mix = kernels[0].hottest;
        EXPECT_EQ(mix.matrix, mix.multiply_adds()) << generator << " " << chip.chip;
        EXPECT_GE(mix.matrix / per_lane, 0.12 * mix.instructions) << generator << " " << chip.chip;
        EXPECT_EQ(0, kernels[0].whole.scratch_accesses) << generator << " " << chip.chip;
    }
}

}  // namespace

TEST(MatrixProducts, AreMatrixInstructions) {
    expect_matrix_instructions("mfma_product", {}, {"gfx90a", "gfx942"}, 32 * 32 * 2 / 64);
    expect_matrix_instructions("mfma_product", {{"halves", "true"}}, {"gfx90a", "gfx942"},
                               32 * 32 * 8 / 64);
    expect_matrix_instructions("wmma_product", {}, {"gfx1100"}, 16 * 16 * 16 / 32);
}

TEST(MatrixProducts, OfMfmaHaveEveryElementInItsLane) {
    run_on_the_cpu("mfma_product", "gfx942", {}, "float", 1, false);
    run_on_the_cpu("mfma_product", "gfx942", {{"halves", "true"}}, "int64_t", 4, false);
}

TEST(MatrixProducts, OfWmmaHaveEveryElementInItsLane) {
    run_on_the_cpu("wmma_product", "gfx1100", {}, "int32_t", 2, true);
}

}  // namespace emulsion
