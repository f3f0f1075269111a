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
    EXPECT_NE(std::string::npos, text.find("| a | Li2018 | killed |"));
}

TEST(ClassicsReport, FiguresAreAsDocumented) {
    const std::vector<PipelineEntries> all{{"a", {entry("Gao2025", 1.0), entry("Li2018", 2.0)}}};
    EXPECT_EQ(
        "", undocumented(nlohmann::json::parse(json_document("emulsion-classics", to_json(all)))));
}

}  // namespace

}  // namespace emulsion::classics
