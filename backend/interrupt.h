// Ctrl-C while an artifact is made: work stops at the next check, so that temporary folders and
// worker processes go the way of every other error.
#pragma once

#include <csignal>

namespace emulsion {

// While one lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process; the second one
// does end it.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard &) = delete;
    InterruptGuard &operator=(const InterruptGuard &) = delete;

private:
    struct sigaction before_[3];
};

bool interrupted();
// Throws Error (failed) once a signal came.
void check_interrupted();

}  // namespace emulsion
