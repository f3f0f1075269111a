#include "backend/amdgpu/kernel_source.h"

#include <gtest/gtest.h>

#include "backend/amdgpu/launches.h"
#include "fusion/error.h"
#include "pipelines.h"

namespace emulsion {

namespace {

std::string rewritten(const Halide::Module &module) {
    return rewrite_kernels(device_text(module), kernel_shapes(collect_launches(module)));
}

size_t count(std::string_view text, std::string_view part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
        n++;
    }
    return n;
}

// The text of a staged convolution with `from` replaced by `to`, and what the error says.
class AlteredText : public ::testing::Test {
protected:
    Halide::Module module_ = staged_convolution();
    std::vector<KernelShape> shapes_ = kernel_shapes(collect_launches(module_));
    std::string text_{device_text(module_)};

    void replace(const std::string &from, const std::string &to) {
        const size_t at = text_.find(from);
        ASSERT_NE(std::string::npos, at) << from;
        text_.replace(at, from.size(), to);
    }

    std::string message() const {
        try {
            rewrite_kernels(text_, shapes_);
        } catch (const Error &error) {
            EXPECT_EQ(ErrorKind::Failed, error.kind());
            return error.what();
        }
        return "no error";
    }

    void expect_message(const std::string &part) const {
        EXPECT_NE(std::string::npos, message().find(part)) << message();
    }
    void expect_names_kernel() const { expect_message(shapes_[0].kernel); }
};

}  // namespace

TEST(KernelSource, SaysTheWorkgroupAndTheLocalMemory) {
    const Halide::Module module = staged_convolution();
    const std::string text = rewritten(module);
    EXPECT_EQ(1u, count(text, "__kernel __attribute__((reqd_work_group_size(16, 4, 4))) void "));
    EXPECT_EQ(1u, count(text, "[46080] __attribute__((aligned(16)));"));
    EXPECT_EQ(0u, count(text, "__local int16"));
    EXPECT_EQ(0u, count(text, "_at_least_one_kernel"));
    EXPECT_EQ(0u, count(text, "FP_CONTRACT"));
    EXPECT_EQ(std::string::npos, text.find('\0'));
}

TEST(KernelSource, HasNoLocalMemoryWhereTheLaunchHasNone) {
    const std::string text = rewritten(convolution());
    EXPECT_EQ(0u, count(text, "__local"));
    EXPECT_EQ(0u, count(text, "__shared"));
}

TEST(KernelSource, TakesTheLaunchsLocalMemoryWhereItsSizeIsKnownAtRunTime) {
    const std::string text = rewritten(moving_sum());
    EXPECT_EQ(1u, count(text, " = emulsion_dynamic_lds();"));
}

TEST(KernelSource, AllowsAnyWorkgroupWhereItsSizeIsKnownAtRunTime) {
    const Halide::Module module = convolution();
    std::vector<KernelShape> shapes = kernel_shapes(collect_launches(module));
    shapes[0].block.reset();
    const std::string text = rewrite_kernels(device_text(module), shapes);
    EXPECT_EQ(1u, count(text, "__attribute__((amdgpu_flat_work_group_size(1, 1024))) void "));
    EXPECT_EQ(text, rewrite_kernels(text, shapes));
}

TEST(KernelSource, RewritingRewrittenTextChangesNothing) {
    for (const NamedModule &p : all_pipelines()) {
        const std::vector<KernelShape> shapes = kernel_shapes(collect_launches(p.module));
        const std::string once = rewrite_kernels(device_text(p.module), shapes);
        EXPECT_EQ(once, rewrite_kernels(once, shapes)) << p.name;
    }
    const Halide::Module dynamic = moving_sum();
    const std::string once = rewritten(dynamic);
    EXPECT_EQ(once, rewrite_kernels(once, kernel_shapes(collect_launches(dynamic))));
}

// Workgroups of 16 x 4 x 4 threads: what the lanes of a wave share, prelude.cl finds from the numbers of threads
// before.
TEST(KernelSource, SaysHowManyThreadsThereAreAlongTheAxesBefore) {
    const std::string text = rewritten(staged_convolution());
    EXPECT_EQ(1u, count(text, " = get_local_id(0);"));
    EXPECT_EQ(1u, count(text, " = emulsion_thread_id(1, 16);"));
    EXPECT_EQ(1u, count(text, " = emulsion_thread_id(2, 64);"));
}

