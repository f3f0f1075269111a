#include "tuner/session.h"

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/points.h"
#include "tuner/replay.h"

namespace emulsion {

namespace {

class Sessions : public testing::Test {
protected:
    Sessions() : tasks_{toy_task("p1"), toy_task("p2")} {
        for (const TuningTask &task : tasks_) {
            record_.push_back(toy_record(task));
        }
        record_.back().planned_ms = 6.0;
        tasks_.back().launches = 3;
    }

    SessionReport run(const SessionOptions &options, const SessionHooks &hooks = {}) {
        Replay replay(record_);
        return run_session(tasks_, options, replay, hooks);
    }

    std::vector<TuningTask> tasks_;
    std::vector<RecordedTask> record_;
};

TEST_F(Sessions, FindTheFastestPointOfEveryTask) {
    const SessionReport report = run({.strategy = "exhaustive", .trials = 10'000});
    const Nest fastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};
    for (size_t i = 0; i < tasks_.size(); i++) {
        EXPECT_EQ(fastest, report.tasks[i].best.nest());
        EXPECT_DOUBLE_EQ(toy_ratio(tasks_[i], fastest), report.tasks[i].best.ratio());
        EXPECT_EQ(static_cast<int64_t>(record_[i].points.size()) - 1, report.tasks[i].trials);
        EXPECT_TRUE(report.tasks[i].curve.ended);
        EXPECT_EQ(5 * 2 * 4, report.tasks[i].outcomes.at(Outcome::Crashed));
    }
}

TEST_F(Sessions, EndWithTheirTrialsOrTheirTime) {
    const SessionReport trials = run({.strategy = "random", .trials = 37, .batch = 16});
    EXPECT_EQ(37, trials.trials);
    EXPECT_EQ(21, trials.tasks[0].trials);  // in turn: 16, 16, and the rest
    EXPECT_EQ(16, trials.tasks[1].trials);
    const SessionReport seconds = run({.strategy = "exhaustive", .seconds = 20.0, .batch = 10});
    EXPECT_GE(seconds.seconds, 20.0);
    EXPECT_LT(seconds.seconds, 20.0 + 10 * 1.5);
    EXPECT_THROW(run({.strategy = "random"}), Error);
    EXPECT_THROW(run({.strategy = "random", .trials = 1, .batch = 0}), Error);
    EXPECT_THROW(run({.strategy = "none", .trials = 1}), Error);
    EXPECT_THROW(run({.allocator = "none", .trials = 1}), Error);
}

TEST_F(Sessions, KeepThePlannedNestWhereNoneIsFaster) {
    for (RecordedTask &task : record_) {
        for (auto &[point, results] : task.points) {
            results.first.ratio = 1.5;
        }
    }
    const SessionReport report = run({.strategy = "random", .trials = 20});
    EXPECT_EQ(tasks_[0].planned, report.tasks[0].best.nest());
    EXPECT_EQ(1.0, report.tasks[0].best.ratio());
}

TEST_F(Sessions, AreTheSameAgain) {
    const auto batches = [&] {
        std::vector<std::string> points;
        SessionHooks hooks;
        hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
            for (size_t i = 0; i < batch.trials; i++) {
                points.push_back(std::to_string(batch.task) + point_text(batch.results[i].nest));
            }
        };
        run({.strategy = "local", .seed = 5, .trials = 100}, hooks);
        return points;
    };
    const auto once = batches();
    EXPECT_EQ(100u, once.size());
    EXPECT_EQ(once, batches());
}

TEST_F(Sessions, GoOnFromWhatWasMeasuredBefore) {
    std::map<std::string, std::vector<Result>> kept;
    SessionHooks hooks;
    hooks.earlier = [&](const TuningTask &task) { return kept[task.problem]; };
    hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
        auto &known = kept[tasks_[batch.task].problem];
        known.insert(known.end(), batch.results.begin(),
                     batch.results.begin() + static_cast<std::ptrdiff_t>(batch.trials));
    };
    const double first = run({.strategy = "local", .trials = 60}, hooks).tasks[0].best.ratio();
    const SessionReport again = run({.strategy = "local", .trials = 60}, hooks);
    EXPECT_LE(again.tasks[0].best.ratio(), first);
    KnownPoints points;
    for (const Result &result : kept["p1"]) {
        EXPECT_TRUE(points.add(result.nest));
    }
    EXPECT_EQ(kept["p1"].size(), points.size());
}

// A point that was lucky once is found out: beside every later batch it is measured again.
TEST_F(Sessions, MeasureTheFastestPointAgain) {
    class Lucky : public Replay {
    public:
        using Replay::Replay;
        std::vector<Result> measure(const TuningTask &task,
                                    const std::vector<Nest> &nests) override {
            std::vector<Result> results = Replay::measure(task, nests);
            for (Result &result : results) {
                result.ratio *= seen_.add(result.nest) && ++count_ == 5 ? 0.1 : 1.0;
            }
            return results;
        }

    private:
        KnownPoints seen_;
        int count_ = 0;
    };
    Lucky measurer(record_);
    const std::vector<TuningTask> one{tasks_[0]};
    const SessionReport report =
        run_session(one, {.strategy = "exhaustive", .trials = 10'000, .batch = 4}, measurer);
    const Nest fastest{"toy", {{"rows", 4}, {"columns", 16}, {"unrolled", 1}}};
    EXPECT_EQ(fastest, report.tasks[0].best.nest());
    EXPECT_EQ(static_cast<int64_t>(record_[0].points.size()) - 1, report.trials);
}

TEST_F(Sessions, AreJudgedOnTheOtherSitting) {
    const SessionReport report = run({.strategy = "local", .trials = 100});
    const Replay replay(record_);
    const BestPoint &best = report.tasks[0].best;
    EXPECT_DOUBLE_EQ(1.01 * best.ratio(), replay.judged(tasks_[0], best.nest()));
    EXPECT_EQ(1.0, replay.judged(tasks_[0], tasks_[0].planned));
    EXPECT_THROW(replay.judged(toy_task("p3"), best.nest()), Error);
    const Nest crashed{"toy", {{"rows", 3}, {"columns", 16}, {"unrolled", 1}}};
    EXPECT_THROW(replay.judged(tasks_[0], crashed), Error);
}

TEST(Replays, RefuseWhatWasNotRecorded) {
    const std::vector<RecordedTask> record{toy_record(toy_task())};
    Replay replay(record);
    const Nest odd{"toy", {{"rows", 5}, {"columns", 8}, {"unrolled", 0}}};
    EXPECT_EQ(Outcome::Refused, replay.measure(toy_task(), {odd}).front().outcome);
    EXPECT_EQ(0.0, replay.seconds());
    EXPECT_THROW(replay.measure(toy_task("p2"), {odd}), Error);
}

}  // namespace

}  // namespace emulsion
