// What the plugin does with a file of schedules that were found by measuring.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "bench/classics/image_task.h"
#include "bench/classics/schedulers.h"
#include "fusion/image/decisions_at.h"
#include "fusion/image/image_space.h"
#include "fusion/image/tuned_images.h"

namespace emulsion::classics {

namespace {

constexpr const char *kPipeline = "harris_corners";

// The schedule's source, without the numbers that Halide makes names with, and what was said meanwhile.
struct TunedSource {
    std::string source, warnings;
};

TunedSource source_with(const std::string &tuned, const Parameters &more = {}) {
    const Halide::Target target = Halide::get_host_target();
    Scheduled made = built(kPipeline, target);
    Parameters parameters{{"parallelism", "2"}};
    parameters.insert(more.begin(), more.end());
    if (!tuned.empty()) {
        parameters["tuned"] = tuned;
    }
    testing::internal::CaptureStderr();
    try {
        autoschedule(made, "Gao2025", target, parameters);
    } catch (...) {
        testing::internal::GetCapturedStderr();
        throw;
    }
    return {std::regex_replace(made.source, std::regex("([_$]?[0-9]+)+"), "N"),
            testing::internal::GetCapturedStderr()};
}

std::string refusal_with(const std::string &tuned, const Parameters &more = {}) {
    try {
        source_with(tuned, more);
    } catch (const Halide::CompileError &error) {
        return error.what();
    }
    return "";
}

// In which the output is computed in some vectors side by side.
std::string text_for(const std::string &problem, const ImageTask &task, int vectors) {
    const int last = static_cast<int>(task.graph.stages.size()) - 1;
    TunedImages tuned{task.task.scope.target, 2, "", {}};
    tuned.pipelines[problem] = {
        kPipeline, {"images", {{image_parameter(last, "vectors"), vectors}}}, 0.9};
    return to_json(tuned);
}

}  // namespace

TEST(TunedSchedules, AreTakenWhereTheFileHasThePipeline) {
    const ImageTask task = *image_task(kPipeline, {}, 2);
    const std::string untuned = source_with("").source;
    EXPECT_EQ(untuned.find(".unroll(vectors)"), std::string::npos);
    const TunedSource tuned = source_with(text_for(task.task.problem, task, 2));
    EXPECT_NE(tuned.source.find(".unroll(vectors)"), std::string::npos);
    EXPECT_EQ("", tuned.warnings);
    EXPECT_EQ(tuned.source, source_with(text_for(task.task.problem, task, 2)).source);
}

TEST(TunedSchedules, OfOtherPipelinesChangeNothingButSayOneWarning) {
    const ImageTask task = *image_task(kPipeline, {}, 2);
    const TunedSource other = source_with(text_for("i0", task, 2));
    EXPECT_EQ(source_with("").source, other.source);
    EXPECT_EQ(0U, other.warnings.find("Gao2025: warning: autoscheduler.tuned has nothing for this "
                                      "pipeline"))
        << other.warnings;
    EXPECT_EQ(1, std::count(other.warnings.begin(), other.warnings.end(), '\n'));
}

TEST(TunedSchedules, ThatAreNoneAreOneClearError) {
    const ImageTask task = *image_task(kPipeline, {}, 2);
    EXPECT_EQ("Gao2025: autoscheduler.tuned: can't read '/no/such/file'",
              refusal_with("/no/such/file"));
    EXPECT_EQ(0U, refusal_with("{").find("Gao2025: autoscheduler.tuned: "));
    EXPECT_EQ(0U, refusal_with(R"({"schema": "emulsion-plan", "version": 1})")
                      .find("Gao2025: autoscheduler.tuned: has the schema"));
    EXPECT_EQ(0U, refusal_with(text_for(task.task.problem, task, 99))
                      .find("Gao2025: autoscheduler.tuned: loop nest 'images': parameter '"));
    EXPECT_EQ("Gao2025: autoscheduler.plan and autoscheduler.tuned are given; give one of them",
              refusal_with(text_for("i0", task, 2), {{"plan", "{}"}}));
}

TEST(TunedSchedules, ThePlannedPointOfAPipelineIsWhatIsPlanned) {
    const ImageTask task = *image_task(kPipeline, {}, 2);
    TunedImages tuned{task.task.scope.target, 2, "", {}};
    tuned.pipelines[task.task.problem] = {kPipeline, task.task.planned, 1.0};
    EXPECT_EQ(source_with("").source, source_with(to_json(tuned)).source);
    const TuningTask around = tasks_around({{task, task.task.planned}}, 20).front();
    EXPECT_FALSE(around.suggested.empty());
    for (const Nest &point : around.suggested) {
        EXPECT_EQ("", around.space.is_valid(point));
    }
}

}  // namespace emulsion::classics
