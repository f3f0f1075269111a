// Runs the cases that the suite (in Python) sends, each in a child of its own that starts with everything
// loaded. Requests and answers are lines of JSON:
//
//     {"model": FILE, "inputs": {NAME: FILE.npy}, "output": FOLDER, "timeout": SECONDS,
//      "policy": NAME, "target": NAME, "checked": BOOL, "disabled_passes": [NAME, ...]}
//     {"outputs": [FILE.npy, ...]}, in the model's order, or what error_message writes
//
// With --operators it prints the registry instead: what the support table is made of.

#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "backend/child.h"
#include "backend/message.h"
#include "backend/process.h"
#include "bench/npy.h"
#include "frontend/graph/pass.h"
#include "frontend/lower/plugin.h"
#include "frontend/onnx/loader.h"
#include "frontend/ops/operator.h"
#include "tests/node_suite/jit_network.h"

namespace emulsion::test {

using nlohmann::json;

namespace {

// No operator has more operands that are told apart.
constexpr int kMaxOperands = 16;

json run_case(const json &request) {
    Graph graph = run_passes(load_model(request.at("model").get<std::string>()),
                             request.at("disabled_passes").get<std::set<std::string>>());
    PlanOptions options;
    options.policy = request.at("policy").get<std::string>();
    options.target = request.at("target").get<std::string>();
    options.checked = request.at("checked").get<bool>();
    options.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const PlannedNetwork network = plan_network(graph, options);
    std::vector<Array> inputs;
    for (const TensorId id : graph.inputs) {
        const Tensor &tensor = graph.tensor(id);
        inputs.push_back(read_npy(request.at("inputs").at(tensor.name).get<std::string>()));
        if (inputs.back().type != tensor.type || inputs.back().shape != tensor.extents()) {
            throw failure("input '" + tensor.name + "' is " +
                          describe(tensor.type, tensor.extents()) + ", the case gives " +
                          describe(inputs.back().type, inputs.back().shape));
        }
    }
    const std::vector<Array> outputs = run_jit(graph, network, inputs);
    json files = json::array();
    const std::filesystem::path folder = request.at("output").get<std::string>();
    for (size_t i = 0; i < outputs.size(); i++) {
        files.push_back((folder / ("output_" + std::to_string(i) + ".npy")).string());
        write_npy(files.back(), outputs[i]);
    }
    return {{"outputs", files}};
}

json registry() {
    json operators = json::array();
    for (const Operator *op : all_operators()) {
        if (op->domain == kOwnDomain) {
            continue;
        }
        json constants = json::array();
        for (int i = 0; i < kMaxOperands; i++) {
            if (op->compile_time_input && op->compile_time_input(i)) {
                constants.push_back(i);
            }
        }
        operators.push_back(
            {{"type", op->type}, {"domain", op->domain}, {"constant_operands", constants}});
    }
    return {{"opset", kOpset}, {"operators", operators}};
}

// What every child needs is made once: the plugin, and the runtime of Halide's JIT.
void warm_up() {
    load_gao2025();
    Halide::Func nothing("warm_up_op");
    nothing() = 0;
    nothing.realize();
}

int serve() {
    std::signal(SIGINT, SIG_IGN);  // Ctrl-C is for the suite, which ends us
    end_with(getppid());
    // What Halide prints must not get between the answers.
    const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    warm_up();
    MessageReader requests(STDIN_FILENO);
    while (const std::optional<json> request = requests.next()) {
        const json answer = answer_in_child([&] { return run_case(*request); },
                                            request->at("timeout").get<double>(), "the case");
        if (!send_message(answers, answer)) {
            return 1;
        }
    }
    return 0;
}

}  // namespace

}  // namespace emulsion::test

int main(int argc, char **argv) {
    if (argc == 2 && std::strcmp(argv[1], "--operators") == 0) {
        std::cout << emulsion::test::registry().dump(1) << "\n";
        return 0;
    }
    return emulsion::test::serve();
}
