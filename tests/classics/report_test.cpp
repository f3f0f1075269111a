#include "bench/classics/report.h"

#include <gtest/gtest.h>

#include "tests/fusion/documented_json.h"

namespace emulsion::classics {

namespace {

Entry entry(const std::string &scheduler, double median, const std::string &failure = "") {
    return {.scheduler = scheduler, .failure = failure, .ms = {.median = median, .min = median}};
}

TEST(ClassicsReport, TakesTheGeometricMeanOfWhatBothMeasured) {
    const std::vector<PipelineEntries> all{
        {"a", {entry("Gao2025", 1.0), entry("Adams2019", 2.0)}},
        {"b", {entry("Gao2025", 4.0), entry("Adams2019", 2.0)}},
        {"c", {entry("Gao2025", 1.0), entry("Adams2019", 0.0, "killed")}}};
    const Comparison comparison = compare_with("Adams2019", all);
    EXPECT_EQ(2, comparison.pipelines);
    EXPECT_DOUBLE_EQ(1.0, comparison.mean);
}

TEST(ClassicsReport, CountsPipelinesWithoutAFasterRival) {
    const std::vector<PipelineEntries> all{
        {"a", {entry("Gao2025", 2.0), entry("Li2018", 2.0), entry("Adams2019", 3.0)}},
        {"b", {entry("Gao2025", 2.0), entry("Li2018", 1.0), entry("Adams2019", 3.0)}},
        {"c", {entry("Gao2025", 2.0), entry("Li2018", 0.0, "killed")}},
        {"d", {entry("Gao2025", 0.0, "wrong"), entry("Li2018", 0.0, "killed")}}};
    EXPECT_EQ(2, wins(all));
}

TEST(ClassicsReport, ShowsWhyAnEntryIsMissing) {
    const std::string text =
        render({{"a", {entry("Gao2025", 2.0), entry("Li2018", 0.0, "killed")}}});
    EXPECT_NE(std::string::npos, text.find("failed: Li2018 of a: killed"));
}

TEST(ClassicsReport, KeepsTheFirstPipelinesApartFromNewOnes) {
    const std::vector<Suite> suites =
        suites_of({{"colour_table", {entry("Gao2025", 3.0), entry("Li2018", 2.0)}},
                   {"box_blur", {entry("Gao2025", 1.0), entry("Li2018", 2.0)}}});
    ASSERT_EQ(2U, suites.size());
    EXPECT_EQ("first", suites[0].name);
    EXPECT_EQ("box_blur", suites[0].pipelines.front().pipeline);
    EXPECT_DOUBLE_EQ(0.5, compare_with_best(suites[0].pipelines).largest);
    EXPECT_DOUBLE_EQ(1.5, compare_with_best(suites[1].pipelines).largest);
}

TEST(ClassicsReport, ComparesWithTheBestKnownOnlyWhereSomebodyScheduledByHand) {
    const std::vector<PipelineEntries> all{
        {"a", {entry("Gao2025", 3.0), entry("Li2018", 2.0), entry("manual", 1.0)}},
        {"b", {entry("Gao2025", 4.0), entry("Li2018", 2.0), entry("manual", 3.0)}},
        {"c", {entry("Gao2025", 9.0), entry("Li2018", 1.0)}}};
    const Comparison known = compare_with_best_known(all);
    EXPECT_EQ(2, known.pipelines);
    EXPECT_DOUBLE_EQ(3.0, known.largest);
    EXPECT_EQ("a", known.worst);
    // What is done by hand is no rival.
    EXPECT_DOUBLE_EQ(1.5, compare_with_best({all[0]}).largest);
}

TEST(ClassicsReport, IsTheSameFromItsJson) {
    const std::vector<PipelineEntries> all{
        {"a", {entry("Gao2025", 3.0), entry("Li2018", 0.0, "killed"), entry("manual", 1.0)}}};
    EXPECT_EQ(render(all), render(from_json(to_json(all))));
}

TEST(ClassicsReport, FiguresAreAsDocumented) {
    const std::vector<PipelineEntries> all{{"a", {entry("Gao2025", 1.0), entry("Li2018", 2.0)}}};
    EXPECT_EQ(
        "", undocumented(nlohmann::json::parse(json_document("emulsion-classics", to_json(all)))));
}

}  // namespace

}  // namespace emulsion::classics
