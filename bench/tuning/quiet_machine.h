// Waits for the machine to be quiet, for a limited time.
#pragma once

#include <chrono>

#include "bench/tuning/candidate_calls.h"
#include "bench/tuning/reference_level.h"

namespace emulsion {

class QuietMachine {
public:
    // Looks at it with the reference kernels of `calls`, which outlives this: without them it is always quiet. `known` is
    // how long they take where it is, as found before.
    QuietMachine(CandidateCalls &calls, const ReferenceTimes &known, double most_seconds);

    // As it was at the last look, where that is not long ago.
    bool is_quiet();
    // Returns when it is, or when it has been waited for too long.
    void wait();
    // What was done for so many seconds is lost, as the machine was not quiet; they count as waiting.
    void lose(double seconds) { waited_ += seconds; }
    // Whether it has been waited for longer than it may be. From then on it is taken for quiet.
    bool is_given_up() const { return waited_ > most_seconds_; }

    const ReferenceTimes &level() const { return level_.level(); }

private:
    void wake();
    void look();

    CandidateCalls &calls_;
    ReferenceLevel level_;
    const double most_seconds_;
    double waited_ = 0.0;
    bool can_look_ = true;
    std::chrono::steady_clock::time_point looked_{};
};

}  // namespace emulsion
