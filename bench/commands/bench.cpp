// emulsion bench: how fast a network runs under each fusion policy.

#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/interrupt.h"
#include "bench/commands/command.h"
#include "bench/compared_models.h"
#include "bench/compile_flags.h"
#include "bench/effort_flags.h"
#include "bench/json_file.h"
#include "bench/measure.h"
#include "bench/memory.h"
#include "bench/network_inputs.h"
#include "bench/profile.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/statistics.h"
#include "bench/trace.h"
#include "bench/units.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/in_parallel.h"

namespace emulsion {

namespace {

constexpr const char *kBenchManual =
    "A model is compiled once per policy. The policies then take turns in one process, on the same\n"
    "random input, after runs to warm up that do not count: a turn is three runs after one that does\n"
    "not count, since it finds the caches full of another policy's weights; the order changes from\n"
    "round to round. Ten times in all, each policy gets other memory for its weights and values: where\n"
    "they lie makes the same code some percent faster or slower.\n"
    "\n"
    "What the numbers mean:\n"
    "  median, p90, min  of the times of single runs, in milliseconds of wall-clock time: half of the\n"
    "                    runs took at most the median, 9 of 10 at most p90, none less than min\n"
    "  groups            kernels launched per run; Reshape and the like that move no data launch none\n"
    "  fusion ratio      operators of the model, after folding constants and batch norms and without\n"
    "                    Constant, Identity and Dropout, over groups\n"
    "  arena             memory for values between layers, in MB of 10^6 bytes; weights not included\n"
    "  peak RSS          physical memory of a process that loads this network and runs it once, at\n"
    "                    its highest: the program and its libraries, weights and arena included\n"
    "  A / B             median of A over median of B: above 1, B is faster\n"
    "\n"
    "--trace and --profile run every policy 10 times more, after measuring, and time every group:\n"
    "  median ms, share  of a group in these runs; what a run does between groups is not counted\n"
    "  GFLOP/s           two operations per multiply-add of convolutions and matrix products\n"
    "  GB/s              bytes of the tensors read and written, each counted once, over the time\n"
    "A trace is for chrome://tracing or ui.perfetto.dev: one event per group and run.\n"
    "\n"
    "--json FILE has these keys: model, target, threads, operators, iterations, warmup, policies = {\n"
    "NAME: median_ms, min_ms, p90_ms, groups, fusion_ratio, bytes_moved, peak_rss_mb, peak_arena_mb,\n"
    "weights_mb }, none_over_gao2025 where\n"
    "both were measured, and with --profile in each policy profile = [ { group, label, unit,\n"
    "median_ms, share, gflops, gb_per_s, bytes_read, bytes_written, multiply_adds } ].\n"
    "\n"
    "Examples:\n"
    "  emulsion bench mobilenet_v1.onnx --iters 100\n"
    "  emulsion bench mobilenet_v1 --threads 2 --profile --trace trace.json";

// Observed runs of each policy for --trace and --profile.
constexpr int kRecordedRuns = 10;
// Rows of a profile's table.
constexpr size_t kProfileRows = 20;

struct BenchArguments {
    std::string model, json, trace;
    bool profile = false;
    uint64_t seed = 1;
    Effort effort;
    CompileFlags flags;
};

// A network under one policy, as the table shows it.
struct BenchRow {
    std::string policy;
    int groups = 0;
    double fusion_ratio = 0.0;
    double arena_mb = 0.0, weights_mb = 0.0, peak_rss_mb = 0.0;
    int64_t bytes_moved = 0;
    Summary ms;
};

struct Candidates {
    std::vector<LoadedNetwork> networks;
    std::vector<std::string> policies;
};

Candidates open_all(const BenchArguments &options) {
    Candidates all;
    if (std::filesystem::is_directory(options.model)) {
        all.networks.push_back(LoadedNetwork::open(options.model, options.flags));
        all.policies.push_back(all.networks[0].facts().policy);
        return all;
    }
    all.policies = options.flags.policies();
    Progress progress;
    ComparedModels compared({options.model}, all.policies, options.flags.options(progress),
                            progress);
    for (size_t p = 0; p < all.policies.size(); p++) {
        all.networks.push_back(compared.open(0, p));
    }
    return all;
}

BenchRow make_row(const std::string &policy, const LoadedNetwork &network,
                  const std::vector<double> &times, int threads) {
    const Artifact &artifact = network.artifact();
    const NetworkFacts facts = network.facts();
    int64_t bytes_moved = 0;
    for (const LaunchFacts &launch : launch_facts(network)) {
        bytes_moved += launch.bytes_read + launch.bytes_written;
    }
    return {.policy = policy,
            .groups = artifact.launch_count(),
            .fusion_ratio =
                static_cast<double>(facts.operators) /
                std::max(artifact.launch_count(), 1),  // a network of views launches nothing
            .arena_mb = megabytes(artifact.arena_bytes()),
            .weights_mb = megabytes(facts.weights_bytes),
            .peak_rss_mb = megabytes(peak_rss_bytes_of_run(network.folder(), threads)),
            .bytes_moved = bytes_moved,
            .ms = summarise(times)};
}

// Median of `none` over that of `gao2025`; 0 where one of them was not measured.
double none_over_gao2025(const std::vector<BenchRow> &rows) {
    double none = 0.0, gao2025 = 0.0;
    for (const BenchRow &row : rows) {
        if (row.policy == "none") {
            none = row.ms.median;
        } else if (row.policy == "gao2025") {
            gao2025 = row.ms.median;
        }
    }
    return gao2025 > 0.0 ? none / gao2025 : 0.0;
}

void print_table(const std::vector<BenchRow> &rows) {
    fmt::print("{:<12}{:>10}{:>10}{:>10}{:>8}{:>14}{:>10}{:>13}\n", "policy", "median ms", "p90",
               "min", "groups", "fusion ratio", "arena MB", "peak RSS MB");
    for (const BenchRow &row : rows) {
        fmt::print("{:<12}{:>10.3f}{:>10.3f}{:>10.3f}{:>8}{:>14.2f}{:>10.2f}{:>13.1f}\n",
                   row.policy, row.ms.median, row.ms.p90, row.ms.min, row.groups, row.fusion_ratio,
                   row.arena_mb, row.peak_rss_mb);
    }
    fmt::print("weights, not in the arena: {:.2f} MB\n", rows[0].weights_mb);
}

Json bench_json(const std::vector<BenchRow> &rows) {
    Json policies = Json::object();
    for (const BenchRow &row : rows) {
        policies[row.policy] = {{"median_ms", row.ms.median},
                                {"min_ms", row.ms.min},
                                {"p90_ms", row.ms.p90},
                                {"groups", row.groups},
                                {"fusion_ratio", row.fusion_ratio},
                                {"bytes_moved", row.bytes_moved},
                                {"peak_rss_mb", row.peak_rss_mb},
                                {"peak_arena_mb", row.arena_mb},
                                {"weights_mb", row.weights_mb}};
    }
    return policies;
}

// Runs of all networks in turns, every launch timed.
std::vector<RecordedNetwork> record(Candidates &all, const std::vector<Array> &inputs,
                                    Progress &progress) {
    auto runs =
        record_in_turns(all.networks, inputs, kRecordedRuns, "timing every group", progress);
    std::vector<RecordedNetwork> networks;
    for (size_t i = 0; i < all.networks.size(); i++) {
        networks.push_back({.title = all.policies[i],
                            .launches = launch_facts(all.networks[i]),
                            .runs = std::move(runs[i])});
    }
    return networks;
}

int bench(const BenchArguments &options) {
    const InterruptGuard guard;  // the temporary folders have to go
    expect_writable(options.json);
    expect_writable(options.trace);
    Candidates all = open_all(options);
    const int threads = options.flags.threads > 0 ? options.flags.threads : available_cores();
    const NetworkFacts first = all.networks[0].facts();
    const std::vector<Array> inputs =
        NetworkInputs(all.networks[0].artifact(), {}, options.seed).make(0);
    Progress progress;
    const auto times = measure(all.networks, inputs, options.effort, progress).times;
    std::vector<RecordedNetwork> recorded;
    if (options.profile || !options.trace.empty()) {
        recorded = record(all, inputs, progress);
    }
    std::vector<BenchRow> rows;
    for (size_t i = 0; i < all.networks.size(); i++) {
        rows.push_back(make_row(all.policies[i], all.networks[i], times[i], threads));
    }
    fmt::print("{} for {}, {} thread{}, {} operators, {} iterations each\n", options.model,
               first.target, threads, threads == 1 ? "" : "s", first.operators, times[0].size());
    print_table(rows);
    Json json = {{"model", options.model},
                 {"target", first.target},
                 {"threads", threads},
                 {"operators", first.operators},
                 {"iterations", times[0].size()},
                 {"warmup", options.effort.warmup},
                 {"policies", bench_json(rows)}};
    if (const double ratio = none_over_gao2025(rows); ratio > 0.0) {
        fmt::print("none / gao2025: {:.3f}\n", ratio);
        json["none_over_gao2025"] = ratio;
    }
    for (const RecordedNetwork &network : recorded) {
        if (options.profile) {
            const std::vector<ProfileRow> slowest = profile(network);
            print_profile(network.title, slowest, kProfileRows);
            json["policies"][network.title]["profile"] = to_json(slowest);
        }
    }
    if (!options.trace.empty()) {
        write_whole_file(options.trace, {chrome_trace(recorded, {{"model", options.model},
                                                                 {"target", first.target},
                                                                 {"threads", threads}})});
    }
    write_json(options.json, "emulsion-bench", json);
    return 0;
}

std::function<int()> add_bench(CLI::App &app) {
    auto options = std::make_shared<BenchArguments>();
    app.add_option("MODEL.onnx|DIR", options->model, "A model, or what 'compile' wrote")
        ->required();
    add_effort(app, options->effort,
               "Measure this long, all policies together; at least 10 runs of each");
    app.add_option("--seed", options->seed, "Of the random input")
        ->capture_default_str()
        ->type_name("N");
    app.add_flag("--profile", options->profile, "Also print which groups take the time");
    add_result_flag(app, "--trace", options->trace, "Write a Chrome trace of the groups there");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app, CompileFlags::Policies::Several);
    app.footer(kBenchManual);
    return [options] { return bench(*options); };
}

}  // namespace

const Command &command_bench() {
    static const Command command = {"bench", "Measure a network under several fusion policies",
                                    add_bench};
    return command;
}

}  // namespace emulsion
