#include "tuner/learned_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tests/tuner/toy_task.h"
#include "tuner/allocator_figures.h"
#include "tuner/grid.h"
#include "tuner/model_figures.h"
#include "tuner/record.h"
#include "tuner/replay_figures.h"

namespace emulsion {

namespace {

std::unique_ptr<Strategy> made(const std::string &name, const TuningTask &task) {
    return find_strategy(name).make(task, {1, std::make_shared<Learner>(find_model("trees"), 1)});
}

TEST(LearnedSearch, BeginsWithWhatTheMachineSuggestsAndThenPredicts) {
    const TuningTask task = toy_task();
    for (const char *name : {"ansor", "alt", "greedy", "guided"}) {
        const auto strategy = made(name, task);
        const std::vector<Proposal> first = strategy->propose(8);
        ASSERT_EQ(8u, first.size());
        for (size_t i = 0; i < first.size(); i++) {
            EXPECT_EQ(i < 4 ? "suggested" : "random", first[i].origin) << name;
            EXPECT_FALSE(first[i].predicted) << name;
        }
        strategy->observe(toy_results(task, nests_of(first)));
        const std::vector<Proposal> second = strategy->propose(8);
        const auto predicted = std::count_if(second.begin(), second.end(), [](const Proposal &p) {
            return p.predicted.has_value();
        });
        EXPECT_LE(7, predicted) << name;
    }
}

TEST(LearnedSearch, BeginsWithWhatAPredictorPicksWhereItKnowsTheTask) {
    const auto predictor = std::make_shared<const Predictor>(toy_predictor());
    TuningTask task = toy_task("p9");
    task.facts = toy_facts(task);
    const auto origins = [&](const char *name, const TuningTask &of) {
        std::map<std::string, int> count;
        const auto learner = std::make_shared<Learner>(find_model("trees"), 1);
        for (const Proposal &proposal :
             find_strategy(name).make(of, {1, learner, predictor})->propose(8)) {
            count[proposal.origin]++;
        }
        return count;
    };
    TuningTask elsewhere = task;
    elsewhere.scope.threads++;
    for (const char *name : {"ansor", "alt", "greedy", "guided"}) {
        EXPECT_EQ((std::map<std::string, int>{{"predicted", 4}}), origins(name, task)) << name;
        EXPECT_EQ((std::map<std::string, int>{{"suggested", 4}, {"random", 4}}),
                  origins(name, elsewhere))
            << name;
    }
}

TEST(LearnedSearch, ProposesAgainWhatWasGivenBack) {
    const TuningTask task = toy_task();
    for (const char *name : {"ansor", "alt", "greedy", "guided"}) {
        const auto strategy = made(name, task);
        const std::vector<Nest> first = nests_of(strategy->propose(1000));
        strategy->give_back(first);
        EXPECT_LE(first.size(), strategy->propose(1000).size()) << name;
    }
}

// What differs from a measured point by one step, or from the planned nest.
TEST(Guided, StaysAroundWhatWasMeasured) {
    const TuningTask task = toy_task();
    const Grid grid(task);
    const auto strategy = made("guided", task);
    const std::vector<Nest> first = nests_of(strategy->propose(8));
    strategy->observe(toy_results(task, first));
    std::set<std::string> around;
    const auto expand = [&](const Nest &nest) {
        for (const auto &nests : {grid.neighbours(nest), grid.exchanges(nest)}) {
            for (const Nest &near : nests) {
                around.insert(point_text(near));
            }
        }
    };
    expand(task.planned);
    std::for_each(first.begin(), first.end(), expand);
    for (const Proposal &proposal : strategy->propose(8)) {
        EXPECT_EQ(1u, around.count(point_text(proposal.nest))) << point_text(proposal.nest);
        EXPECT_TRUE(proposal.predicted);
    }
}

TEST(Alt, TakesTurnsAndLeavesOutWhatFails) {
    const TuningTask task = toy_task();
    const auto strategy = made("alt", task);
    std::vector<std::string> origins;
    int failing = 0;
    for (int batch = 0; batch < 8; batch++) {
        const std::vector<Proposal> proposals = strategy->propose(8);
        origins.push_back(proposals.front().origin);
        std::vector<Result> results = toy_results(task, nests_of(proposals));
        for (Result &result : results) {
            if (result.nest.parameters.at("rows") > 4) {
                result = {result.nest, Outcome::Crashed, 0.0, 0.0, 0.1, "signal 11"};
                failing += batch >= 4 ? 1 : 0;
            }
        }
        strategy->observe(results);
    }
    EXPECT_EQ((std::vector<std::string>{"suggested", "uncertain", "best", "uncertain", "best",
                                        "uncertain", "best", "uncertain"}),
              origins);
    // Of a point drawn at random, one in two fails.
    EXPECT_GE(8, failing);
}

class SlowReplays : public testing::Test {
protected:
    SlowReplays() {
        std::vector<std::string> files;
        for (const auto &entry : std::filesystem::directory_iterator(
                 EMULSION_SOURCE_DIR "/tests/tuner/records/spread")) {
            files.push_back(entry.path().string());
        }
        std::sort(files.begin(), files.end());
        for (const std::string &file : files) {
            networks_.push_back(read_network_record(file));
            const std::vector<RecordedTask> &tasks = networks_.back().tasks;
            record_.insert(record_.end(), tasks.begin(), tasks.end());
        }
    }

    std::vector<NetworkRecord> networks_;
    std::vector<RecordedTask> record_;
};

// Of measurements: what Ansor's paper claims of its model, its search and its task scheduler.
TEST_F(SlowReplays, ShowThatAModelRanksThreeTimesBetterThanChance) {
    EXPECT_LE(3.0, model_figures(record_, {.models = {"trees"}, .seeds = 2}).front().recall.mean);
}

TEST_F(SlowReplays, ShowThatAnsorNeedsHalfOfRandomsTrials) {
    const ReplayFigures figures =
        replay_figures(record_, {.strategies = {"ansor"}, .seeds = 2, .knows_suggestions = false});
    EXPECT_LE(1.0, figures.strategies.front().times_as_soon.mean);
    const ReplayFigures told = replay_figures(record_, {.strategies = {"ansor"}, .seeds = 2});
    EXPECT_LE(2.0, told.strategies.front().times_as_soon.mean);
}

TEST_F(SlowReplays, ShowThatTheGradientIsSoonerThanTurns) {
    const auto figures = allocator_figures(networks_, {.allocators = {"gradient"}});
    EXPECT_EQ(3u, figures.front().times_as_soon.size());
    EXPECT_LE(1.0, figures.front().all.mean);
}

}  // namespace

}  // namespace emulsion
