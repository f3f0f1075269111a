// The program behind tools/fuzz-graphs.
#include <cstdio>
#include <filesystem>
#include <random>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "backend/files.h"
#include "bench/json_file.h"
#include "tests/graphs/campaign.h"
#include "tests/graphs/finding.h"
#include "tests/graphs/table.h"
#include "tests/lower/cpu_targets.h"

namespace {

using namespace emulsion;
using namespace emulsion::test;

constexpr int kFound = 1;
constexpr int kRefused = 2;

constexpr const char *kFooter =
    "Each graph runs under the policies none and gao2025 and in one configuration drawn at random, in a process of\n"
    "its own, and is compared with plain loops in double precision: |error| <= 1e-4 + 1e-3 |reference| for floats,\n"
    "equal for integers and bools. What fails is shrunk to the smallest graph that fails in the same way and written\n"
    "to --findings, with its inputs and how to repeat it.\n"
    "\n"
    "--planted [--only NAME] plants known bugs one at a time and says after how many graphs each is found.\n"
    "\n"
    "Exit status: 0 nothing was found, 1 something was, or more than one run in 20 was refused, 2 wrong usage or\n"
    "a file that can't be read.";

int repeat(const std::string &model, const CampaignOptions &options,
           const std::string &configuration) {
    const GraphCase example = read_case(model);
    std::vector<Configuration> configurations =
        configuration.empty() ? configurations_of(options.seed, options.targets)
                              : std::vector<Configuration>{parse_configuration(configuration)};
    const TrialEnd end =
        end_of(start_trial(example, configurations, options.folder, options.most_seconds).wait());
    bool found = false;
    for (const ConfigurationEnd &each : end.ends) {
        found |= each.is_finding();
        fmt::print("{}: {}{}{}\n", each.configuration, each.outcome, each.text.empty() ? "" : ": ",
                   each.text);
    }
    return found ? kFound : 0;
}

}  // namespace

int main(int argc, char **argv) {
    CampaignOptions options;
    options.seed = std::random_device()() % 1'000'000;
    options.findings = EMULSION_BINARY_DIR "/fuzz-findings";
    double minutes = 0;
    bool table = false;
    std::string model, configuration, json, target;
    CLI::App app(
        "Tries random graphs of 10 to 60 ONNX nodes in the compiler, against a reference in double precision.",
        "tools/fuzz-graphs");
    app.footer(kFooter);
    app.add_option("--minutes", minutes, "how long; 5 without --graphs")
        ->check(CLI::PositiveNumber);
    app.add_option("--graphs", options.graphs, "how many graphs at most")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed,
                   "seed of the first graph; others follow. Random, and printed, if not given");
    app.add_option("--nodes", options.most_nodes, "nodes of the largest graphs")
        ->check(CLI::Range(1, 1000));
    app.add_option(
        "--target", target,
        "for which all are compiled, as emulsion compile takes it; otherwise the host, and x86-64 at "
        "every level that this processor has");
    app.add_option("--jobs", options.jobs, "graphs at a time")->check(CLI::Range(1, 256));
    app.add_option("--findings", options.findings, "folder for what fails");
    app.add_option("--shrink-seconds", options.shrink_seconds, "how long a failing graph is shrunk")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--stop", options.stop_at_first, "ends with the first finding");
    app.add_option("--repeat", model, "runs this model, as a finding is repeated")
        ->type_name("FILE");
    app.add_option("--configuration", configuration,
                   "with --repeat: the options of one configuration, as findings name them");
    app.add_option("--json", json, "writes all figures to this file")->type_name("FILE");
    app.add_flag("--table", table,
                 "prints how often every option of every kind of operators was drawn");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kRefused;
    }
    try {
        const TemporaryFolder folder(std::filesystem::temp_directory_path() /
                                     "emulsion-fuzz-graphs-");
        options.folder = folder.path();
        options.targets = target.empty() ? cpu_targets() : std::vector<std::string>{target};
        for (const std::string &each : options.targets) {
            machine_for({.target = each});
        }
        if (!model.empty()) {
            return repeat(model, options, configuration);
        }
        options.seconds = minutes > 0 ? minutes * 60 : options.graphs > 0 ? 1e9 : 300;
        fmt::print("seed {}\n", options.seed);
        std::fflush(stdout);
        const CampaignEnd end = run_campaign(options);
        print_summary(end, table);
        write_json(json, "emulsion-fuzz-graphs", to_json(end, options));
        if (end.refuses_too_much()) {
            fmt::print(stderr, "tools/fuzz-graphs: more than {:.0f} % of the runs were refused\n",
                       100 * kMostRefused);
        }
        return end.findings.empty() && !end.refuses_too_much() ? 0 : kFound;
    } catch (const Error &error) {
        fmt::print(stderr, "tools/fuzz-graphs: error: {}\n", error.what());
        return kRefused;
    }
}
