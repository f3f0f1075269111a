// What units are lowered to, in workers.
#include "backend/unit_features.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "backend/planned_model.h"
#include "backend/temporary_folder.h"
#include "frontend/lower/lower_unit.h"
#include "frontend/zoo/zoo.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST(UnitFeatures, AreThoseOfTheLoweredUnits) {
    const TemporaryFolder base(fs::temp_directory_path() / "unit-features");
    const std::string model = (base.path() / "tiny_residual.onnx").string();
    write_zoo_model("tiny_residual", model);
    CompileOptions options;
    options.plan.threads = 2;
    options.jobs = 2;
    const PlannedModel planned = planned_model(loaded_model(model, options), options);
    std::vector<const Unit *> units;
    for (const PlannedLaunch &launch : planned.networks.front().launches) {
        units.push_back(&launch.unit);
    }
    Unit bad = *units.front();
    bad.plan.groups.clear();
    units.push_back(&bad);
    const std::vector<CodeFeatures> features = features_of_units(units, options);
    ASSERT_EQ(units.size(), features.size());
    for (size_t i = 0; i + 1 < units.size(); i++) {
        ASSERT_FALSE(features[i].empty()) << i;
        EXPECT_EQ(unit_features(*units[i]), features[i]) << i;
        EXPECT_LT(features[i].statements.size(), features[i].nodes.size()) << i;
    }
    EXPECT_TRUE(features.back().empty()) << "it can't be lowered";
}

}  // namespace emulsion
