// The other side of workers.cpp: a server that forks a child for each unit.

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>

#include <Halide.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/compiler.h"
#include "backend/message.h"
#include "frontend/lower/plugin.h"
#include "frontend/lower/unit.h"

namespace emulsion {

using nlohmann::json;

namespace {

// Whoever started us is waited for by nobody else: end when it ends, however it does.
void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
}

void work(const json &request) {
    if (request.contains("runtime")) {
        Halide::compile_standalone_runtime(request.at("object").get<std::string>(),
                                           Halide::Target(request.at("runtime")));
        return;
    }
    const Unit unit = unit_from_json(request.at("unit").get<std::string>());
    compile_unit(unit, {.object = request.at("object"),
                        .statement = request.at("statement"),
                        .assembly = request.at("assembly"),
                        .schedule = request.at("schedule")});
}

// In the child.
json answer(const json &request) {
    try {
        work(request);
        return json::object();
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
std::optional<json> wait_for_answer(pid_t child, int file, double timeout) {
    pollfd files = {file, POLLIN, 0};
    int ready = 0;
    do {
        ready = poll(&files, 1, static_cast<int>(timeout * 1000));
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        kill(child, SIGKILL);
        return error_message(
            failure(fmt::format("compiling took longer than {} seconds", timeout)));
    }
    return MessageReader(file).next();
}

json died(int status) {
    if (WIFSIGNALED(status)) {
        return error_message(failure(fmt::format("the compiler was ended by signal {} ({})",
                                                 WTERMSIG(status), strsignal(WTERMSIG(status)))));
    }
    return error_message(
        failure(fmt::format("the compiler ended with status {}", WEXITSTATUS(status))));
}

json serve(const json &request) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_message(failure(fmt::format("no pipe: {}", std::strerror(errno))));
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        end_with(parent);
        const bool told = send_message(ends[1], answer(request));
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return error_message(failure(fmt::format("no process: {}", std::strerror(errno))));
    }
    std::optional<json> reply = wait_for_answer(child, ends[0], request.value("timeout", 600.0));
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return reply ? *reply : died(status);
}

// What every child needs is loaded once. If that fails, so will the children, and they can tell.
void warm_up() {
    try {
        load_gao2025();
    } catch (const Error &) {
        return;
    }
}

}  // namespace

int worker_main(int /*argc*/, char ** /*argv*/) {
    // Ctrl-C goes to everybody; it is for the one who started us to end us.
    std::signal(SIGINT, SIG_IGN);
    end_with(getppid());
    // What Halide prints must not get between the messages.
    const int replies = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    warm_up();
    MessageReader requests(STDIN_FILENO);
    while (std::optional<json> request = requests.next()) {
        if (!send_message(replies, serve(*request))) {
            return 1;
        }
    }
    return 0;
}

}  // namespace emulsion
