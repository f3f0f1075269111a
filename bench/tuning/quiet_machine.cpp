#include "bench/tuning/quiet_machine.h"

#include <cstddef>
#include <thread>

#include "backend/seconds_since.h"

namespace emulsion {

QuietMachine::QuietMachine(CandidateCalls &calls, const ReferenceTimes &known, double most_seconds)
    : calls_(calls), level_(known), most_seconds_(most_seconds) {
    wake();
    for (size_t i = 0; can_look_ && i < ReferenceLevel::kWindow; i++) {
        look();
    }
}

// Other threads are awake only some time after there is work for them.
void QuietMachine::wake() {
    constexpr double kWakeSeconds = 3e-3;
    const auto begin = std::chrono::steady_clock::now();
    do {
        can_look_ = calls_.reference().compute > 0.0;
    } while (can_look_ && seconds_since(begin) < kWakeSeconds);
}

void QuietMachine::look() {
    level_.add(calls_.reference());
    looked_ = std::chrono::steady_clock::now();
}

bool QuietMachine::is_quiet() {
    constexpr double kLongSeconds = 2e-3;
    if (can_look_ && seconds_since(looked_) > kLongSeconds) {
        look();
    }
    return is_given_up() || level_.is_quiet();
}

// Asleep: a virtual machine's threads are moved as they wake.
void QuietMachine::wait() {
    constexpr std::chrono::duration<double> kStep{0.01};
    while (!is_quiet()) {
        std::this_thread::sleep_for(kStep);
        lose(kStep.count());
        wake();
    }
}

}  // namespace emulsion
