// The program behind tools/fuzz-pipelines.
#include <cstdio>
#include <random>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "autoscheduler/plugin_path.h"
#include "bench/json_file.h"
#include "fusion/error.h"
#include "tests/pipelines/pipeline_campaign.h"

namespace {

using namespace emulsion;
using namespace emulsion::test;

constexpr int kFound = 1;
constexpr int kRefused = 2;

constexpr const char *kFooter =
    "Each pipeline is scheduled by the plugin Gao2025 and computed, in a process of its own, and compared with the\n"
    "same pipeline with every Func stored: integers are equal, floats (at most 256) differ by at most 0.0256. What\n"
    "Halide can't compute with every Func stored either, in at most 256 MB for each, counts as unfit; scheduled, a Func\n"
    "may take 1 GB, as tiles reach beyond outputs that are smaller than estimated. A pipeline is made again by its seed:\n"
    "--seed N --pipelines 1, with the same --stages.\n"
    "\n"
    "Exit status: 0 nothing was found, 1 something was, 2 wrong usage.";

}  // namespace

int main(int argc, char **argv) {
    PipelineCampaign options;
    options.seed = std::random_device()() % 1'000'000;
    options.progress = true;
    double minutes = 0;
    std::vector<int> stages{options.size.fewest_stages, options.size.most_stages};
    bool lower = false;
    std::string json;
    CLI::App app("Tries random Halide pipelines under the autoscheduler Gao2025.",
                 "tools/fuzz-pipelines");
    app.footer(kFooter);
    app.add_option("--minutes", minutes, "how long; 5 without --pipelines")
        ->check(CLI::PositiveNumber);
    app.add_option("--pipelines", options.pipelines, "how many at most")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed,
                   "seed of the first; others follow. Random, and printed, if not given");
    app.add_option("--stages", stages, "fewest and most stages of a pipeline (1 40)")
        ->expected(2)
        ->check(CLI::Range(1, 2000));
    app.add_flag("--lower", lower, "schedules and lowers them, and runs none");
    app.add_option("--seconds", options.limits.all_seconds,
                   "of the processor that one pipeline may take, compiling included (300)")
        ->check(CLI::PositiveNumber);
    app.add_option("--jobs", options.jobs, "pipelines at a time")->check(CLI::Range(1, 256));
    app.add_option("--json", json, "writes all figures to this file")->type_name("FILE");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kRefused;
    }
    try {
        options.size.fewest_stages = stages[0];
        options.size.most_stages = std::max(stages[0], stages[1]);
        options.limits.runs = !lower;
        options.plugin = gao2025_path();
        options.seconds = minutes > 0 ? minutes * 60 : options.pipelines > 0 ? 1e9 : 300;
        fmt::print("seed {}\n", options.seed);
        std::fflush(stdout);
        const PipelineCampaignEnd end = run_pipelines(options);
        fmt::print("{}", summary_of(end));
        write_json(json, "emulsion-fuzz-pipelines", json_of(end, options));
        return end.findings.empty() ? 0 : kFound;
    } catch (const Error &error) {
        fmt::print(stderr, "tools/fuzz-pipelines: error: {}\n", error.what());
        return kRefused;
    }
}
