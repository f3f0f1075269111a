#include "backend/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/interrupt.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

class SpawnActions {
public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions &) = delete;
    SpawnActions &operator=(const SpawnActions &) = delete;

    void connect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
    const posix_spawn_file_actions_t *get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_;
};

std::vector<char *> pointers_to(const std::vector<std::string> &argv) {
    std::vector<char *> pointers;
    for (const std::string &argument : argv) {
        pointers.push_back(const_cast<char *>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    return pointers;
}

// A child that ends with us, which posix_spawn can't make: a tool of a worker that is killed must not go on.
// Its output goes to `output`. Returns the error of starting it, or 0.
int spawn_bound(const std::vector<std::string> &argv, int output, pid_t *process) {
    const std::vector<char *> pointers = pointers_to(argv);
    int ends[2];  // closed when the program runs; tells the error when it can't
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return errno;
    }
    const pid_t parent = getpid();
    *process = fork();
    if (*process == 0) {
        end_with(parent);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        execvp(pointers[0], pointers.data());
        const int error = errno;
        _exit(write(ends[1], &error, sizeof error) > 0 ? 127 : 126);
    }
    int error = *process < 0 ? errno : 0;
    close(ends[1]);
    if (*process > 0) {
        ssize_t count = 0;
        while ((count = read(ends[0], &error, sizeof error)) < 0 && errno == EINTR) {
        }
    }
    close(ends[0]);
    return error;
}

int wait_for(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ToolResult run_tool(const std::vector<std::string> &argv, const std::string &package) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        throw failure(fmt::format("no pipe: {}", std::strerror(errno)));
    }
    pid_t process = 0;
    const int error = spawn_bound(argv, ends[1], &process);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        if (process > 0) {
            wait_for(process);
        }
        throw failure(fmt::format("'{}' can't be run ({}): install the package {}", argv[0],
                                  std::strerror(error), package));
    }
    ToolResult result;
    std::array<char, 4096> buffer;
    ssize_t count = 0;
    while ((count = read(ends[0], buffer.data(), buffer.size())) > 0 ||
           (count < 0 && errno == EINTR && !interrupted())) {
        result.output.append(buffer.data(), static_cast<size_t>(count > 0 ? count : 0));
    }
    close(ends[0]);
    if (interrupted()) {
        end_process(process);
        check_interrupted();
    }
    result.status = wait_for(process);
    return result;
}

pid_t start_program(const std::vector<std::string> &argv, int standard_input, int standard_output) {
    SpawnActions actions;
    actions.connect(standard_input, STDIN_FILENO);
    actions.connect(standard_output, STDOUT_FILENO);
    pid_t process = 0;
    const std::vector<char *> pointers = pointers_to(argv);
    const int error =
        posix_spawnp(&process, pointers[0], actions.get(), nullptr, pointers.data(), environ);
    if (error != 0) {
        throw failure(fmt::format("'{}' can't be run: {}", argv[0], std::strerror(error)));
    }
    return process;
}

void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
}

void end_process(pid_t process) {
    kill(process, SIGKILL);
    wait_for(process);
}

}  // namespace emulsion
