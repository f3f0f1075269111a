#include "backend/workers.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "backend/interrupt.h"
#include "backend/message.h"
#include "backend/process.h"

namespace emulsion {

using nlohmann::json;

namespace {

constexpr int kPollMilliseconds = 200;

// A server process and the two pipes to it.
class Server {
public:
    explicit Server(const std::string &program) {
        int requests[2];
        int replies[2];
        if (pipe2(requests, O_CLOEXEC) != 0) {
            throw failure(fmt::format("no pipe: {}", std::strerror(errno)));
        }
        if (pipe2(replies, O_CLOEXEC) != 0) {
            close(requests[0]);
            close(requests[1]);
            throw failure(fmt::format("no pipe: {}", std::strerror(errno)));
        }
        to_ = requests[1];
        from_ = replies[0];
        reader_ = MessageReader(from_);
        try {
            process_ = start_program({program, "worker"}, requests[0], replies[1]);
        } catch (...) {
            close(requests[0]);
            close(replies[1]);
            close_pipes();
            throw;
        }
        close(requests[0]);
        close(replies[1]);
    }
    ~Server() {
        close_pipes();
        end_process(process_);
    }
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    bool send(const json &request) { return send_message(to_, request); }
    std::optional<json> receive() { return reader_.next(); }
    int reply_file() const { return from_; }

    int task = -1;  // index of what it works on

private:
    void close_pipes() const {
        close(to_);
        close(from_);
    }

    pid_t process_ = 0;
    int to_ = -1, from_ = -1;
    MessageReader reader_{-1};
};

json request(const WorkerTask &task, double timeout) {
    json message = {{"object", task.outputs.object}, {"timeout", timeout}};
    if (task.unit == nullptr) {
        message["runtime"] = task.target;
        return message;
    }
    message["unit"] = to_json(*task.unit);
    if (task.lowers_only) {
        message["lower"] = true;
        return message;
    }
    message["statement"] = task.outputs.statement;
    message["assembly"] = task.outputs.assembly;
    message["schedule"] = task.outputs.schedule;
    message["kernels"] = task.outputs.kernels;
    message["code_cache"] = task.options.code_cache;
    message["tensor_names"] = task.options.tensor_names;
    message["scratch"] = task.options.scratch;
    return message;
}

Error task_error(const WorkerTask &task, const Error &error) {
    return Error(fmt::format("{}: {}", task.label, error.message()), error.place(), error.kind())
        .with_remedy(error.remedy());
}

WorkerOutcome outcome_of(const WorkerTask &task, const std::optional<json> &reply) {
    if (!reply) {
        return {{}, {}, task_error(task, failure("the worker process ended unexpectedly"))};
    }
    if (reply->contains("message")) {
        return {{}, {}, task_error(task, error_from_message(*reply))};
    }
    if (task.lowers_only) {
        return {{},
                {reply->at("statements").get<FeatureRows>(), reply->at("nodes").get<FeatureRows>()},
                {}};
    }
    CompiledUnit compiled{.shrinks = reply->value("shrinks", 0), .plan = {}};
    if (compiled.shrinks > 0) {
        compiled.plan = plan_from_json(reply->at("plan").get<std::string>());
    }
    return {std::move(compiled), {}, {}};
}

// Our own program started as a worker would start workers, and so on: a program that knows nothing of
// worker_main must not get that far.
bool is_worker() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    std::string program;
    std::string argument;
    std::getline(in, program, '\0');
    std::getline(in, argument, '\0');
    return argument == "worker";
}

class Workers {
public:
    Workers(const std::vector<WorkerTask> &tasks, const WorkerOptions &options,
            const std::function<void(size_t, const WorkerOutcome &)> &done)
        : tasks_(tasks), options_(options), done_(done) {}

    void run() {
        const size_t count = std::min(tasks_.size(), static_cast<size_t>(options_.jobs));
        for (size_t i = 0; i < count; i++) {
            servers_.push_back(std::make_unique<Server>(options_.program));
            assign(*servers_.back());
        }
        while (finished_ < tasks_.size()) {
            wait();
        }
    }

private:
    void assign(Server &server) {
        server.task = -1;
        if (next_ < tasks_.size()) {
            server.task = static_cast<int>(next_++);
            // A server that is gone shows when its reply is read.
            server.send(
                request(tasks_[static_cast<size_t>(server.task)], options_.timeout_seconds));
        }
    }

    void wait() {
        std::vector<pollfd> files;
        for (const auto &server : servers_) {
            files.push_back({server->task >= 0 ? server->reply_file() : -1, POLLIN, 0});
        }
        const int ready = poll(files.data(), files.size(), kPollMilliseconds);
        check_interrupted();
        for (size_t i = 0; ready > 0 && i < files.size(); i++) {
            if (files[i].revents != 0) {
                take_reply(servers_[i]);
            }
        }
    }

    void take_reply(std::unique_ptr<Server> &server) {
        const auto index = static_cast<size_t>(server->task);
        const std::optional<json> reply = server->receive();
        check_interrupted();
        const WorkerOutcome outcome = outcome_of(tasks_[index], reply);
        finished_++;
        if (!reply && next_ < tasks_.size()) {
            server = std::make_unique<Server>(options_.program);  // it went down with its task
        }
        assign(*server);
        done_(index, outcome);
    }

    const std::vector<WorkerTask> &tasks_;
    const WorkerOptions &options_;
    const std::function<void(size_t, const WorkerOutcome &)> &done_;
    std::vector<std::unique_ptr<Server>> servers_;
    size_t next_ = 0, finished_ = 0;
};

// Writing to a worker that is gone must be an error, not our end.
class IgnorePipeSignal {
public:
    IgnorePipeSignal() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
    ~IgnorePipeSignal() { std::signal(SIGPIPE, before_); }
    IgnorePipeSignal(const IgnorePipeSignal &) = delete;
    IgnorePipeSignal &operator=(const IgnorePipeSignal &) = delete;

private:
    void (*before_)(int);
};

}  // namespace

void run_workers(const std::vector<WorkerTask> &tasks, const WorkerOptions &options,
                 const std::function<void(size_t, const WorkerOutcome &)> &done) {
    if (tasks.empty()) {
        return;
    }
    if (is_worker()) {
        throw failure("a worker process was asked to start workers");
    }
    const IgnorePipeSignal ignore;
    Workers(tasks, options, done).run();
}

}  // namespace emulsion
