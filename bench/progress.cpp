#include "bench/progress.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace emulsion {

Progress::Progress() : terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear(); }

void Progress::show(int done, int total, const std::string &what) {
    if (!terminal_) {
        return;
    }
    constexpr size_t kWidth = 60;  // a line that wraps could not be replaced
    const std::string count = total > 0 ? fmt::format("[{}/{}] ", done, total) : "";
    fmt::print(stderr, "\r{}{:.{}}\x1b[K", count, what, kWidth);
    std::fflush(stderr);
    shown_ = true;
}

void Progress::clear() {
    if (shown_) {
        fmt::print(stderr, "\r\x1b[K");
        shown_ = false;
    }
}

}  // namespace emulsion
