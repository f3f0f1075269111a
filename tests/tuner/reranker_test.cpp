#include "tuner/reranker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/tuner/toy_task.h"
#include "tuner/points.h"
#include "tuner/session.h"

namespace emulsion {

namespace {

// Programs of as many statements as there are rows, of which the last says how long it takes; those of 7 rows can't be lowered.
CodeFeatures toy_code(const TuningTask &task, const Nest &nest) {
    const auto rows = static_cast<size_t>(nest.parameters.at("rows"));
    if (rows == 7) {
        return {};
    }
    FeatureRows statements(rows, {0.0F, 0.0F});
    const auto time = static_cast<float>(std::log2(toy_ratio(task, nest)));
    statements.back() = {1.0F, time};
    // A root and one node that says it.
    FeatureRows nodes(2, FeatureRows::value_type(4, 0.0F));
    nodes.back() = {1.0F, 0.0F, 1.0F, time};
    return {std::move(statements), std::move(nodes)};
}

class ToyMeasurer : public Measurer {
public:
    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &nests) override {
        measured += nests.size();
        return toy_results(task, nests);
    }
    std::vector<CodeFeatures> code(const TuningTask &task,
                                   const std::vector<Nest> &nests) override {
        std::vector<CodeFeatures> all;
        for (const Nest &nest : nests) {
            all.push_back(toy_code(task, nest));
        }
        lowered += nests.size();
        return all;
    }
    double seconds() const override { return static_cast<double>(measured); }
    double planned_ms(const TuningTask &) const override { return 1.0; }

    size_t measured = 0, lowered = 0;
};

std::vector<Proposal> drawn(const TuningTask &task, size_t most, uint64_t seed,
                            const std::string &origin) {
    const SearchContext context{seed, std::make_shared<Learner>(find_model("trees"), seed)};
    std::vector<Proposal> proposals = find_strategy("random").make(task, context)->propose(most);
    for (Proposal &proposal : proposals) {
        proposal.origin = origin;
    }
    return proposals;
}

class Rerankers : public testing::Test {
protected:
    // One that has seen half of the space.
    Rerankers() {
        const std::vector<Nest> seen = nests_of(drawn(task_, 150, 1, "best"));
        reranker_.observe(0, toy_results(task_, seen), measurer_.code(task_, seen));
    }

    const TuningTask task_ = toy_task();
    ToyMeasurer measurer_;
    Reranker reranker_{measurer_, 3, CodeLearner(find_code_model("statements"), 1)};
};

TEST_F(Rerankers, MeasureWhatTheirModelThinksFastest) {
    const Reranker::Choice choice = reranker_.choose(task_, drawn(task_, 48, 2, "best"), 8);
    ASSERT_EQ(8u, choice.proposals.size());
    ASSERT_EQ(40u, choice.left.size());
    double chosen = 0.0, left = 0.0;
    for (size_t i = 0; i < 8; i++) {
        const Nest &nest = choice.proposals[i].nest;
        chosen += toy_ratio(task_, nest) / 8;
        EXPECT_EQ(toy_code(task_, nest), choice.code[i]);
        EXPECT_NE(7, nest.parameters.at("rows"));
    }
    for (const Nest &nest : choice.left) {
        left += toy_ratio(task_, nest) / 40;
    }
    EXPECT_LT(chosen, 0.75 * left);
}

TEST_F(Rerankers, LeaveWhatIsDrawnAtRandomItsShare) {
    std::vector<Proposal> proposals = drawn(task_, 36, 2, "best");
    const std::vector<Proposal> random = drawn(task_, 12, 3, "random");
    proposals.insert(proposals.end(), random.begin(), random.end());
    const Reranker::Choice choice = reranker_.choose(task_, proposals, 16);
    EXPECT_EQ(4, std::count_if(choice.proposals.begin(), choice.proposals.end(),
                               [](const Proposal &p) { return p.origin == "random"; }));
    EXPECT_EQ(16u, choice.proposals.size());
}

TEST(Reranker, LooksAtNoMoreThanIsMeasuredBeforeItKnowsAnything) {
    const TuningTask task = toy_task();
    ToyMeasurer measurer;
    Reranker reranker(measurer, 3, CodeLearner(find_code_model("statements"), 1));
    EXPECT_EQ(8u, reranker.looked_at(8));
    const std::vector<Proposal> proposals = drawn(task, 8, 1, "best");
    const Reranker::Choice choice = reranker.choose(task, proposals, 8);
    EXPECT_EQ(nests_of(proposals), nests_of(choice.proposals));
    reranker.observe(0, toy_results(task, nests_of(proposals)), choice.code);
    EXPECT_EQ(24u, reranker.looked_at(8));
}

// What is looked at and not measured may be proposed again: nothing is measured twice, and in the end all is.
TEST(Reranker, KeepsNoPointFromBeingMeasuredLater) {
    const std::vector<TuningTask> tasks{toy_task()};
    const size_t points = toy_record(tasks.front()).points.size();
    for (const char *strategy : {"ansor", "alt", "greedy"}) {
        ToyMeasurer measurer;
        KnownPoints known;
        SessionHooks hooks;
        hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
            ASSERT_EQ(batch.trials, batch.code.size());
            for (size_t i = 0; i < batch.trials; i++) {
                EXPECT_TRUE(known.add(batch.results[i].nest));
                EXPECT_EQ(toy_code(tasks[0], batch.results[i].nest), batch.code[i]);
            }
        };
        const SessionReport report =
            run_session(tasks, {.strategy = strategy, .trials = 10'000, .batch = 16, .rerank = 2},
                        measurer, hooks);
        EXPECT_EQ(points - 1, known.size()) << strategy;
        EXPECT_EQ(report.trials, static_cast<int64_t>(known.size())) << strategy;
        EXPECT_LT(known.size(), measurer.lowered) << strategy;
    }
}

}  // namespace

}  // namespace emulsion
