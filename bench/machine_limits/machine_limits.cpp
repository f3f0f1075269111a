// Measures what this machine does at most: multiply-adds in registers, and reading by a plain loop, from buffers of several
// sizes. Prints JSON (emulsion-limits).
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>
#include <Halide.h>
#include <fmt/format.h>

#include "bench/limits.h"
#include "fusion/json_document.h"

namespace {

constexpr const char *kManual =
    "The best of many runs counts. A run computes or reads on all threads at once; of buffers each thread reads its part.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage.";

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Measures what this machine does at most.", "machine_limits");
    std::string target = Halide::get_host_target().to_string();
    int threads = 2;
    app.add_option("--target", target, "A Halide target that runs here")->capture_default_str();
    app.add_option("--threads", threads, "That compute and read")
        ->capture_default_str()
        ->check(CLI::Range(1, 256));
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        constexpr double kSecondsEach = 0.5;
        const emulsion::MachineLimits limits =
            emulsion::measure_limits(target, threads, kSecondsEach);
        fmt::print("{}", emulsion::json_document("emulsion-limits", emulsion::to_json(limits)));
        return 0;
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception &error) {
        fmt::print(stderr, "machine_limits: error: {}\n", error.what());
        return 1;
    }
}
