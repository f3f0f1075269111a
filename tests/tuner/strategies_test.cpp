#include <gtest/gtest.h>

#include <algorithm>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/grid.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// All that a strategy proposes, in batches of 5, until it ends or has proposed `most`.
std::vector<Nest> proposals(const StrategyKind &kind, const TuningTask &task, uint64_t seed,
                            size_t most, const std::vector<Result> &earlier = {}) {
    static const std::string trained = toy_predictor().to_text();
    const auto predictor =
        std::make_shared<const Predictor>(Predictor::from_text(trained, "the toy's"));
    const auto strategy =
        kind.make(task, {seed, std::make_shared<Learner>(find_model(kind.model), seed), predictor});
    strategy->observe(earlier);
    std::vector<Nest> all;
    while (all.size() < most) {
        std::vector<Nest> batch;
        for (const Proposal &proposal : strategy->propose(std::min<size_t>(5, most - all.size()))) {
            EXPECT_FALSE(proposal.origin.empty()) << kind.name;
            batch.push_back(proposal.nest);
        }
        if (batch.empty()) {
            break;
        }
        strategy->observe(toy_results(task, batch));
        all.insert(all.end(), batch.begin(), batch.end());
    }
    return all;
}

// Whether it proposes a few chosen points only.
bool ends_early(const StrategyKind &kind) { return kind.name == "bolt" || kind.name == "oneshot"; }

TEST(Strategies, ProposeValidPointsOnceAndNotThePlannedOne) {
    const TuningTask task = toy_task();
    for (const StrategyKind *kind : all_strategies()) {
        KnownPoints known;
        known.add(task.planned);
        for (const Nest &nest : proposals(*kind, task, 1, 120)) {
            EXPECT_EQ("", task.space.is_valid(nest)) << kind->name;
            EXPECT_TRUE(known.add(nest)) << kind->name << " " << point_text(nest);
        }
        if (ends_early(*kind)) {
            EXPECT_LT(task.suggested.size(), known.size()) << kind->name;
            EXPECT_GE(33u, known.size()) << kind->name;
        } else {
            EXPECT_EQ(121u, known.size()) << kind->name;
        }
        EXPECT_FALSE(kind->description.empty());
    }
}

TEST(Strategies, ProposeTheSameWithTheSameSeed) {
    const TuningTask task = toy_task();
    for (const StrategyKind *kind : all_strategies()) {
        EXPECT_EQ(proposals(*kind, task, 7, 60), proposals(*kind, task, 7, 60)) << kind->name;
        if (kind->name != "exhaustive" && !ends_early(*kind)) {
            EXPECT_NE(proposals(*kind, task, 7, 60), proposals(*kind, task, 8, 60)) << kind->name;
        }
    }
}

TEST(Strategies, DoNotProposeWhatWasMeasuredBefore) {
    const TuningTask task = toy_task();
    for (const StrategyKind *kind : all_strategies()) {
        const std::vector<Nest> before = proposals(*kind, task, 3, 40);
        for (const Nest &nest : proposals(*kind, task, 3, 40, toy_results(task, before))) {
            EXPECT_EQ(0, std::count(before.begin(), before.end(), nest)) << kind->name;
        }
    }
}

// As a session does that has no earlier results.
TEST(Strategies, LearnNothingFromNothing) {
    const TuningTask task = toy_task();
    for (const StrategyKind *kind : all_strategies()) {
        const SearchContext context{1, std::make_shared<Learner>(find_model("trees"), 1)};
        const auto asked = kind->make(task, context), told = kind->make(task, context);
        told->observe({});
        EXPECT_EQ(nests_of(asked->propose(10)), nests_of(told->propose(10))) << kind->name;
    }
}

TEST(Strategies, EndWhereThereIsNoMore) {
    TuningTask task = toy_task();
    task.space.parameters = {{"rows", NestType::Count, "rows", {1, 4}, 1},
                             {"columns", NestType::Count, "columns", {8, 8}, 8},
                             {"unrolled", NestType::Flag, "", {0, 1}, 0}};
    task.planned = task.space.preferred();
    task.suggested = GridWalk(Grid(task)).next(100);
    std::erase(task.suggested, task.planned);
    for (const StrategyKind *kind : all_strategies()) {
        EXPECT_EQ(7u, proposals(*kind, task, 1, 1000).size()) << kind->name;
    }
}

TEST(Strategies, ThatLookForwardFindTheFastest) {
    const TuningTask task = toy_task();
    const auto best_of = [&](const std::vector<Nest> &nests) {
        double best = 1.0;
        for (const Nest &nest : nests) {
            best = std::min(best, toy_ratio(task, nest));
        }
        return best;
    };
    const Nest fastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};
    for (const uint64_t seed : {1, 2, 3}) {
        for (const char *name : {"local", "ansor", "alt", "greedy", "guided", "gptune"}) {
            EXPECT_EQ(toy_ratio(task, fastest),
                      best_of(proposals(find_strategy(name), task, seed, 60)))
                << name << " seed " << seed;
        }
    }
}

TEST(Bolt, MeasuresTogetherWhatWasFaster) {
    const TuningTask task = toy_task();
    const std::vector<Nest> nests = proposals(find_strategy("bolt"), task, 1, 100);
    const Nest fastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};
    EXPECT_EQ(1, std::count(nests.begin(), nests.end(), fastest));
}

TEST(Bolt, MeasuresNothingTheSecondTime) {
    const TuningTask task = toy_task();
    const StrategyKind &bolt = find_strategy("bolt");
    const std::vector<Nest> first = proposals(bolt, task, 1, 100);
    EXPECT_TRUE(proposals(bolt, task, 1, 100, toy_results(task, first)).empty());
}

TEST(Strategies, AreNamedWhereOneIsUnknown) {
    try {
        find_strategy("annealing");
        FAIL();
    } catch (const Error &error) {
        EXPECT_STREQ(
            "unknown tuning strategy 'annealing'; known are alt, ansor, bolt, exhaustive, gptune, greedy, guided, local, oneshot, random",
            error.what());
    }
}

}  // namespace

}  // namespace emulsion
