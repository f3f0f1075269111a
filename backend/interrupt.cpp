#include "backend/interrupt.h"

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr int kSignals[3] = {SIGINT, SIGTERM, SIGHUP};

// The only way a signal can leave word.
volatile std::sig_atomic_t noted = 0;

void note(int /*signal*/) { noted = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
    noted = 0;
    struct sigaction action = {};
    action.sa_handler = note;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (int i = 0; i < 3; i++) {
        sigaction(kSignals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) {
            sigaction(kSignals[i], &action, nullptr);
        }
    }
}

InterruptGuard::~InterruptGuard() {
    for (int i = 0; i < 3; i++) {
        sigaction(kSignals[i], &before_[i], nullptr);
    }
}

bool interrupted() { return noted != 0; }

void check_interrupted() {
    if (interrupted()) {
        throw failure("interrupted");
    }
}

}  // namespace emulsion
