// emulsion fusion: what every policy makes of a network, and what it gains: the table of the paper.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/compiler.h"
#include "backend/interrupt.h"
#include "backend/planned_model.h"
#include "backend/seconds_since.h"
#include "bench/commands/command.h"
#include "bench/compile_flags.h"
#include "bench/effort_flags.h"
#include "bench/json_file.h"
#include "bench/measure.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/result_flag.h"
#include "bench/shared_units.h"
#include "bench/statistics.h"
#include "bench/trace.h"
#include "bench/units.h"
#include "bench/user_files.h"
#include "frontend/lower/analyze_network.h"
#include "frontend/lower/load_network.h"
#include "fusion/cost/headroom.h"
#include "fusion/error.h"
#include "fusion/planner.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

constexpr const char *kFusionManual =
    "Every model is planned and compiled under every policy, and measured as by 'emulsion bench': in\n"
    "turns in one process, on the same random input. Ratio and time of a row come from one plan, and\n"
    "all policies choose from the same implementations, layouts and loop nests.\n"
    "\n"
    "What the numbers mean:\n"
    "  groups        kernels launched per run, counted in the compiled network\n"
    "  ratio         operators of the model, after folding constants and batch norms and without\n"
    "                Constant, Identity and Dropout, over groups; 'over tvm': over that of policy tvm\n"
    "  fused         1 - groups / operators\n"
    "  MB moved      of the tensors that kernels read and write, each counted once per kernel\n"
    "  predicted     milliseconds, by the cost model with the constants of --machine\n"
    "  median        milliseconds, of single runs\n"
    "  over tvm, over none   median of that policy over this one's; above 1, this one is faster. In\n"
    "                brackets the 95 % interval (1,000 resamples of the sittings, and of the runs in\n"
    "                them, which are pairs)\n"
    "  headroom      predicted time of tvm's plan over that of a run that moves no byte between\n"
    "                operators: what fusion could gain at most, if the prediction is right\n"
    "\n"
    "--duration is how long every model is measured. What comes before, planning and compiling (units that\n"
    "the cache has are not compiled again), and the statistics after it take half as long at most: where\n"
    "compiling takes longer, measuring is cut short for it, to no less than half of what was asked.\n"
    "\n"
    "--plan-only prints how long planning takes instead: of the operators' loop nests, which is done\n"
    "once, and of the groups, by policy. Nothing is compiled or run.\n"
    "\n"
    "With several models the last lines have the averages: arithmetic of ratios over tvm, geometric of\n"
    "times. --json FILE has all of it: models = [ { model, operators, headroom, policies = { NAME:\n"
    "groups, fusion_ratio, ratio_over_tvm, bytes_moved, predicted_ms, median_ms, min_ms, over_tvm,\n"
    "over_none = { ratio, low, high }, proven_optimal, search = { states, groups } } } ], averages.\n"
    "\n"
    "Examples:\n"
    "  emulsion fusion mobilenet_v1.onnx vgg16.onnx --threads 2\n"
    "  emulsion fusion yolo_v4.onnx --plan-only\n"
    "  emulsion fusion yolo_v4.onnx --policies none,tvm,gao2025 --duration 60 --json fusion.json";

struct FusionArguments {
    std::vector<std::string> models;
    std::string json;
    bool plan_only = false;
    uint64_t seed = 1;
    Effort effort;
    CompileFlags flags;
};

// One network under one policy.
struct FusionRow {
    std::string policy;
    int groups = 0;
    double fusion_ratio = 0.0, predicted_ms = 0.0;
    int64_t bytes_moved = 0;
    SearchReport search;
    std::vector<double> times;
    Summary ms;
    std::map<std::string, RatioInterval> speed_ups;  // by the other policy
};

struct Table {
    std::string model;
    int operators = 0;
    double headroom = 0.0;
    std::vector<FusionRow> rows;

    const FusionRow *find(const std::string &policy) const {
        for (const FusionRow &row : rows) {
            if (row.policy == policy) {
                return &row;
            }
        }
        return nullptr;
    }
};

