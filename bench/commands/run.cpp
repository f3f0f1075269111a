// emulsion run: one inference, .npy files in and out.

#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/json_file.h"
#include "bench/loaded_network.h"
#include "bench/memory.h"
#include "bench/network_inputs.h"
#include "bench/output_summary.h"
#include "bench/result_flag.h"
#include "bench/trace.h"
#include "bench/units.h"
#include "bench/user_files.h"

namespace emulsion {

namespace {

constexpr const char *kRunManual =
    "With --output-dir DIR each output goes to DIR/NAME.npy; characters of NAME other than letters,\n"
    "digits, '.', '_' and '-' become '_'. Without it, a line for each output has its name, type,\n"
    "shape, least and largest element, mean and first elements; NaN are left out of the figures and\n"
    "counted. Without --input every input is random: close to normal, of mean 0 and\n"
    "standard deviation 1 (integers: 0 to 9), from --seed, and the same on every machine. The time\n"
    "printed is that of one run, the first: use 'emulsion bench' to measure.\n"
    "\n"
    "--trace writes the groups of this one run, for chrome://tracing or ui.perfetto.dev.\n"
    "\n"
    "--json FILE has these keys: model, seconds, peak_rss_mb, outputs (name, type, shape, min, max,\n"
    "mean, nans, and with --output-dir file).\n"
    "\n"
    "Examples:\n"
    "  emulsion run mobilenet_v1.onnx\n"
    "  emulsion run mobilenet_v1.onnx --output-dir out --seed 7\n"
    "  emulsion run mobilenet_v1 --input input=photo.npy --output-dir out --json run.json";

struct RunArguments {
    std::string model, output, json, trace;
    std::vector<std::string> inputs;
    uint64_t seed = 1;
    CompileFlags flags;
};

int run(const RunArguments &options) {
    const InterruptGuard guard;  // the temporary folders have to go
    // Before anything long is done for nothing.
    expect_writable(options.json);
    expect_writable(options.trace);
    if (!options.output.empty()) {
        make_folder(options.output);
    }
    LoadedNetwork network = LoadedNetwork::open(options.model, options.flags);
    const std::vector<Array> inputs =
        NetworkInputs(network.artifact(), options.inputs, options.seed).make(0);
    std::vector<Array> outputs = empty_outputs(network.artifact());
    check_interrupted();
    const RecordedRun run = record_run(network.artifact(), addresses(inputs), addresses(outputs));

    Json written = Json::array();
    std::set<std::string> names;
    for (size_t i = 0; i < outputs.size(); i++) {
        const std::string &tensor = network.artifact().outputs()[i].name;
        std::string name = sanitised(tensor);
        for (int n = 2; !names.insert(name).second; n++) {  // two names may become the same
            name = fmt::format("{}_{}", sanitised(tensor), n);
        }
        const OutputSummary summary = summarise_output(outputs[i]);
        written.push_back({{"name", tensor},
                           {"type", to_string(outputs[i].type)},
                           {"shape", outputs[i].shape},
                           {"min", summary.min},
                           {"max", summary.max},
                           {"mean", summary.mean},
                           {"nans", summary.nans}});
        if (options.output.empty()) {
            fmt::print("{}\n", describe_output(tensor, outputs[i]));
            continue;
        }
        const std::string path = (std::filesystem::path(options.output) / (name + ".npy")).string();
        write_npy(path, outputs[i]);
        fmt::print("{}  {}\n", path, describe(outputs[i].type, outputs[i].shape));
        written.back()["file"] = path;
    }
    const int64_t peak = peak_rss_bytes();
    fmt::print("{:.3f} ms; arena {:.2f} MB, peak memory of the process {:.1f} MB\n",
               run.seconds * 1e3, megabytes(network.artifact().arena_bytes()), megabytes(peak));
    write_json(options.json, "emulsion-run",
               {{"model", options.model},
                {"seconds", run.seconds},
                {"peak_rss_mb", megabytes(peak)},
                {"outputs", written}});
    if (!options.trace.empty()) {
        const NetworkFacts facts = network.facts();
        write_whole_file(
            options.trace,
            {chrome_trace(
                {{.title = facts.policy, .launches = launch_facts(network), .runs = {run}}},
                {{"model", options.model},
                 {"target", facts.target},
                 {"threads", network.artifact().threads()}})});
    }
    return 0;
}

std::function<int()> add_run(CLI::App &app) {
    auto options = std::make_shared<RunArguments>();
    app.add_option("MODEL.onnx|DIR", options->model, "A model, or what 'compile' wrote")
        ->required();
    app.add_option("--input", options->inputs, "The value of an input; all inputs or none")
        ->type_name("NAME=FILE.npy");
    app.add_option("--output-dir", options->output, "Folder for the outputs, made if need be")
        ->type_name("DIR");
    app.add_option("--seed", options->seed, "Of random inputs")
        ->capture_default_str()
        ->type_name("N");
    add_result_flag(app, "--trace", options->trace, "Write a Chrome trace of the groups there");
    add_result_flag(app, "--json", options->json, "Write what was done there");
    options->flags.add_to(app);
    app.footer(kRunManual);
    return [options] { return run(*options); };
}

}  // namespace

const Command &command_run() {
    static const Command command = {"run", "Run a network once on .npy files or random data",
                                    add_run};
    return command;
}

}  // namespace emulsion
