#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/allocator.h"
#include "tuner/allocator_figures.h"
#include "tuner/model.h"
#include "tuner/model_figures.h"

namespace emulsion {

namespace {

TuningCurve curve(double ms, std::vector<double> best) {
    return {.planned_ms = ms, .launches = 1, .best = std::move(best), .kind = "toy"};
}

int next(const std::string &name, const std::vector<TuningCurve> &curves) {
    return find_allocator(name).make()->next(curves);
}

TEST(Allocators, GiveEveryTaskABatchAndEndWhereAllHaveEnded) {
    for (const AllocatorKind *kind : all_allocators()) {
        const auto allocator = kind->make();
        std::vector<TuningCurve> curves{curve(1.0, {}), curve(2.0, {}), curve(3.0, {})};
        std::vector<int> batches(curves.size(), 0);
        for (int batch = 0; batch < 3; batch++) {
            const int i = allocator->next(curves);
            ASSERT_LE(0, i) << kind->name;
            batches[static_cast<size_t>(i)]++;
            curves[static_cast<size_t>(i)].best.push_back(0.9);
        }
        EXPECT_EQ((std::vector<int>{1, 1, 1}), batches) << kind->name;
        curves[1].ended = true;
        for (int batch = 0; batch < 10; batch++) {
            const int i = allocator->next(curves);
            EXPECT_NE(1, i) << kind->name;
            curves[static_cast<size_t>(i)].best.push_back(0.9);
        }
        curves[0].ended = curves[2].ended = true;
        EXPECT_EQ(-1, allocator->next(curves)) << kind->name;
        EXPECT_FALSE(kind->description.empty());
    }
}

TEST(Gradient, ChoosesWhatTakesMostOrWinsMost) {
    EXPECT_EQ(1, next("gradient", {curve(1.0, {1.0}), curve(5.0, {1.0})}));
    // Both take as long now, and the second has still become faster.
    EXPECT_EQ(1, next("gradient", {curve(3.0, {1.0, 1.0, 1.0}), curve(5.0, {1.0, 0.8, 0.6})}));
    // Many batches without a gain: the other one's turn.
    EXPECT_EQ(0, next("gradient", {curve(1.0, {1.0}), curve(5.0, std::vector<double>(10, 1.0))}));
}

TEST(Gradient, HopesToBeAsFastAsTasksAlike) {
    std::vector<TuningCurve> curves{curve(4.0, {1.0, 1.0, 1.0, 1.0}),
                                    curve(4.0, {1.0, 1.0, 1.0, 1.0}),
                                    curve(1.0, {1.0, 1.0, 1.0, 1.0})};
    for (TuningCurve &each : curves) {
        each.operations = 100.0;
    }
    curves[0].kind = "other";
    // The second has as many operations as the third, and takes four times as long.
    EXPECT_EQ(1, next("gradient", curves));
    // Nobody is like the first, which takes as long.
    curves[1].operations = 0.0;
    EXPECT_EQ(0, next("gradient", curves));
}

TEST(Gradient, StopsHopingAfterFiveBatches) {
    const auto allocator = find_allocator("gradient").make();
    std::vector<TuningCurve> curves{curve(4.0, {1.0}), curve(1.0, {1.0}), curve(3.5, {1.0})};
    curves[0].operations = curves[1].operations = 100.0;
    curves[2].kind = "other";
    int of_first = 0;
    for (int batch = 0; batch < 12; batch++) {
        const int i = allocator->next(curves);
        of_first += i == 0 ? 1 : 0;
        curves[static_cast<size_t>(i)].best.push_back(1.0);
    }
    EXPECT_LE(5, of_first);
    EXPECT_GE(9, of_first) << "then what takes 3.5 ms has its turn";
}

TEST(AllocatorFigures, OfTheReferenceAreOne) {
    std::vector<NetworkRecord> networks{
        {"toy", {toy_record(toy_task("p1")), toy_record(toy_task("p2"))}}};
    networks.front().tasks[1].planned_ms = 200.0;
    const auto figures = allocator_figures(networks, {.strategy = "random", .seeds = 3});
    ASSERT_EQ(all_allocators().size(), figures.size());
    for (const AllocatorFigures &allocator : figures) {
        ASSERT_EQ(1u, allocator.times_as_soon.size());
        if (allocator.name == "round_robin") {
            EXPECT_DOUBLE_EQ(1.0, allocator.all.mean);
        } else {
            EXPECT_LT(1.0, allocator.all.mean)
                << "one task is a hundred times as large as the other";
        }
    }
    EXPECT_THROW(allocator_figures(networks, {.allocators = {"chance"}}), Error);
}

TEST(ModelFigures, AreThoseOfAModelThatRanksWell) {
    TuningTask task = toy_task();
    task.facts = toy_facts(task);
    const auto figures = model_figures({toy_record(task)}, {.samples = 40, .seeds = 3});
    ASSERT_EQ(all_models().size(), figures.size());
    EXPECT_LT(3.0, figures.front().recall.mean);
    EXPECT_LT(0.7, figures.front().rank_correlation);
}

}  // namespace

}  // namespace emulsion
