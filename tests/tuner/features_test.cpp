#include "tuner/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/tuner/toy_task.h"

namespace emulsion {

namespace {

float feature(const PointFeatures &features, const Nest &nest, const std::string &name) {
    const auto found = std::find(features.names().begin(), features.names().end(), name);
    EXPECT_NE(features.names().end(), found) << name;
    const std::vector<float> values = features.of(nest);
    EXPECT_EQ(features.names().size(), values.size());
    return values[static_cast<size_t>(found - features.names().begin())];
}

TEST(PointFeatures, AreParametersAndHowTheyDifferFromPlanned) {
    const TuningTask task = toy_task();
    const PointFeatures features(task);
    const Nest nest{"toy", {{"rows", 8}, {"columns", 2}, {"unrolled", 1}}};
    EXPECT_FLOAT_EQ(3.0F, feature(features, nest, "s0.rows"));
    EXPECT_FLOAT_EQ(3.0F, feature(features, nest, "s0.rows-"));
    EXPECT_FLOAT_EQ(-2.0F, feature(features, nest, "s0.columns-"));
    EXPECT_FLOAT_EQ(1.0F, feature(features, nest, "s0.unrolled"));
    EXPECT_TRUE(std::isnan(feature(features, nest, "s0.axis"))) << "the nest has none";
    EXPECT_FLOAT_EQ(-2.0F, feature(features, nest, "product 0")) << "16 of 64 elements";
}

TEST(PointFeatures, CountStagesFromTheLast) {
    TuningTask task = toy_task();
    task.space.template_name = "toy+toy+toy";
    for (NestParameter &parameter : task.space.parameters) {
        parameter.name.insert(0, "0.");
    }
    task.space.constraints.clear();
    task.space.parameters.push_back({"2.rows", NestType::Count, "rows", {1, 8}, 1});
    task.planned = task.space.preferred();
    Nest nest = task.planned;
    nest.parameters["0.rows"] = 16;
    nest.parameters["2.rows"] = 4;
    const PointFeatures features(task);
    EXPECT_FLOAT_EQ(4.0F, feature(features, nest, "s2.rows"));
    EXPECT_FLOAT_EQ(2.0F, feature(features, nest, "s0.rows"));
}

TEST(PointFeatures, HaveWhatIsKnownBeforehand) {
    TuningTask task = toy_task();
    task.facts = toy_facts(task);
    const PointFeatures features(task);
    const Nest nest{"toy", {{"rows", 8}, {"columns", 2}, {"unrolled", 1}}};
    EXPECT_FLOAT_EQ(5.0F, feature(features, nest, "problem.elements"));
    const double time = toy_ratio(task, nest);
    EXPECT_NEAR(std::log2(time), feature(features, nest, "time-"), 1e-5);
}

TEST(FeatureColumns, JoinTasksThatLackSomeOfThem) {
    FeatureColumns columns;
    columns.add({"a", "b"});
    columns.add({"b", "c"});
    EXPECT_EQ((std::vector<std::string>{"a", "b", "c"}), columns.names());
    FeatureMatrix matrix;
    columns.append(matrix, {1.0F, 2.0F}, columns.columns_of({"c", "unknown"}));
    ASSERT_EQ(1u, matrix.rows());
    EXPECT_TRUE(std::isnan(matrix.values[0]));
    EXPECT_TRUE(std::isnan(matrix.values[1]));
    EXPECT_FLOAT_EQ(1.0F, matrix.values[2]);
}

}  // namespace

}  // namespace emulsion
