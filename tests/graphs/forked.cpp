#include "tests/graphs/forked.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

namespace emulsion::test {

namespace {

std::string contents(int file) {
    std::string text;
    char block[4096];
    lseek(file, 0, SEEK_SET);
    for (ssize_t got = 0; (got = read(file, block, sizeof(block))) > 0;) {
        text.append(block, static_cast<size_t>(got));
    }
    return text;
}

}  // namespace

Forked::Forked(const std::function<void(const Write &)> &work, double most_seconds)
    : results_(memfd_create("results", 0)), noise_(memfd_create("noise", 0)),
      most_seconds_(most_seconds), start_(std::chrono::steady_clock::now()) {
    std::fflush(nullptr);
    process_ = fork();
    if (process_ < 0 || results_ < 0 || noise_ < 0) {
        throw std::runtime_error("a process can't be started");
    }
    if (process_ > 0) {
        return;
    }
    setpgid(0, 0);  // workers that it starts go with it
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(noise_, STDOUT_FILENO);
    dup2(noise_, STDERR_FILENO);
    int status = 0;
    try {
        work([&](const std::string &text) {
            [[maybe_unused]] const ssize_t written = write(results_, text.data(), text.size());
        });
    } catch (const std::exception &error) {
        std::fputs(error.what(), stderr);
        status = 3;
    }
    std::fflush(nullptr);
    _exit(status);
}

Forked::Forked(Forked &&other) noexcept
    : process_(std::exchange(other.process_, -1)), results_(std::exchange(other.results_, -1)),
      noise_(std::exchange(other.noise_, -1)), most_seconds_(other.most_seconds_),
      start_(other.start_) {}

Forked::~Forked() {
    if (process_ > 0) {
        kill(-process_, SIGKILL);
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    close(results_);
    close(noise_);
}

std::optional<ForkedEnd> Forked::poll() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    ForkedEnd end;
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) == 0) {
        if (passed.count() < most_seconds_) {
            return {};
        }
        end.timed_out = true;
        kill(-process_, SIGKILL);
        kill(process_, SIGKILL);
        waitpid(process_, &status, 0);
    }
    process_ = -1;
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    end.results = contents(results_);
    end.noise = contents(noise_);
    end.seconds = passed.count();
    return end;
}

ForkedEnd Forked::wait() {
    for (;;) {
        if (auto end = poll()) {
            return *end;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace emulsion::test
