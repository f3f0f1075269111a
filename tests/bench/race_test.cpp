// Races of candidates that only say how long they take: no clock is asked what they took.
#include "bench/tuning/race.h"

#include <chrono>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>

namespace emulsion {
namespace {

constexpr ReferenceTimes kQuiet{.exchange = 0.01, .compute = 0.02};
constexpr ReferenceTimes kDisturbed{.exchange = 0.05, .compute = 0.02};

// A machine that is disturbed after so many runs, until it was looked at so often; candidates take other times then.
class Simulated : public CandidateCalls {
public:
    double run(size_t candidate) override {
        runs[candidate]++;
        all_runs++;
        std::this_thread::sleep_for(each);
        return is_disturbed() ? disturbed_ms.at(candidate) : ms.at(candidate);
    }
    std::string check(size_t) override { return ""; }
    void take_other_memory() override { memories++; }
    ReferenceTimes reference() override {
        if (!has_reference) {
            return {};
        }
        const bool disturbed = is_disturbed();
        looks_left -= disturbed ? 1 : 0;
        return disturbed ? kDisturbed : kQuiet;
    }

    std::map<size_t, double> ms{{0, 10.0}, {1, 8.0}, {2, 12.0}, {3, 40.0}};
    std::map<size_t, double> disturbed_ms{{0, 20.0}, {1, 24.0}, {2, 21.0}, {3, 41.0}};
    bool has_reference = true;
    int quiet_runs = 0, looks_left = 0;
    std::chrono::microseconds each{0};  // that a run really takes
    std::map<size_t, int> runs;
    int all_runs = 0, memories = 1;

private:
    bool is_disturbed() const { return all_runs >= quiet_runs && looks_left > 0; }
};

Raced raced(Simulated &calls, const RaceOptions &options = {}) {
    return race(calls, {0, 1, 2, 3}, options, [&](size_t i) { return calls.run(i); });
}

void expect_undisturbed(const Raced &raced) {
    EXPECT_DOUBLE_EQ(0.8, raced.times.ratio(1));
    EXPECT_DOUBLE_EQ(1.2, raced.times.ratio(2));
    EXPECT_DOUBLE_EQ(4.0, raced.times.ratio(3));
    EXPECT_DOUBLE_EQ(10.0, raced.times.median_ms(0));
    EXPECT_FALSE(raced.has_drifted);
}

TEST(Races, GiveSlowCandidatesFewRuns) {
    Simulated calls;
    const RaceOptions options{.few = 6, .some = 12, .many = 60};
    expect_undisturbed(raced(calls, options));
    EXPECT_LT(calls.runs.at(3), calls.runs.at(2));
    EXPECT_LT(calls.runs.at(2), calls.runs.at(1));
    EXPECT_LE(60, calls.runs.at(1));
    EXPECT_LE(6, calls.runs.at(3));
    EXPECT_EQ(3, calls.memories);
}

TEST(Races, RaiseTheRunsOfShortKernels) {
    Simulated calls;
    for (auto &[candidate, ms] : calls.ms) {
        ms *= 1e-3;
    }
    const RaceOptions options{.many = 30, .least_ms = 1.0, .most_raised = 4.0};
    raced(calls, options);
    EXPECT_LE(99, calls.runs.at(1));  // 1 ms of 0.01 ms each
    EXPECT_GE(140, calls.runs.at(1));
}

TEST(Races, WaitForTheMachine) {
    Simulated calls;
    calls.quiet_runs = 30;
    calls.looks_left = 20;
    calls.each = std::chrono::microseconds(2500);  // so that the machine is looked at after each
    const Raced found = raced(calls, {.many = 12, .reference = kQuiet});
    EXPECT_EQ(0, calls.looks_left);
    expect_undisturbed(found);
    EXPECT_FALSE(found.was_disturbed);
    EXPECT_EQ(kQuiet.exchange, found.reference.exchange);
}

TEST(Races, TakeTheMachineAsItIsAfterAWhile) {
    Simulated calls;
    calls.looks_left = 1 << 30;
    const Raced found = raced(calls, {.reference = kQuiet, .most_disturbed_seconds = 0.05});
    EXPECT_TRUE(found.was_disturbed);
    EXPECT_DOUBLE_EQ(1.2, found.times.ratio(1));
    EXPECT_EQ(kQuiet.exchange, found.reference.exchange);
}

TEST(Races, NeedNoReference) {
    Simulated calls;
    calls.has_reference = false;
    expect_undisturbed(raced(calls, {.reference = kQuiet}));
}

TEST(Races, RepeatWhatDrifts) {
    Simulated calls;
    int planned_runs = 0;
    const auto run = [&](size_t i) {
        planned_runs += i == 0 ? 1 : 0;
        return calls.run(i) * (planned_runs < 30 ? 1.0 : 1.5);  // within the first race
    };
    const RaceOptions options{.least_ms = 0.0};
    const Raced found = race(calls, {0, 1, 2, 3}, options, run);
    EXPECT_FALSE(found.has_drifted);
    EXPECT_LT(60, planned_runs);
    EXPECT_DOUBLE_EQ(15.0, found.times.median_ms(0));

    planned_runs = 0;
    EXPECT_TRUE(race(calls, {0, 1}, {.repeats = 0}, run).has_drifted);
}

TEST(RaceTimes, IgnoreWhatMakesSomeRunsSlower) {
    RaceTimes times({5, 7});
    std::mt19937 random(1);
    for (int portion = 0; portion < 3; portion++) {
        times.begin_portion();
        for (int i = 0; i < 100; i++) {
            times.add(5, random() % 3 == 0 ? 1.0 : 2.0);
            times.add(7, random() % 3 == 0 ? 0.9 : 3.0);
        }
    }
    EXPECT_DOUBLE_EQ(0.9, times.ratio(7));
    EXPECT_DOUBLE_EQ(1.0, times.ratio(5));
    EXPECT_DOUBLE_EQ(0.0, times.drift());
    EXPECT_EQ(0.0, times.ratio(9));
    EXPECT_EQ(0.0, times.median_ms(9));
}

TEST(RaceTimes, AreComparedByTheMedianPortion) {
    RaceTimes times({0, 1});
    for (const double factor : {1.0, 1.0, 1.4}) {  // in the last one's memory the candidate is slow
        times.begin_portion();
        for (int i = 0; i < 10; i++) {
            times.add(0, 2.0);
            times.add(1, 1.8 * factor);
        }
    }
    EXPECT_DOUBLE_EQ(0.9, times.ratio(1));
}

}  // namespace
}  // namespace emulsion
