#include "bench/classics/library_trial.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <new>
#include <numeric>
#include <optional>
#include <random>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/time.h>

#include "backend/child.h"
#include "backend/message.h"
#include "backend/seconds_since.h"
#include "bench/classics/agreement.h"
#include "bench/classics/library.h"
#include "bench/classics/steps.h"
#include "bench/statistics.h"
#include "fusion/error.h"

namespace emulsion::classics {

namespace {

using nlohmann::json;

// Whose turn it is: a child says it, and its parent knows it when the child has died.
class Turn {
public:
    Turn() {
        void *mapped = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) {
            throw failure(fmt::format("no memory: {}", std::strerror(errno)));
        }
        number_ = new (mapped) std::atomic<int>(-1);
    }
    ~Turn() { munmap(number_, sizeof(std::atomic<int>)); }
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

    void set(int value) { *number_ = value; }
    int get() const { return *number_; }

private:
    std::atomic<int> *number_;
};

// This process is ended by SIGALRM after that time; 0: never mind.
void alarm_after(double seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
    setitimer(ITIMER_REAL, &timer, nullptr);
}

// In the child: all libraries that are left, in one sitting.
class LibrarySitting {
public:
    LibrarySitting(const std::vector<std::string> &libraries, const std::vector<size_t> &alive,
                   const LibraryTrial &trial, Turn &turn)
        : trial_(trial), turn_(turn) {
        keep_freed_memory();
        for (size_t i = 0; i < alive.size(); i++) {
            turn_.set(static_cast<int>(i));
            loaded_.emplace_back(libraries[alive[i]]);
        }
        turn_.set(0);
        arguments_.emplace(loaded_.front().metadata());
        ms_.resize(loaded_.size());
        wrong_.resize(loaded_.size());
    }

    json run() {
        compare_all();
        measure_all();
        json answer = json::array();
        for (size_t i = 0; i < loaded_.size(); i++) {
            const std::vector<double> first(
                ms_[0].begin(), ms_[0].begin() + static_cast<std::ptrdiff_t>(ms_[i].size()));
            const double ms = summarise(ms_[i]).median;
            answer.push_back({{"wrong", wrong_[i]},
                              {"ms", ms},
                              {"ratio", ms_[i].empty() ? 0.0 : ms / summarise(first).median}});
        }
        return {{"libraries", answer}};
    }

private:
    double call(size_t i) {
        turn_.set(static_cast<int>(i));
        alarm_after(timeout_);
        const auto begin = std::chrono::steady_clock::now();
        loaded_[i].run(*arguments_);
        const double seconds = seconds_since(begin);
        alarm_after(0.0);
        return seconds * 1e3;
    }

    void spoil_outputs() {
        constexpr int kOdd = 0x5a;
        for (const size_t output : arguments_->outputs) {
            auto &buffer = arguments_->buffers[output];
            std::memset(buffer.data(), kOdd, buffer.size_in_bytes());
        }
    }

    // The first runs, which find the code and its memory cold.
    void compare_all() {
        timeout_ = trial_.least_timeout_seconds * trial_.timeout_factor;
        call(0);
        std::vector<Halide::Runtime::Buffer<>> expected;
        for (const size_t output : arguments_->outputs) {
            expected.push_back(arguments_->buffers[output].copy());
        }
        timeout_ = std::max(trial_.least_timeout_seconds, trial_.timeout_factor * call(0) / 1e3);
        for (size_t i = 1; i < loaded_.size(); i++) {
            spoil_outputs();
            call(i);
            for (size_t o = 0; o < expected.size() && wrong_[i].empty(); o++) {
                wrong_[i] = disagreement(arguments_->buffers[arguments_->outputs[o]], expected[o]);
            }
        }
    }

    void measure_all() {
        std::mt19937_64 random(trial_.seed);
        std::vector<size_t> racing;
        for (size_t i = 0; i < loaded_.size(); i++) {
            if (wrong_[i].empty()) {
                racing.push_back(i);
            }
        }
        auto begin = std::chrono::steady_clock::now();
        for (int round = 0; round < trial_.most; round++) {
            if (round == trial_.few || round == trial_.some) {
                drop(racing, round == trial_.few ? trial_.few_within : trial_.some_within);
                begin = std::chrono::steady_clock::now();
            }
            if (racing.size() == 1 || (round >= trial_.least && round > trial_.some &&
                                       seconds_since(begin) > trial_.seconds)) {
                break;
            }
            std::shuffle(racing.begin(), racing.end(), random);
            for (const size_t i : racing) {
                ms_[i].push_back(call(i));
            }
        }
    }

    // Those that are too slow so far, by their fastest runs: others may have been disturbed. Never the first.
    void drop(std::vector<size_t> &racing, double within) const {
        const double most = within * summarise(ms_[0]).min;
        std::erase_if(racing, [&](size_t i) { return i != 0 && summarise(ms_[i]).min > most; });
    }

    const LibraryTrial &trial_;
    Turn &turn_;
    std::vector<Library> loaded_;
    std::optional<Arguments> arguments_;  // one set of buffers for all: outputs are equal
    double timeout_ = 0.0;                // seconds of a call
    std::vector<std::vector<double>> ms_;
    std::vector<std::string> wrong_;
};

}  // namespace

std::vector<Result> try_libraries(const std::vector<std::string> &libraries,
                                  const LibraryTrial &trial) {
    constexpr double kMostSeconds = 600.0;  // all together; each has its own limit
    std::vector<Result> results(libraries.size());
    std::vector<size_t> alive(libraries.size());
    std::iota(alive.begin(), alive.end(), size_t{0});
    while (true) {
        Turn turn;
        const json answer =
            answer_in_child([&] { return LibrarySitting(libraries, alive, trial, turn).run(); },
                            kMostSeconds, "measuring schedules");
        if (const auto found = answer.find("libraries"); found != answer.end()) {
            for (size_t i = 0; i < alive.size(); i++) {
                const json &one = found->at(i);
                const auto wrong = one.at("wrong").get<std::string>();
                results[alive[i]] = {{},
                                     wrong.empty() ? Outcome::Ok : Outcome::Wrong,
                                     one.at("ratio"),
                                     one.at("ms"),
                                     0.0,
                                     wrong};
            }
            return results;
        }
        const Error error = error_from_message(answer);
        const int guilty = turn.get();
        if (guilty <= 0) {
            throw error;
        }
        const bool timed_out =
            error.message().find(fmt::format("signal {} ", SIGALRM)) != std::string::npos;
        results[alive[static_cast<size_t>(guilty)]] = {
            {}, timed_out ? Outcome::TimedOut : Outcome::Crashed, 0.0, 0.0, 0.0, error.message()};
        alive.erase(alive.begin() + guilty);
    }
}

}  // namespace emulsion::classics
