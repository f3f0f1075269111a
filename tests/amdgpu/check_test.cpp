#include "backend/amdgpu/check.h"

#include <functional>

#include <gtest/gtest.h>

#include "backend/amdgpu/module.h"
#include "pipelines.h"

namespace emulsion {

namespace {

// The findings of a convolution's code object on gfx906 after `change`.
class Checked : public ::testing::Test {
protected:
    HipModule hip_ = rewrite_for_hip(scaling(), {"gfx906"});
    CodeObject object_ = hip_.chips[0].object;
    std::vector<KernelLaunch> launches_ = hip_.launches;
    Chip chip_ = find_chip("gfx906");

    KernelCode &kernel() { return object_.kernels[0]; }
    std::vector<Finding> findings() const { return check_code_object(object_, launches_, chip_); }
    void expect_only(FindingKind kind) const {
        const std::vector<Finding> found = findings();
        ASSERT_EQ(1u, found.size()) << (found.empty() ? "" : found[1].sentence);
        EXPECT_EQ(kind, found[0].kind) << found[0].sentence;
        EXPECT_FALSE(found[0].sentence.empty());
    }
};

}  // namespace

TEST(Check, FindsNothingInAnyPipelineOnAnyChip) {
    std::vector<std::string> chips;
    for (const Chip &chip : all_chips()) {
        chips.push_back(chip.name);
    }
    std::vector<NamedModule> pipelines = all_pipelines();
    pipelines.push_back({"moving sum", moving_sum()});
    for (const NamedModule &p : pipelines) {
        const HipModule hip = rewrite_for_hip(p.module, chips);
        ASSERT_EQ(chips.size(), hip.chips.size());
        for (const ChipCode &code : hip.chips) {
            for (const Finding &finding : code.findings) {
                ADD_FAILURE() << p.name << " on " << code.chip << ": " << finding.kernel << ": "
                              << finding.sentence;
            }
            for (const KernelCode &kernel : code.object.kernels) {
                EXPECT_GT(kernel_waves_per_simd(kernel, hip.launches[0], find_chip(code.chip)), 0);
            }
        }
    }
}

TEST(Check, FindsSpillsOfATileThatIsTooLarge) {
    const HipModule hip = rewrite_for_hip(convolution(80), {"gfx906"});
    ASSERT_TRUE(hip.has_findings());
    bool spills = false;
    for (const Finding &finding : hip.chips[0].findings) {
        EXPECT_TRUE(smaller_schedule_helps(finding.kind)) << finding.sentence;
        spills |= finding.kind == FindingKind::Spill || finding.kind == FindingKind::Scratch;
    }
    EXPECT_TRUE(spills);
}

TEST(Check, FindsTooMuchLdsBeforeItIsCompiled) {
    const HipModule hip = rewrite_for_hip(staged_convolution(8), {"gfx906"});
    EXPECT_FALSE(hip.module);
    EXPECT_TRUE(hip.chips[0].code.empty());
    ASSERT_EQ(1u, hip.chips[0].findings.size());
    EXPECT_EQ(FindingKind::Lds, hip.chips[0].findings[0].kind);
    EXPECT_TRUE(smaller_schedule_helps(FindingKind::Lds));
}

TEST_F(Checked, HasNoFindingsAsItIs) { EXPECT_TRUE(findings().empty()); }

TEST_F(Checked, HasAFindingForEachThingThatIsTooLarge) {
    kernel().vgpr_spills = 3;
    expect_only(FindingKind::Spill);
    EXPECT_FALSE(runs_nevertheless(FindingKind::Spill));
    kernel().sgpr_spills = 2;
    expect_only(FindingKind::Spill);
    kernel().vgpr_spills = 0;
    expect_only(FindingKind::ScalarSpill);
    EXPECT_TRUE(runs_nevertheless(FindingKind::ScalarSpill));
    EXPECT_TRUE(smaller_schedule_helps(FindingKind::ScalarSpill));
    kernel().sgpr_spills = 0;
    kernel().private_bytes = 16;
    expect_only(FindingKind::Scratch);
    kernel().private_bytes = 0;
    kernel().lds_bytes = 65537;
    expect_only(FindingKind::Lds);
    kernel().lds_bytes = 0;
    kernel().vgprs = 257;
    expect_only(FindingKind::Registers);
    kernel().vgprs = 8;
    kernel().dynamic_stack = true;
    expect_only(FindingKind::DynamicStack);
    EXPECT_FALSE(smaller_schedule_helps(FindingKind::DynamicStack));
}

TEST_F(Checked, NeedsTheRegistersOfAllWavesOfAWorkgroup) {
    // 1,024 threads are four waves on each SIMD, which has 256 registers for them.
    launches_[0].block = {1024, 1, 1};
    kernel().workgroup = {1024, 1, 1};
    kernel().most_threads = 1024;
    kernel().vgprs = 64;
    EXPECT_TRUE(findings().empty());
    kernel().vgprs = 65;
    expect_only(FindingKind::Registers);
}

TEST_F(Checked, HasAFindingForAWrongLayoutOfArguments) {
    const std::vector<KernelArgument> right = kernel().arguments;
    for (size_t i = 0; i < launches_[0].arguments.size(); i++) {
        kernel().arguments[i].offset += 8;
        expect_only(FindingKind::Arguments);
        kernel().arguments = right;
        kernel().arguments[i].bytes *= 2;
        expect_only(FindingKind::Arguments);
        kernel().arguments = right;
    }
    std::swap(kernel().arguments[1], kernel().arguments[2]);
    expect_only(FindingKind::Arguments);
    kernel().arguments = right;
    kernel().arguments[0].kind = "by_value";
    expect_only(FindingKind::Arguments);
    kernel().arguments = right;
    kernel().arguments.pop_back();
    expect_only(FindingKind::Arguments);
    kernel().arguments = right;
    kernel().kernarg_bytes = 8;
    expect_only(FindingKind::Arguments);
    kernel().kernarg_bytes = 256;
    kernel().arguments.push_back({96, 8, "hidden_global_offset_x", ""});
    kernel().arguments.push_back({0, 0, "dynamic_shared_pointer", ""});
    EXPECT_TRUE(findings().empty());
    kernel().arguments.push_back({104, 4, "dynamic_shared_pointer", ""});
    expect_only(FindingKind::Arguments);
}

TEST_F(Checked, HasAFindingForAnotherWorkgroup) {
    kernel().workgroup = {8, 32, 1};
    expect_only(FindingKind::Workgroup);
    kernel().workgroup = {};
    EXPECT_TRUE(findings().empty());
    kernel().most_threads = 128;
    expect_only(FindingKind::Workgroup);
    EXPECT_FALSE(smaller_schedule_helps(FindingKind::Workgroup));
}

TEST_F(Checked, HasAFindingForAnUndefinedSymbolAnotherChipAndAMissingKernel) {
    object_.undefined = {"missing"};
    expect_only(FindingKind::Undefined);
    object_.undefined.clear();
    object_.target = "amdgcn-amd-amdhsa--gfx90a";
    expect_only(FindingKind::Target);
    object_.target = "amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-";
    EXPECT_TRUE(findings().empty());
    kernel().wavefront = 32;
    expect_only(FindingKind::Target);
    object_.kernels.clear();
    expect_only(FindingKind::Missing);
}

TEST(Check, DescribesAFindingByItsKernelOrAsTheCodes) {
    EXPECT_EQ("kernel 'k' for gfx906: many are spilled; smaller tiles or less unrolling would help",
              describe({"k", FindingKind::Spill, "many are spilled"}, "gfx906"));
    EXPECT_EQ("the code for gfx90a: nothing defines 'x'",
              describe({"", FindingKind::Undefined, "nothing defines 'x'"}, "gfx90a"));
}

TEST(Check, PacksArgumentsByTheirNaturalAlignment) {
    const auto argument = [](int bytes) {
        return LaunchArgument{"x", Halide::Int(8 * bytes), bytes, false};
    };
    const std::vector<LaunchArgument> arguments{argument(8), argument(1), argument(4), argument(2),
                                                argument(8)};
    EXPECT_EQ((std::vector<int64_t>{0, 8, 12, 16, 24}), packed_offsets(arguments));
    EXPECT_EQ(32, packed_bytes(arguments));
    EXPECT_EQ(0, packed_bytes({}));
}

}  // namespace emulsion