double milliseconds(double cycles, const Machine &machine) {
    return cycles / (machine.gigahertz * 1e6);
}

// What is known without running anything.
FusionRow planned_row(const PlannedNetwork &network, const std::string &policy, Table &table) {
    table.operators = network.operator_count;
    FusionRow row;
    row.policy = policy;
    row.search = network.plan.search;
    const double cycles = network.plan.predicted_cycles();
    row.predicted_ms = milliseconds(cycles, network.machine);
    if (policy == "tvm") {
        table.headroom = cycles / cycles_without_intermediates(network.operators, network.machine);
    }
    return row;
}

// How long the command has run.
struct Elapsed {
    std::chrono::steady_clock::time_point start;
    size_t models = 0;  // that are measured
};

Table measure_model(const std::string &model, const FusionArguments &options,
                    const CompileOptions &shared, const Elapsed &elapsed, Progress &progress) {
    if (std::filesystem::is_directory(model)) {
        throw Error("is a folder, whose plan is fixed; give the MODEL.onnx instead",
                    {.file = model});
    }
    Table table;
    table.model = model;
    const LoadedModel loaded = loaded_model(model, shared);
    std::vector<LoadedNetwork> networks;
    for (const std::string &policy : options.flags.policies()) {
        CompileOptions compile = shared;
        compile.plan.policy = policy;
        CompileReport report;
        networks.push_back(
            LoadedNetwork::compile(planned_model(loaded, compile), compile, &report));
        table.rows.push_back(planned_row(report.planned, policy, table));
        FusionRow &row = table.rows.back();
        row.groups = networks.back().artifact().launch_count();
        row.fusion_ratio = static_cast<double>(table.operators) / std::max(row.groups, 1);
        for (const LaunchFacts &launch : launch_facts(networks.back())) {
            row.bytes_moved += launch.bytes_read + launch.bytes_written;
        }
    }
    const std::vector<Array> inputs =
        NetworkInputs(networks[0].artifact(), {}, options.seed).make(0);
    Effort effort = options.effort;
    effort.seconds =
        measuring_seconds(effort.seconds, elapsed.models, seconds_since(elapsed.start));
    Measurement measured = measure(networks, inputs, effort, progress);
    for (size_t i = 0; i < table.rows.size(); i++) {
        table.rows[i].ms = summarise(measured.times[i]);
        table.rows[i].times = std::move(measured.times[i]);
    }
    for (FusionRow &row : table.rows) {
        for (const char *over : {"tvm", "none"}) {
            if (const FusionRow *other = table.find(over); other != nullptr) {
                row.speed_ups[over] = ratio_of_medians(other->times, row.times, measured.sittings);
            }
        }
    }
    return table;
}

// Times the planner; returns what it found.
Json plan_model(const std::string &model, const FusionArguments &options) {
    Progress progress;
    const CompileOptions shared = options.flags.options(progress);
    const Graph graph = load_network(model, load_options(shared));
    const Machine machine = machine_for(shared.plan);
    const auto start = std::chrono::steady_clock::now();
    const Problem problem = naming_file(
        model, [&] { return analyze_network(graph, machine, shared.plan.exact).problem; });
    const double analysis = seconds_since(start);
    fmt::print("{}: {} operators, loop nests in {:.3f} s\n", model, problem.operators.size(),
               analysis);
    Json json = {{"model", model},
                 {"operators", problem.operators.size()},
                 {"analysis_seconds", analysis},
                 {"policies", Json::object()}};
    for (const std::string &policy : options.flags.policies()) {
        PlannerOptions planner;
        planner.policy = policy;
        planner.machine = machine;
        planner.search.budget = shared.plan.search_budget;
        const auto begin = std::chrono::steady_clock::now();
        const Plan plan = naming_file(
            model, [&] { return make_plan(problem, planner, find_policy(policy)).plan; });
        const double seconds = seconds_since(begin);
        const SearchReport &search = plan.search;
        fmt::print("  {:<11}{:>8.3f} s{:>8} groups{:>11.3f} ms predicted", policy, seconds,
                   plan.launched_groups(), milliseconds(plan.predicted_cycles(), machine));
        if (search.states > 0) {
            fmt::print(", {} after {} operators and {} groups ({} bounded, {} attached)",
                       search.proven_optimal ? "proven least without groups across views"
                                             : "not proven least",
                       search.states, search.groups, search.bounded, search.attached);
            if (search.duplication_tries > 0) {
                fmt::print(", {} of {} tries of duplication stayed", plan.duplications.size(),
                           search.duplication_tries);
            }
            if (search.layouts > 1) {
                fmt::print(", best of {} ways for values to lie", search.layouts);
            }
        }
        fmt::print("\n");
        json["policies"][policy] = {
            {"seconds", seconds},
            {"groups", plan.launched_groups()},
            {"predicted_ms", milliseconds(plan.predicted_cycles(), machine)},
            {"proven_optimal", search.proven_optimal},
            {"search_states", search.states},
            {"search_groups", search.groups},
            {"duplication_tries", search.duplication_tries},
            {"layouts", search.layouts},
            {"duplications", plan.duplications.size()}};
    }
    return json;
}

