#include "bench/effort_flags.h"

#include <CLI/CLI.hpp>

#include "bench/cli/validators.h"

namespace emulsion {

void add_effort(CLI::App &app, Effort &effort, const std::string &duration) {
    auto *iterations = app.add_option("--iters", effort.iterations, "Runs of each policy")
                           ->type_name("N")
                           ->check(within(1, 1'000'000'000));
    app.add_option("--duration", effort.seconds, duration)
        ->capture_default_str()
        ->type_name("SECONDS")
        ->check(within(0.001, 1e6))
        ->excludes(iterations);
    app.add_option("--warmup", effort.warmup, "Runs of each before, not counted")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(0, 1'000'000));
}

void add_effort(CLI::App &app, UnitMeasuring &effort, const std::string &runs) {
    app.add_option("--runs", effort.runs, runs)
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000'000));
    app.add_option("--sittings", effort.sittings, "Sittings, each with other memory")
        ->capture_default_str()
        ->type_name("N")
        ->check(within(1, 1'000));
}

}  // namespace emulsion
