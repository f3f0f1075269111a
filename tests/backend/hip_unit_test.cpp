#include "backend/hip_unit.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "backend/files.h"
#include "frontend/lower/network.h"
#include "other_clang.h"
#include "tests/lower/network_maker.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

using test::NetworkMaker;

// A convolution for gfx906, compiled with less of something than the chip has.
class HipUnits : public testing::Test {
protected:
    HipUnits() {
        NetworkMaker make(1);
        const TensorId x = make.input({1, 64, 112, 112});
        PlanOptions options;
        options.target = "amdgpu-gfx906";
        network_ = plan_network(
            make.finish({make.conv(x, {.channels = 64, .kernel = 3, .padding = 1})}), options);
        for (const PlannedLaunch &launch : network_.launches) {
            if (!launch.unit.plan.groups.empty()) {
                unit_ = &launch.unit;
            }
        }
    }

    HipUnit made_with(const std::string &attribute) const {
        const TemporaryFolder folder(fs::temp_directory_path() / "hip-unit");
        const DeviceCompiler compiler(
            {.compiler = test::clang_with_attribute(folder.path(), attribute)});
        return make_hip_unit(*unit_, "unit", compiler);
    }

    PlannedNetwork network_;
    const Unit *unit_ = nullptr;
};

}  // namespace

TEST_F(HipUnits, HaveThePlannedLoopNestWhereItFits) {
    ASSERT_NE(nullptr, unit_);
    const HipUnit made = make_hip_unit(*unit_, "unit", DeviceCompiler());
    EXPECT_EQ(0, made.shrinks);
    EXPECT_FALSE(made.hip.has_findings());
}

TEST_F(HipUnits, HaveASmallerOneWhereRegistersAreScarce) {
    const HipUnit made = made_with("amdgpu_num_vgpr(24)");
    EXPECT_LT(0, made.shrinks);
    EXPECT_FALSE(made.hip.has_findings());
}

TEST_F(HipUnits, KeepThePlannedOneWhereNoSmallerOneSavesScalarRegisters) {
    const HipUnit made = made_with("amdgpu_num_sgpr(24)");
    EXPECT_EQ(0, made.shrinks);
    ASSERT_TRUE(made.hip.has_findings());
    for (const Finding &finding : made.hip.chips[0].findings) {
        EXPECT_EQ(FindingKind::ScalarSpill, finding.kind) << finding.sentence;
    }
}

}  // namespace emulsion
