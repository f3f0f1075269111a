// emulsion compile: from a model file to an artifact.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/compiler.h"
#include "bench/cli/validators.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/json_file.h"
#include "bench/memory.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/tuning/candidate_trial.h"
#include "bench/units.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace emulsion {

namespace {

constexpr const char *kCompileManual =
    "Writes a folder: libNAME.so with a C API, NAME.h, NAME.weights and manifest.json (plan,\n"
    "schedules, hashes, versions). It is written under a temporary name and renamed, and replaces an\n"
    "artifact that is already there. Equal inputs give equal bytes, whatever --jobs and the cache.\n"
    "\n"
    "What it prints:\n"
    "  units     distinct groups to compile; in brackets how many of them the cache had\n"
    "  shrunk    units compiled with smaller loop nests than planned: their kernels needed more\n"
    "            registers or LDS than an AMD GPU has, or Halide could not compile the planned ones\n"
    "  predict   with --predict, groups whose loop nests the predictor has picked, and candidates that were\n"
    "            measured: none\n"
    "  arena     memory for values between layers, one block per context\n"
    "  live      largest sum of the values alive at one time: no arena can be smaller\n"
    "  weights   the weights file, read into memory and shared by contexts; not in the arena\n"
    "  memory    bound on what the compiler itself took: this process, and for each job a worker and\n"
    "            the child that compiles, all as large as the largest\n"
    "\n"
    "--json FILE has these keys: model, folder, name, target, policy, threads, seconds, operators,\n"
    "groups, units, cached_units, shrunk_units, predicted_groups, measurements, plan_hash, arena_bytes,\n"
    "live_bytes, weights_bytes, compiler_bytes, passes.\n"
    "\n"
    "Examples:\n"
    "  emulsion compile mobilenet_v1.onnx -o mobilenet_v1 --threads 2\n"
    "  emulsion compile mobilenet_v1.onnx -o mobilenet_v1 --threads 2 --predict\n"
    "  emulsion compile model.onnx -o model --target x86-64-linux-avx2-fma --emit schedule";

struct CompileArguments {
    std::string model, output, name, json;
    std::vector<std::string> emit;
    bool time_passes = false;
    CompileFlags flags;
};

// Physical memory that the compiler took at most. Pages that processes share are counted in each.
int64_t compiler_bytes(const CompileOptions &options) {
    const int jobs = options.jobs > 0 ? options.jobs : available_cores();
    return peak_rss_bytes() + 2 * jobs * peak_rss_bytes_of_children();
}

Json compile_json(const CompileReport &report, const std::string &model,
                  const CompileOptions &options) {
    Json passes = Json::array();
    for (const PassTime &pass : report.pass_times) {
        passes.push_back({{"name", pass.name}, {"seconds", pass.seconds}});
    }
    return {{"model", model},
            {"folder", report.folder},
            {"name", report.name},
            {"target", report.target},
            {"policy", options.plan.policy},
            {"threads", options.plan.threads},
            {"seconds", report.seconds},
            {"operators", report.operators},
            {"groups", report.launches},
            {"units", report.units},
            {"cached_units", report.cached_units},
            {"shrunk_units", report.shrunk_units},
            {"predicted_groups", report.planned.predicted_groups},
            {"measurements", measured_candidates()},
            {"plan_hash", report.plan_hash},
            {"arena_bytes", report.arena_bytes},
            {"live_bytes", report.live_bytes},
            {"weights_bytes", report.weights_bytes},
            {"compiler_bytes", compiler_bytes(options)},
            {"passes", passes}};
}

int compile(const CompileArguments &given) {
    expect_writable(given.json);
    Progress progress;
    CompileOptions options = given.flags.options(progress);
    options.emit = {given.emit.begin(), given.emit.end()};
    options.name = given.name;
    progress.show(0, 0, "planning " + given.model);
    const CompileReport report = compile_model(given.model, given.output, options);
    progress.clear();
    write_json(given.json, "emulsion-compile", compile_json(report, given.model, options));
    fmt::print("{}: {} operators in {} groups for {}\n", report.folder, report.operators,
               report.launches, report.target);
    fmt::print("units    {} ({} from the cache), {:.2f} s\n", report.units, report.cached_units,
               report.seconds);
    if (report.shrunk_units > 0) {
        fmt::print("shrunk   {} have smaller loop nests than planned\n", report.shrunk_units);
    }
    if (options.plan.predictor) {
        fmt::print("predict  {} groups have loop nests of the predictor, after {} measurements\n",
                   report.planned.predicted_groups, measured_candidates());
    }
    fmt::print("arena    {:.2f} MB (live {:.2f} MB), weights {:.2f} MB apart\n",
               megabytes(report.arena_bytes), megabytes(report.live_bytes),
               megabytes(report.weights_bytes));
    fmt::print("memory   at most {:.0f} MB in the compiler\n", megabytes(compiler_bytes(options)));
    if (given.time_passes) {
        for (const PassTime &pass : report.pass_times) {
            fmt::print("pass     {:<24}{:>10.3f} ms\n", pass.name, pass.seconds * 1e3);
        }
    }
    return 0;
}

std::function<int()> add_compile(CLI::App &app) {
    auto options = std::make_shared<CompileArguments>();
    app.add_option("MODEL.onnx", options->model, "The network")->required();
    app.add_option("-o,--output", options->output, "Folder to write")->type_name("DIR")->required();
    app.add_option("--name", options->name, "Name of the library")
        ->default_str("the model file's")
        ->type_name("NAME");
    app.add_option(
           "--emit", options->emit,
           "Also write these into DIR/emit: Halide's statements, schedules, assembly; kernels: code "
           "objects of AMD GPUs and what they are; does not read the cache")
        ->delimiter(',')
        ->type_name("LIST")
        ->check(words({"stmt", "schedule", "assembly", "kernels"}));
    add_result_flag(app, "--json", options->json, "Write all figures there");
    app.add_flag("--time-passes", options->time_passes, "Print the time of every graph pass");
    options->flags.add_to(app);
    app.footer(kCompileManual);
    return [options] { return compile(*options); };
}

}  // namespace

const Command &command_compile() {
    static const Command command = {"compile", "Turn an ONNX model into a library", add_compile};
    return command;
}

}  // namespace emulsion
