#include "bench/tuning/race.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "backend/seconds_since.h"
#include "bench/tuning/quiet_machine.h"

namespace emulsion {

namespace {

using Clock = std::chrono::steady_clock;
using Run = std::function<double(size_t candidate)>;

class Race {
public:
    Race(CandidateCalls &calls, std::vector<size_t> racing, const RaceOptions &options,
         const Run &run)
        : calls_(calls), racing_(std::move(racing)), options_(options), run_(run),
          machine_(calls, options.reference, options.most_disturbed_seconds),
          planned_(racing_.front()), times_(racing_), random_(options.seed) {
        run_(planned_);
        const double ms = std::max(run_(planned_), 1e-6);  // the second run finds the code warm
        raised_ = std::clamp(options_.least_ms / (options_.many * ms), 1.0, options_.most_raised);
    }

    RaceTimes times() {
        for (int portion = 0; portion < kPortions; portion++) {
            if (portion > 0) {
                rest();
            }
            run_portion(portion == 0);
        }
        return times_;
    }

    const QuietMachine &machine() const { return machine_; }

private:
    static constexpr int kPortions = 3;

    // What disturbs one portion may have ended before the next, and memory that lies badly is another one then.
    void rest() {
        constexpr auto kRest = std::chrono::milliseconds(20);
        std::this_thread::sleep_for(kRest);
        calls_.take_other_memory();
    }

    int raised(int runs) const { return static_cast<int>(runs * raised_); }

    void run_portion(bool is_first) {
        times_.begin_portion();
        for (const size_t i : racing_) {
            run_(i);  // finds the code and its memory cold
        }
        const int few = raised(options_.few), some = raised(options_.some);
        const int rounds = std::max(raised(options_.many) / kPortions, 1);
        auto begin = Clock::now();
        for (int round = 0; round < rounds;) {
            if (is_first && (round == few || round == some)) {
                drop(round == few ? options_.few_within : options_.some_within);
                begin = Clock::now();
            }
            if (round > (is_first ? some : few) &&
                seconds_since(begin) > options_.most_seconds / kPortions) {
                break;
            }
            round += run_round() ? 1 : 0;
        }
    }

    // Runs each once. False where the machine was disturbed, so that the round has to be repeated.
    bool run_round() {
        machine_.wait();
        std::shuffle(racing_.begin(), racing_.end(), random_);
        const auto begin = Clock::now();
        std::vector<double> ms;
        bool is_quiet = true;
        for (const size_t i : racing_) {
            ms.push_back(run_(i));
            is_quiet = machine_.is_quiet() && is_quiet;
        }
        if (!is_quiet) {
            machine_.lose(seconds_since(begin));
            return false;
        }
        for (size_t k = 0; k < racing_.size(); k++) {
            times_.add(racing_[k], ms[k]);
        }
        return true;
    }

    // Those that are too slow so far, by their fastest runs: others may have been disturbed. Never the planned nest.
    void drop(double within) {
        const double most = within * times_.fastest(planned_);
        std::erase_if(racing_, [&](size_t i) { return i != planned_ && times_.fastest(i) > most; });
    }

    CandidateCalls &calls_;
    std::vector<size_t> racing_;
    const RaceOptions &options_;
    const Run &run_;
    QuietMachine machine_;
    const size_t planned_;
    RaceTimes times_;
    std::mt19937_64 random_;
    double raised_ = 1.0;  // so many times as many runs
};

}  // namespace

Raced race(CandidateCalls &calls, const std::vector<size_t> &racing, const RaceOptions &options,
           const Run &run) {
    RaceOptions again = options;
    for (int repeat = 0;; repeat++) {
        Race one(calls, racing, again, run);
        Raced raced{one.times(), false, one.machine().is_given_up(), one.machine().level()};
        raced.has_drifted = raced.times.drift() > options.most_drift;
        if (!raced.has_drifted || repeat == options.repeats) {
            return raced;
        }
        again.seed++;
        again.reference = raced.reference;
    }
}

}  // namespace emulsion