double ratio_over_tvm(const Table &table, const FusionRow &row) {
    const FusionRow *tvm = table.find("tvm");
    return tvm == nullptr ? 0.0 : row.fusion_ratio / tvm->fusion_ratio;
}

std::string speed_up(const FusionRow &row, const std::string &over) {
    const auto found = row.speed_ups.find(over);
    if (found == row.speed_ups.end() || over == row.policy) {
        return "";
    }
    const RatioInterval &interval = found->second;
    return fmt::format("{:.3f} [{:.3f}-{:.3f}]", interval.ratio, interval.low, interval.high);
}

void print(const Table &table, int threads) {
    fmt::print("{}: {} operators, {} thread{}, {} runs each", table.model, table.operators, threads,
               threads == 1 ? "" : "s", table.rows[0].times.size());
    if (table.headroom > 0.0) {
        fmt::print(", headroom {:.2f}", table.headroom);
    }
    fmt::print("\n{:<11}{:>7}{:>7}{:>10}{:>8}{:>10}{:>11}{:>10}  {:<21}{:<21}\n", "policy",
               "groups", "ratio", "over tvm", "fused", "MB moved", "predicted", "median",
               "over tvm", "over none");
    for (const FusionRow &row : table.rows) {
        const double over = ratio_over_tvm(table, row);
        fmt::print("{:<11}{:>7}{:>7.2f}{:>10}{:>7.0f}%{:>10.1f}{:>11.3f}{:>10.3f}  {:<21}{:<21}\n",
                   row.policy, row.groups, row.fusion_ratio,
                   over > 0.0 ? fmt::format("{:.2f}", over) : "",
                   100.0 * (1.0 - 1.0 / row.fusion_ratio), megabytes(row.bytes_moved),
                   row.predicted_ms, row.ms.median, speed_up(row, "tvm"), speed_up(row, "none"));
    }
    if (const FusionRow *row = table.find("gao2025"); row != nullptr) {
        fmt::print("gao2025: {} after {} operators and {} groups\n",
                   row->search.proven_optimal ? "proven least without groups across views"
                                              : "not proven least",
                   row->search.states, row->search.groups);
    }
    fmt::print("\n");
}

Json fusion_json(const RatioInterval &interval) {
    return {{"ratio", interval.ratio}, {"low", interval.low}, {"high", interval.high}};
}

Json fusion_json(const Table &table) {
    Json policies = Json::object();
    for (const FusionRow &row : table.rows) {
        Json &json = policies[row.policy];
        json = {{"groups", row.groups},
                {"fusion_ratio", row.fusion_ratio},
                {"ratio_over_tvm", ratio_over_tvm(table, row)},
                {"bytes_moved", row.bytes_moved},
                {"predicted_ms", row.predicted_ms},
                {"median_ms", row.ms.median},
                {"min_ms", row.ms.min},
                {"proven_optimal", row.search.proven_optimal},
                {"search", {{"states", row.search.states}, {"groups", row.search.groups}}}};
        for (const auto &[over, interval] : row.speed_ups) {
            json["over_" + over] = fusion_json(interval);
        }
    }
    return {{"model", table.model},
            {"operators", table.operators},
            {"headroom", table.headroom},
            {"policies", policies}};
}

