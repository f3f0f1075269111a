// emulsion run: one inference, .npy files in and out.

#include <chrono>
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
#include "bench/units.h"

namespace emulsion {

namespace {

constexpr const char *kManual =
    "Each output goes to OUT/NAME.npy; characters of NAME other than letters, digits, '.', '_' and\n"
    "'-' become '_'. Without --input every input is random: close to normal, of mean 0 and\n"
    "standard deviation 1 (integers: 0 to 9), from --seed, and the same on every machine. The time\n"
    "printed is that of one run, the first: use 'emulsion bench' to measure.\n"
    "\n"
    "--json FILE has these keys: model, seconds, peak_rss_mb, outputs (name, type, shape, file).";

struct Options {
    std::string model, output, json;
    std::vector<std::string> inputs;
    uint64_t seed = 1;
    CompileFlags flags;
};

int run(const Options &options) {
    const InterruptGuard guard;  // the temporary folders have to go
    const auto files = parse_assignments(options.inputs, "--input");
    // Before anything long is done for nothing.
    make_folder(options.output);
    LoadedNetwork network = LoadedNetwork::open(options.model, options.flags);
    const std::vector<Array> inputs = make_inputs(network.artifact(), files, options.seed);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Array> outputs = network.run(inputs);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

    Json written = Json::array();
    std::set<std::string> names;
    for (size_t i = 0; i < outputs.size(); i++) {
        const std::string &tensor = network.artifact().outputs()[i].name;
        std::string name = sanitised(tensor);
        for (int n = 2; !names.insert(name).second; n++) {  // two names may become the same
            name = fmt::format("{}_{}", sanitised(tensor), n);
        }
        const std::string path = (std::filesystem::path(options.output) / (name + ".npy")).string();
        write_npy(path, outputs[i]);
        fmt::print("{}  {}\n", path, describe(outputs[i].type, outputs[i].shape));
        written.push_back({{"name", tensor},
                           {"type", to_string(outputs[i].type)},
                           {"shape", outputs[i].shape},
                           {"file", path}});
    }
    const int64_t peak = peak_rss_bytes();
    fmt::print("{:.3f} ms; arena {:.2f} MB, peak memory of the process {:.1f} MB\n",
               seconds.count() * 1e3, megabytes(network.artifact().arena_bytes()), megabytes(peak));
    write_json(options.json, {{"model", options.model},
                              {"seconds", seconds.count()},
                              {"peak_rss_mb", megabytes(peak)},
                              {"outputs", written}});
    return 0;
}

std::function<int()> add(CLI::App &app) {
    auto options = std::make_shared<Options>();
    app.add_option("MODEL.onnx|DIR", options->model, "A model, or what 'compile' wrote")
        ->required();
    app.add_option("--input", options->inputs, "The value of an input; all inputs or none")
        ->type_name("NAME=FILE.npy");
    app.add_option("--output-dir", options->output, "Folder for the outputs, made if need be")
        ->type_name("OUT")
        ->required();
    app.add_option("--seed", options->seed, "Of random inputs (default 1)")->type_name("N");
    app.add_option("--json", options->json, "Write what was done there")->type_name("FILE");
    options->flags.add_to(app);
    app.footer(kManual);
    return [options] { return run(*options); };
}

}  // namespace

const Command &command_run() {
    static const Command command = {"run", "Run a network once on .npy files or random data", add};
    return command;
}

}  // namespace emulsion
