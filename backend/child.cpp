#include "backend/child.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>

#include <Halide.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/message.h"
#include "backend/process.h"

namespace emulsion {

using nlohmann::json;

namespace {

// In the child.
json answer(const std::function<json()> &work) {
    try {
        return work();
    } catch (const Error &error) {
        return error_message(error);
    } catch (const Halide::Error &error) {  // is no std::exception
        return error_message(failure(error.what()));
    } catch (const std::exception &error) {
        return error_message(failure(error.what()));
    } catch (...) {
        return error_message(failure("unknown exception"));
    }
}

// The child's last word, or nothing when it died or took too long (then it is dead now).
std::optional<json> wait_for_answer(pid_t child, int file, double timeout,
                                    const std::string &what) {
    pollfd files = {file, POLLIN, 0};
    int ready = 0;
    do {
        ready = poll(&files, 1, static_cast<int>(timeout * 1000));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        kill(child, SIGKILL);
        return error_message(failure(fmt::format("{} took longer than {} seconds", what, timeout)));
    }
    return MessageReader(file).next();
}

json died(int status, const std::string &what) {
    if (WIFSIGNALED(status)) {
        return error_message(failure(fmt::format("{} was ended by signal {} ({})", what,
                                                 WTERMSIG(status), strsignal(WTERMSIG(status)))));
    }
    return error_message(
        failure(fmt::format("{} ended with status {}", what, WEXITSTATUS(status))));
}

}  // namespace

json answer_in_child(const std::function<json()> &work, double timeout, const std::string &what) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_message(failure(fmt::format("no pipe: {}", std::strerror(errno))));
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        end_with(parent);
        const bool told = send_message(ends[1], answer(work));
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return error_message(failure(fmt::format("no process: {}", std::strerror(errno))));
    }
    std::optional<json> reply = wait_for_answer(child, ends[0], timeout, what);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return reply ? *reply : died(status, what);
}

}  // namespace emulsion