// Of one policy over all models.
struct Averages {
    double ratio_over_tvm = 0.0, over_tvm = 0.0, over_none = 0.0;
};

double geometric(const std::vector<double> &values) {
    double logs = 0.0;
    for (const double value : values) {
        logs += std::log(value);
    }
    return values.empty() ? 0.0 : std::exp(logs / static_cast<double>(values.size()));
}

Averages averages_of(const std::string &policy, const std::vector<Table> &tables) {
    Averages averages;
    std::map<std::string, std::vector<double>> ratios;
    for (const Table &table : tables) {
        const FusionRow &row = *table.find(policy);
        averages.ratio_over_tvm += ratio_over_tvm(table, row) / static_cast<double>(tables.size());
        for (const char *over : {"tvm", "none"}) {
            if (const FusionRow *other = table.find(over); other != nullptr) {
                ratios[over].push_back(other->ms.median / row.ms.median);
            }
        }
    }
    averages.over_tvm = geometric(ratios["tvm"]);
    averages.over_none = geometric(ratios["none"]);
    return averages;
}

int fusion(const FusionArguments &options) {
    const InterruptGuard guard;  // the temporary folders have to go
    expect_writable(options.json);
    const int threads = options.flags.threads > 0 ? options.flags.threads : available_cores();
    if (options.plan_only) {
        Json models = Json::array();
        for (const std::string &model : options.models) {
            models.push_back(plan_model(model, options));
        }
        write_json(options.json, "emulsion-fusion-plans",
                   {{"threads", threads}, {"models", models}});
        return 0;
    }
    Progress progress;
    CompileOptions shared = options.flags.options(progress);
    const SharedUnits units(shared);
    const auto start = std::chrono::steady_clock::now();
    std::vector<Table> tables;
    Json json = {{"threads", threads}, {"models", Json::array()}, {"averages", Json::object()}};
    for (const std::string &model : options.models) {
        tables.push_back(measure_model(model, options, shared, {start, tables.size()}, progress));
        progress.clear();
        print(tables.back(), threads);
        json["models"].push_back(fusion_json(tables.back()));
    }
    for (const std::string &policy : options.flags.policies()) {
        const Averages averages = averages_of(policy, tables);
        if (tables.size() > 1) {
            fmt::print("{:<11} ratio over tvm {:.2f}, speed-up over tvm {:.3f}, over none {:.3f}\n",
                       policy, averages.ratio_over_tvm, averages.over_tvm, averages.over_none);
        }
        json["averages"][policy] = {{"ratio_over_tvm", averages.ratio_over_tvm},
                                    {"over_tvm", averages.over_tvm},
                                    {"over_none", averages.over_none}};
    }
    write_json(options.json, "emulsion-fusion", json);
    return 0;
}

std::function<int()> add_fusion(CLI::App &app) {
    auto options = std::make_shared<FusionArguments>();
    app.add_option("MODEL.onnx", options->models, "The networks")->required();
    add_effort(
        app, options->effort,
        "Measure every model this long, all policies together; at least 10 runs of each. Less, down to "
        "half, where compiling takes long: see below");
    app.add_option("--seed", options->seed, "Of the random input")
        ->capture_default_str()
        ->type_name("N");
    app.add_flag("--plan-only", options->plan_only, "Time the planner, and nothing else");
    add_result_flag(app, "--json", options->json, "Write all figures there");
    options->flags.add_to(app, CompileFlags::Policies::All);
    app.footer(kFusionManual);
    return [options] { return fusion(*options); };
}

}  // namespace

const Command &command_fusion() {
    static const Command command = {"fusion", "Compare the fusion policies on networks",
                                    add_fusion};
    return command;
}

}  // namespace emulsion
