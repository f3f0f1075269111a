#include "backend/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
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

int spawn(const std::vector<std::string> &argv, const SpawnActions &actions, pid_t *process) {
    std::vector<char *> pointers;
    for (const std::string &argument : argv) {
        pointers.push_back(const_cast<char *>(argument.c_str()));
    }
    pointers.push_back(nullptr);
    return posix_spawnp(process, pointers[0], actions.get(), nullptr, pointers.data(), environ);
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
    SpawnActions actions;
    actions.connect(ends[1], STDOUT_FILENO);
    actions.connect(ends[1], STDERR_FILENO);
    pid_t process = 0;
    const int error = spawn(argv, actions, &process);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
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
    const int error = spawn(argv, actions, &process);
    if (error != 0) {
        throw failure(fmt::format("'{}' can't be run: {}", argv[0], std::strerror(error)));
    }
    return process;
}

void end_process(pid_t process) {
    kill(process, SIGKILL);
    wait_for(process);
}

}  // namespace emulsion
