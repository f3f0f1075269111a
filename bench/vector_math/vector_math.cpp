// Measures the real functions of operators against exact arithmetic.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "bench/function_errors.h"

namespace {

constexpr const char *kManual =
    "An error is in units of the last place of the exact result (ulp), taken from libm in double precision; smaller ones\n"
    "than the absolute bound don't count. Exit status: 0 all bounds hold, 1 one doesn't, 2 wrong usage.";

int print_errors(int64_t stride) {
    int above = 0;
    fmt::print("| function | floats | from | to | worst ulp | bound | absolute | at | ns |\n"
               "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const emulsion::RealFunction &function : emulsion::real_functions()) {
        const emulsion::FunctionErrors errors = emulsion::function_errors(function, stride);
        fmt::print("| {} | {} | {:.4g} | {:.4g} | {:.2f} | {:.0f} | {:.0e} | {:.9g} | {:.2f} |\n",
                   function.name, errors.floats, function.lowest, function.highest,
                   errors.worst_ulps, function.ulps, function.absolute, errors.worst_at, errors.ns);
        std::fflush(stdout);
        above += errors.worst_ulps > function.ulps ? 1 : 0;
    }
    if (above != 0) {
        fmt::print(stderr, "vector_math: error: {} functions miss their bounds\n", above);
    }
    return above == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Measures the real functions of operators against exact arithmetic, and times them on one core.",
        "vector_math");
    int64_t stride = 1;
    app.add_option("--stride", stride,
                   "Look at every N-th float; all of them take some minutes for each function")
        ->capture_default_str()
        ->check(CLI::Range(int64_t{1}, int64_t{1} << 31));
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        return print_errors(stride);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception &error) {
        fmt::print(stderr, "vector_math: error: {}\n", error.what());
        return 1;
    }
}
