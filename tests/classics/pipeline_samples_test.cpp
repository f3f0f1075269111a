// Schedules that are drawn for a classic pipeline fit it, are priced, and are read again as they were written.
#include "bench/classics/pipeline_samples.h"

#include <gtest/gtest.h>

#include "bench/classics/fit_pipelines.h"
#include "fusion/image/decisions_json.h"
#include "tests/fusion/documented_json.h"

namespace emulsion::classics {

namespace {

// As if each schedule took what is predicted on a machine with these constants.
SampledPipeline sampled(const std::string &name, const MachineConstants &truth) {
    const CpuMachine machine = image_machine(Halide::get_host_target(), 2, "");
    SampledPipeline pipeline = *analysed(name, machine);
    for (ImagePoint &point : image_points(pipeline.graph, machine, {.points = 6})) {
        pipeline.samples.push_back({point.label, std::move(point.decisions), 1.0});
    }
    Machine real(machine);
    set_constants(real, truth);
    const auto times = timed_predictions(pipeline, real.cpu());
    for (size_t i = 0; i < times.size(); i++) {
        pipeline.samples[i].ms = times[i].predicted_ms;
    }
    return pipeline;
}

TEST(PipelineSamples, OfTheSameMachineArePredictedExactly) {
    const SampledPipeline pipeline = sampled("unsharp_mask", {});
    const auto timed = timed_predictions(pipeline, pipeline.machine);
    ASSERT_EQ(6U, timed.size());
    const PredictionFigures figures = figures_of(timed, decision_pairs(pipeline, timed));
    EXPECT_EQ(15U, figures.pairs.size());
    EXPECT_DOUBLE_EQ(0.0, figures.median_error);
    EXPECT_EQ(figures.decisive(), figures.agreeing());
}

TEST(PipelineSamples, AreReadAgainAsTheyWereWritten) {
    const SampledPipeline pipeline = sampled("box_blur", {});
    const auto timed = timed_predictions(pipeline, pipeline.machine);
    const Json json{{"threads", 2}, {"samples", samples_json(pipeline, timed)}};
    EXPECT_EQ(
        "", undocumented(nlohmann::json::parse(json_document("emulsion-classics-examine", json))));
    const std::vector<SampledPipeline> read = samples_from(json, "");
    ASSERT_EQ(1U, read.size());
    ASSERT_EQ(pipeline.samples.size(), read[0].samples.size());
    const auto again = timed_predictions(read[0], read[0].machine);
    for (size_t i = 0; i < timed.size(); i++) {
        EXPECT_EQ(pipeline.samples[i].label, read[0].samples[i].label);
        EXPECT_DOUBLE_EQ(timed[i].measured_ms, again[i].measured_ms);
        EXPECT_DOUBLE_EQ(timed[i].predicted_ms, again[i].predicted_ms);
    }
}

TEST(PipelineSamples, AFitComesCloserToAnotherMachine) {
    const std::vector<SampledPipeline> pipelines{
        sampled("box_blur", {{"image_operation_cycles", 0.8}, {"image_task_cycles", 400.0}})};
    const MachineConstants start = constants_of(pipelines[0].machine);
    const MachineConstants fitted = fit_pipelines(pipelines, start, [](double) {});
    const CalibrationErrors before = calibration_errors(pipelines, start),
                            after = calibration_errors(pipelines, fitted);
    EXPECT_LT(after.times, before.times);
    EXPECT_EQ(start.at("memory_bytes_per_cycle"), fitted.at("memory_bytes_per_cycle"));
}

TEST(PipelineSamples, NetworksAreLeftOut) {
    const CpuMachine machine = image_machine(Halide::get_host_target(), 2, "");
    EXPECT_FALSE(analysed("matrix_product", machine).has_value());
}

}  // namespace

}  // namespace emulsion::classics
