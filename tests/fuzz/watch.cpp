#include "tests/fuzz/watch.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace emulsion::fuzz {

namespace {

constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};

// Read by the handler: plain memory.
std::array<char, 512> current;

void print(const char *text) {
    // Nothing can be done where even this fails.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

// SIGPROF after so many seconds of work from now: other programs may need the machine as well.
void limit(unsigned seconds) {
    itimerval timer = {};
    timer.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &timer, nullptr);
}

void handle(int signal) {
    print(signal == SIGPROF ? "\nThis case takes too long: " : "\nThis case ends the process: ");
    print(current.data());
    print("\n");
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

Watch::Watch() {
    // A stack that overflowed leaves no room for the handler.
    static std::array<char, 65536> stack;
    stack_t alternate = {};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    sigaltstack(&alternate, nullptr);
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : kSignals) {
        sigaction(signal, &action, nullptr);
    }
}

Watch::~Watch() {
    limit(0);
    for (const int signal : kSignals) {
        std::signal(signal, SIG_DFL);
    }
}

void Watch::begin(const std::string &name) {
    const size_t size = std::min(name.size(), current.size() - 1);
    std::copy_n(name.begin(), size, current.begin());
    current.at(size) = '\0';
    limit(kLongestCase);
}

int64_t peak_memory() {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * int64_t{1024};
}

Seeds seeds(uint64_t count) {
    if (const char *replay = std::getenv("EMULSION_TEST_SEED")) {
        return {std::strtoull(replay, nullptr, 10), 1};
    }
    return {1, count};
}

}  // namespace emulsion::fuzz
