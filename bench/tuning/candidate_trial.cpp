#include "bench/tuning/candidate_trial.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "backend/child.h"
#include "backend/message.h"
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
        : calls_(calls), alive_(alive), options_(options), current_(current) {}

    json run() {
        const std::vector<std::string> wrong = check_all();
        std::vector<size_t> racing;
        for (size_t i = 0; i < alive_.size(); i++) {
            if (wrong[i].empty()) {
                racing.push_back(i);
            }
        }
        const Raced raced = race(calls_, racing, options_.race, [&](size_t i) { return call(i); });
        json answer = json::array();
        for (size_t i = 0; i < alive_.size(); i++) {
            answer.push_back({{"wrong", wrong[i]},
                              {"ms", raced.times.median_ms(i)},
                              {"ratio", raced.times.ratio(i)}});
        }
        return {{"candidates", answer},
                {"drifted", raced.has_drifted},
                {"disturbed", raced.was_disturbed},
                {"exchange", raced.reference.exchange},
                {"compute", raced.reference.compute}};
    }

private:
    double call(size_t i) {
        current_.set(static_cast<int>(i));
        end_after(timeout_);
        const double ms = calls_.run(alive_[i]);
        end_after(0.0);
        return ms;
    }

    // What is wrong with each; "" where nothing is.
    std::vector<std::string> check_all() {
        timeout_ = options_.least_timeout_seconds * options_.timeout_factor;
        std::vector<std::string> wrong{check(0)};
        if (!wrong.front().empty()) {
            throw failure(fmt::format("what is planned fails: {}", wrong.front()));
        }
        limit_time();
        for (size_t i = 1; i < alive_.size(); i++) {
            wrong.push_back(check(i));
        }
        return wrong;
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
        timeout_ = std::max(options_.least_timeout_seconds,
                            options_.timeout_factor * call(0) / kMsPerSecond);
    }

    CandidateCalls &calls_;
    const std::vector<size_t> &alive_;
    const TrialOptions &options_;
    SharedNumber &current_;
    double timeout_ = 0.0;  // seconds of a call
};

std::atomic<int64_t> measured = 0;

}  // namespace

int64_t measured_candidates() { return measured; }

Tried try_candidates(
    size_t count,
    const std::function<std::unique_ptr<CandidateCalls>(const std::vector<size_t> &alive)> &make,
    const TrialOptions &trial) {
    measured += static_cast<int64_t>(count) - 1;
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
            return {std::move(results),
                    answer.at("drifted"),
                    answer.at("disturbed"),
                    {.exchange = answer.at("exchange"), .compute = answer.at("compute")}};
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
