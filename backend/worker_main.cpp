// The other side of workers.cpp: a server that forks a child for each unit.

#include <csignal>

#include <Halide.h>
#include <fcntl.h>
#include <unistd.h>

#include "backend/child.h"
#include "backend/compile_unit.h"
#include "backend/compiler.h"
#include "backend/message.h"
#include "backend/process.h"
#include "frontend/lower/lower_unit.h"
#include "frontend/lower/plugin.h"
#include "frontend/lower/unit.h"

namespace emulsion {

using nlohmann::json;

namespace {

json work(const json &request) {
    if (request.contains("runtime")) {
        Halide::compile_standalone_runtime(request.at("object").get<std::string>(),
                                           Halide::Target(request.at("runtime")));
        return json::object();
    }
    const Unit unit = unit_from_json(request.at("unit").get<std::string>());
    if (request.contains("lower")) {
        const CodeFeatures features = unit_features(unit);
        return {{"statements", features.statements}, {"nodes", features.nodes}};
    }
    const CompiledUnit compiled = compile_unit(unit,
                                               {.object = request.at("object"),
                                                .statement = request.at("statement"),
                                                .assembly = request.at("assembly"),
                                                .schedule = request.at("schedule"),
                                                .kernels = request.at("kernels")},
                                               {.code_cache = request.at("code_cache"),
                                                .tensor_names = request.at("tensor_names"),
                                                .scratch = request.at("scratch")});
    return {{"shrinks", compiled.shrinks}, {"plan", to_json(compiled.plan)}};
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
        const json answer = answer_in_child([&] { return work(*request); },
                                            request->value("timeout", 600.0), "compiling");
        if (!send_message(replies, answer)) {
            return 1;
        }
    }
    return 0;
}

}  // namespace emulsion
