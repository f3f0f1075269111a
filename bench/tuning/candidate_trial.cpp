#include "bench/tuning/candidate_trial.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <random>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "backend/child.h"
#include "backend/message.h"
#include "backend/seconds_since.h"
#include "bench/statistics.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using nlohmann::json;

// A number that a child writes and its parent reads, also when the child has died.
class SharedNumber {
public:
    SharedNumber() {
        void *mapped =
            mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) {
            throw failure(fmt::format("no memory: {}", std::strerror(errno)));
        }
        number_ = static_cast<volatile int *>(mapped);
    }
    ~SharedNumber() { munmap(const_cast<int *>(number_), sizeof(int)); }
    SharedNumber(const SharedNumber &) = delete;
    SharedNumber &operator=(const SharedNumber &) = delete;

    void set(int value) { *number_ = value; }
    int get() const { return *number_; }

private:
    volatile int *number_;
};

// This process is ended by SIGALRM after that time; 0: never mind.
void end_after(double seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
    setitimer(ITIMER_REAL, &timer, nullptr);
}

// In the child: all candidates that are left, in one sitting.
class Trial {
public:
    Trial(CandidateCalls &calls, const std::vector<size_t> &alive, const TrialOptions &options,
          SharedNumber &current)
        : calls_(calls), alive_(alive), options_(options), current_(current), ms_(alive.size()),
          wrong_(alive.size()) {}

    json run() {
        check_all();
        for (int repeat = 0; repeat <= options_.repeats; repeat++) {
            measure_all();
            if (drift() <= options_.most_drift) {
                break;
            }
        }
        json answer = json::array();
        for (size_t i = 0; i < alive_.size(); i++) {
            const std::vector<double> planned(
                ms_[0].begin(), ms_[0].begin() + static_cast<std::ptrdiff_t>(ms_[i].size()));
            const double ms = summarise(ms_[i]).median;
            answer.push_back({{"wrong", wrong_[i]},
                              {"ms", ms},
                              {"ratio", ms_[i].empty() ? 0.0 : ms / summarise(planned).median}});
        }
        return {{"candidates", answer}, {"drifted", drift() > options_.most_drift}};
    }

private:
    double call(size_t i) {
        current_.set(static_cast<int>(i));
        end_after(timeout_);
        const double ms = calls_.run(alive_[i]);
        end_after(0.0);
        return ms;
    }

    void check_all() {
        timeout_ = options_.least_timeout_seconds * options_.timeout_factor;
        if (const std::string wrong = check(0); !wrong.empty()) {
            throw failure(fmt::format("what is planned fails: {}", wrong));
        }
        limit_time();
        for (size_t i = 1; i < alive_.size(); i++) {
            wrong_[i] = check(i);
        }
    }

    std::string check(size_t i) {
        current_.set(static_cast<int>(i));
        end_after(timeout_);
        std::string wrong = calls_.check(alive_[i]);
        end_after(0.0);
        return wrong;
    }

    // The second run counts, which finds the code warm.
    void limit_time() {
        constexpr double kMsPerSecond = 1e3;
        call(0);
        const double ms = call(0);
        timeout_ =
            std::max(options_.least_timeout_seconds, options_.timeout_factor * ms / kMsPerSecond);
        raised_ = std::clamp(options_.least_ms / (options_.many * std::max(ms, 1e-6)), 1.0,
                             options_.most_raised);
    }

    int raised(int runs) const { return static_cast<int>(runs * raised_); }

    void measure_all() {
        std::mt19937_64 random(options_.seed);
        std::vector<size_t> racing;
        for (size_t i = 0; i < alive_.size(); i++) {
            ms_[i].clear();
            if (wrong_[i].empty()) {
                racing.push_back(i);
                call(i);  // finds the code and its memory cold
            }
        }
        const int few = raised(options_.few), some = raised(options_.some);
        auto begin = std::chrono::steady_clock::now();
        for (int round = 0; round < raised(options_.many); round++) {
            if (round == few || round == some) {
                drop(racing, round == few ? options_.few_within : options_.some_within);
                begin = std::chrono::steady_clock::now();
            }
            if (round > some && seconds_since(begin) > options_.most_seconds) {
                break;
            }
            std::shuffle(racing.begin(), racing.end(), random);
            for (const size_t i : racing) {
                ms_[i].push_back(call(i));
            }
        }
    }

    // Those that are too slow so far, by their fastest runs: others may have been disturbed. Never the planned nest.
    void drop(std::vector<size_t> &racing, double within) const {
        const double most = within * summarise(ms_[0]).min;
        std::erase_if(racing, [&](size_t i) { return i != 0 && summarise(ms_[i]).min > most; });
    }

    // Of the planned nest: how far the medians of the sitting's two halves are apart.
    double drift() const {
        const auto middle = ms_[0].begin() + static_cast<std::ptrdiff_t>(ms_[0].size() / 2);
        const double first = summarise({ms_[0].begin(), middle}).median;
        const double second = summarise({middle, ms_[0].end()}).median;
        return std::fabs(second / first - 1.0);
    }

    CandidateCalls &calls_;
    const std::vector<size_t> &alive_;
    const TrialOptions &options_;
    SharedNumber &current_;
    double timeout_ = 0.0;  // seconds of a call
    double raised_ = 1.0;   // so many times as many runs
    std::vector<std::vector<double>> ms_;
    std::vector<std::string> wrong_;
};

}  // namespace

Tried try_candidates(
    size_t count,
    const std::function<std::unique_ptr<CandidateCalls>(const std::vector<size_t> &alive)> &make,
    const TrialOptions &trial) {
    // All together; a candidate's own time limit is the child's.
    constexpr double kMostSeconds = 600.0;
    std::vector<Result> results(count);
    std::vector<size_t> alive(count);
    for (size_t i = 0; i < alive.size(); i++) {
        alive[i] = i;
    }
    while (true) {
        SharedNumber current;
        current.set(-1);
        const json answer = answer_in_child(
            [&] {
                const std::unique_ptr<CandidateCalls> calls = make(alive);
                return Trial(*calls, alive, trial, current).run();
            },
            kMostSeconds, "measuring candidates");
        if (const auto found = answer.find("candidates"); found != answer.end()) {
            for (size_t i = 0; i < alive.size(); i++) {
                const json &one = found->at(i);
                const std::string wrong = one.at("wrong");
                results[alive[i]] = {{},
                                     wrong.empty() ? Outcome::Ok : Outcome::Wrong,
                                     one.at("ratio"),
                                     one.at("ms"),
                                     0.0,
                                     wrong};
            }
            return {std::move(results), answer.at("drifted")};
        }
        const std::string message = error_from_message(answer).message();
        const int guilty = current.get();
        if (guilty <= 0) {
            throw error_from_message(answer);
        }
        const bool timed_out =
            message.find(fmt::format("signal {} ", SIGALRM)) != std::string::npos;
        const size_t index = alive[static_cast<size_t>(guilty)];
        results[index] = {{},     timed_out ? Outcome::TimedOut : Outcome::Crashed, 0.0, 0.0, 0.0,
                          message};
        alive.erase(alive.begin() + guilty);
    }
}

}  // namespace emulsion
