// Work in a forked process with a time limit: a signal in it is a result, not the end of this program.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace emulsion::test {

struct ForkedEnd {
    int signal = 0;  // that ended it
    bool timed_out = false;
    int status = 0;
    std::string results;  // what it wrote with `write`
    std::string noise;    // what it printed
    double seconds = 0.0;
};

class Forked {
public:
    using Write = std::function<void(const std::string &)>;

    // Begins at once. The process must not have threads.
    Forked(const std::function<void(const Write &)> &work, double most_seconds);
    ~Forked();
    Forked(Forked &&other) noexcept;
    Forked &operator=(Forked &&) = delete;

    // Set once it has ended; ends it when its time is over.
    std::optional<ForkedEnd> poll();
    ForkedEnd wait();

private:
    pid_t process_ = -1;
    int results_ = -1, noise_ = -1;
    double most_seconds_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace emulsion::test
