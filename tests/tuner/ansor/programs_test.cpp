#include "tuner/ansor/programs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/tuner/toy_task.h"
#include "tuner/ansor/evolution.h"
#include "tuner/record.h"

namespace emulsion {

namespace {

void expect_valid(const TuningTask &task, uint64_t seed) {
    const GridPoints points(task);
    const Programs programs(points);
    std::mt19937_64 engine(seed);
    for (int i = 0; i < 200; i++) {
        const GridPoint point = programs.draw(engine);
        ASSERT_EQ("", task.space.is_valid(points.nest(point))) << task.label << " seed " << seed;
        if (const auto mutated = programs.mutate(point, engine)) {
            EXPECT_NE(point, mutated->point);
            ASSERT_EQ("", task.space.is_valid(points.nest(mutated->point)))
                << task.label << " seed " << seed << " " << mutated->mutation->name;
        }
    }
}

TEST(Programs, AreValid) {
    expect_valid(toy_task(), 1);
    for (const char *network : {"mobilenet_v1", "squeezenet1_1"}) {
        for (const RecordedTask &recorded :
             read_record(std::string(EMULSION_SOURCE_DIR "/tests/tuner/records/") + network +
                         ".jsonl.gz")) {
            expect_valid(recorded.task, 2);
        }
    }
}

TEST(Programs, AreMutatedAsOftenAsThePaperSays) {
    TuningTask task = toy_task();
    task.space.constraints.clear();
    task.space.parameters.push_back({"unroll", NestType::Count, "iterations", {1, 8}, 1});
    task.space.parameters.push_back({"tasks", NestType::Count, "tasks", {1, 8}, 1});
    task.planned = task.space.preferred();
    const GridPoints points(task);
    const Programs programs(points);
    std::mt19937_64 engine(3);
    std::map<std::string, int> counts;
    constexpr int kAll = 20'000;
    for (int i = 0; i < kAll; i++) {
        // From the middle, where hardly any change is refused.
        GridPoint point = *points.point(task.planned);
        point[0] = point[1] = 3;
        counts[programs.mutate(point, engine)->mutation->name]++;
    }
    // There is no location to mutate: the others share its weight.
    const double weights = 0.90 + 0.04 + 0.01;
    EXPECT_NEAR(0.90 / weights, counts["tile size"] / double{kAll}, 0.02);
    EXPECT_NEAR(0.04 / weights, counts["unrolling"] / double{kAll}, 0.01);
    EXPECT_NEAR(0.01 / weights, counts["parallel granularity"] / double{kAll}, 0.005);
    EXPECT_EQ(0, counts["location"]);
}

TEST(Programs, HaveNoMutationsWhereThereIsNothingToChange) {
    TuningTask task = toy_task();
    task.space.parameters = {{"rows", NestType::Count, "rows", {1, 1}, 1}};
    task.space.constraints.clear();
    task.planned = task.space.preferred();
    const GridPoints points(task);
    const Programs programs(points);
    std::mt19937_64 engine(1);
    EXPECT_EQ(programs.draw(engine), *points.point(task.planned));
    EXPECT_FALSE(programs.mutate(*points.point(task.planned), engine));
}

TEST(Evolution, FindsTheBestUnderItsScores) {
    const TuningTask task = toy_task();
    const GridPoints points(task);
    const Programs programs(points);
    const GridPoint fastest =
        *points.point({"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}});
    int scored = 0;
    const Scores scores = [&](const std::vector<GridPoint> &all) {
        std::vector<double> values;
        for (const GridPoint &point : all) {
            values.push_back(1.0 / toy_ratio(task, points.nest(point)));
            scored++;
        }
        return values;
    };
    std::mt19937_64 engine(1);
    std::vector<EvolvedProgram> population;
    for (int i = 0; i < 128; i++) {
        population.push_back({programs.draw(engine), "random"});
    }
    const EvolutionOptions options{.population = 128, .generations = 4};
    const auto wanted = [&](const GridPoint &point) { return point != fastest; };
    const std::vector<EvolvedProgram> best = evolve(
        programs, population, scores, [](const GridPoint &) { return true; }, 10, options, engine);
    ASSERT_EQ(10u, best.size());
    EXPECT_EQ(fastest, best.front().point);
    EXPECT_EQ(128 + 4 * 128, scored);
    std::set<GridPoint> all;
    for (size_t i = 0; i < best.size(); i++) {
        EXPECT_TRUE(all.insert(best[i].point).second);
        EXPECT_GE(best[i == 0 ? 0 : i - 1].score, best[i].score);
    }
    for (const EvolvedProgram &program :
         evolve(programs, population, scores, wanted, 10, options, engine)) {
        EXPECT_NE(fastest, program.point);
    }
}

}  // namespace

}  // namespace emulsion
