#include "bench/classics/image_task.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tuner/features.h"

namespace emulsion::classics {

namespace {

std::vector<ImageTask> harris_corners() {
    std::vector<ImageTask> sizes;
    for (const char *size : {"width=37,height=23", "width=640,height=480", "width=1536"}) {
        sizes.push_back(*image_task("harris_corners", parameters_from(size), 2));
    }
    return sizes;
}

}  // namespace

TEST(Parameters, AreReadAsTheyAreWritten) {
    const Parameters parameters = parameters_from("width=640,height=480");
    EXPECT_EQ((Parameters{{"height", "480"}, {"width", "640"}}), parameters);
    EXPECT_EQ("height=480,width=640", text_of(parameters));
    EXPECT_TRUE(parameters_from("").empty());
    for (const char *wrong : {"640x480", "width=", "=640", "width=1,width=2", "width=1,,"}) {
        EXPECT_THROW(parameters_from(wrong), Error) << wrong;
    }
}

TEST(ImageTask, OfEverySizeIsAnotherProblemOfOneKind) {
    const std::vector<ImageTask> sizes = harris_corners();
    std::vector<FastestPoint> points;
    for (const ImageTask &size : sizes) {
        points.push_back({size, size.task.planned});
    }
    // What one of them has tiled matters in all.
    points.back().best.parameters["1.vectors"] = 2;
    const std::vector<TuningTask> around = tasks_around(points, 8);
    const std::vector<std::string> names = PointFeatures(around.front()).names();
    for (size_t i = 0; i < around.size(); i++) {
        EXPECT_EQ(names, PointFeatures(around[i]).names());
        EXPECT_FALSE(around[i].space.parameters.empty());
        EXPECT_EQ("", around[i].space.is_valid(around[i].planned));
        for (size_t j = 0; j < i; j++) {
            EXPECT_NE(around[i].problem, around[j].problem);
        }
    }
    EXPECT_EQ("harris_corners height=23,width=37", around.front().label);
}

TEST(ImageTask, KnowsItsSizes) {
    std::vector<double> before;
    for (const ImageTask &size : harris_corners()) {
        std::vector<double> sizes;
        for (const Fact &fact : size.task.facts->of_problem()) {
            sizes.push_back(fact.value);
        }
        EXPECT_EQ(2U, sizes.size());
        EXPECT_GT(sizes, before);
        before = sizes;
    }
}

}  // namespace emulsion::classics