TEST(KernelSource, RewritesEveryKernelOfAModule) {
    const std::string text = rewritten(three_stages());
    EXPECT_EQ(3u, count(text, "__kernel "));
    EXPECT_EQ(3u, count(text, "reqd_work_group_size("));
}

TEST(KernelSource, AKernelMayHaveNoArguments) {
    const std::vector<KernelShape> shapes{{"k", std::array<int, 3>{1, 1, 1}, 0}};
    const std::string text = rewrite_kernels(
        "/*OpenCL C*/\n__kernel void k(\n,\n __local int16* __shared)\n{\n} // kernel k\n", shapes);
    EXPECT_NE(std::string::npos, text.find("void k(\n)\n{\n} // kernel k\n")) << text;
    EXPECT_EQ(text, rewrite_kernels(text, shapes));
}

TEST_F(AlteredText, IsTakenAsItIsWhereItIsHalides) { EXPECT_EQ("no error", message()); }

TEST_F(AlteredText, IsRefusedWhenTheLocalParameterIsMissing) {
    replace(",\n __local int16* ", ",\n const int ");
    expect_message("was expected to have '__local int16* NAME' as its last parameter");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenTheLocalParameterIsOfAnotherType) {
    replace("__local int16* ", "__local float* ");
    expect_message("__local int16* NAME");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenTheLocalParameterIsNotTheLast) {
    replace("__kernel void " + shapes_[0].kernel + "(\n",
            "__kernel void " + shapes_[0].kernel + "(\n __local int16* first,\n");
    expect_message("has the parameter '__local int16* first'");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenAParameterHasAnUnknownForm) {
    replace(" __address_space__in const float *restrict _in", " __read_only image2d_t _in");
    expect_message("has the parameter '__read_only image2d_t _in'");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenLocalMemoryIsUsedWithoutACast) {
    replace("  barrier(", "  _in_global_wrapper__0_is_not_it = 1;\n  barrier(");
    const size_t at = text_.find("((__local float *)");
    ASSERT_NE(std::string::npos, at);
    text_.erase(at, std::string("((__local float *)").size());
    expect_message("without a cast");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenTheLaunchGivesNoLocalMemory) {
    shapes_[0].lds_bytes = 0;
    expect_message("its launch gives it no local memory");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenALaunchedKernelIsMissing) {
    shapes_.push_back({"another", std::array<int, 3>{1, 1, 1}, 0});
    expect_message("kernel 'another' in Halide's OpenCL text is missing, though it is launched");
}

TEST_F(AlteredText, IsRefusedWhenAKernelIsNeverLaunched) {
    shapes_[0].kernel = "another";
    expect_message("is never launched");
}

TEST_F(AlteredText, IsRefusedWhenAKernelIsThereTwice) {
    const size_t at = text_.find("__kernel void " + shapes_[0].kernel);
    const std::string kernel = text_.substr(at, text_.find("\n} // kernel ", at) - at) +
                               "\n} // kernel " + shapes_[0].kernel + "\n";
    text_.insert(at, kernel);
    expect_message("is there twice");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenThereIsNoKernel) {
    text_ = "/*OpenCL C*/\n";
    shapes_.clear();
    expect_message("expected to hold a kernel");
}

TEST_F(AlteredText, IsRefusedWhenItIsNoOpenCl) {
    text_ = "// PTX";
    expect_message("expected to be OpenCL C");
}

TEST_F(AlteredText, IsRefusedWhenAKernelHasNoEnd) {
    replace("\n} // kernel ", "\n // kernel ");
    expect_message("has no body");
    expect_names_kernel();
}

TEST_F(AlteredText, IsRefusedWhenAKernelReturnsSomething) {
    replace("__kernel void", "__kernel int");
    expect_message("doesn't begin with '__kernel void NAME('");
}

TEST_F(AlteredText, IsRefusedWhenItWasRewrittenForAnotherLaunch) {
    text_ = rewrite_kernels(text_, shapes_);
    shapes_[0].block = {{32, 4, 2}};
    expect_message("was rewritten before, for another launch");
    shapes_ = kernel_shapes(collect_launches(module_));
    shapes_[0].lds_bytes = 64;
    expect_message("was rewritten before, for another launch");
    shapes_[0].lds_bytes = 0;
    expect_message("was rewritten before, for another launch");
}

}  // namespace emulsion
