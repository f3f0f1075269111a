// Measures what this machine does at most: multiply-adds in registers, and reading by a plain loop, from buffers of several
// sizes. Prints JSON (emulsion-limits).
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <Halide.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fusion/json_document.h"

namespace {

using namespace Halide;

constexpr const char *kManual =
    "The best of many runs counts. A run computes or reads on all threads at once; of buffers each thread reads its part.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 wrong usage.";

// Rows of accumulators that neither fill the registers of AVX2 nor wait for each other, of two units with a latency of 4.
constexpr int kAccumulators = 12;

double best_seconds(const std::function<void()> &run) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::duration<double> kAtLeast{0.5};
    constexpr int kLeastRuns = 20;
    double best = 1e9;
    const auto begin = Clock::now();
    for (int runs = 0; runs < kLeastRuns || Clock::now() - begin < kAtLeast; runs++) {
        const auto start = Clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

// Multiplications and additions of f32 in a second.
double peak(const Target &target, int threads) {
    constexpr int kSteps = 100'000;
    const int vector = target.natural_vector_size<float>();
    const int lanes = kAccumulators * vector;
    Param<float> factor, summand;
    const Var lane, task;
    const RDom step(0, kSteps);
    Func sum, result;
    sum(lane, task) = cast<float>(lane);
    sum(lane, task) = sum(lane, task) * factor + summand + 0.0F * cast<float>(step);
    result(lane, task) = sum(lane, task);
    result.bound(lane, 0, lanes).parallel(task).vectorize(lane, vector);
    sum.compute_at(result, task).vectorize(lane, vector).unroll(lane);
    sum.update().reorder(lane, step).vectorize(lane, vector).unroll(lane);
    factor.set(0.5F);
    summand.set(1.0F);
    result.compile_jit(target);
    Buffer<float> output(lanes, threads);
    const double seconds = best_seconds([&] { result.realize(output); });
    return 2.0 * lanes * kSteps * threads / seconds;
}

// Bytes of a buffer of so many that are read in a second.
double read_bandwidth(const Target &target, int threads, int64_t bytes) {
    const int vector = target.natural_vector_size<float>();
    const int lanes = kAccumulators * vector;
    const int steps = static_cast<int>(
        std::max<int64_t>(bytes / (static_cast<int64_t>(sizeof(float)) * lanes * threads), 1));
    ImageParam input(type_of<float>(), 3);
    const Var lane, task;
    const RDom step(0, steps);
    Func sum, result;
    sum(lane, task) += input(lane, step, task);
    result(lane, task) = sum(lane, task);
    result.bound(lane, 0, lanes).parallel(task).vectorize(lane, vector);
    sum.compute_at(result, task).vectorize(lane, vector).unroll(lane);
    sum.update().reorder(lane, step).vectorize(lane, vector).unroll(lane);
    Buffer<float> read(lanes, steps, threads);
    read.fill(1.0F);
    input.set(read);
    result.compile_jit(target);
    Buffer<float> output(lanes, threads);
    const double seconds = best_seconds([&] { result.realize(output); });
    return static_cast<double>(read.size_in_bytes()) / seconds;
}

void print_limits(const std::string &target_text, int threads) {
    Target target(target_text);
    target.set_feature(Target::NoAsserts);
    Internal::JITSharedRuntime::set_num_threads(threads);
    constexpr int64_t kLeast = int64_t{1} << 16, kMost = int64_t{1} << 27;
    nlohmann::ordered_json reading = nlohmann::ordered_json::array();
    for (int64_t bytes = kLeast; bytes <= kMost; bytes *= 2) {
        reading.push_back(
            {{"bytes", bytes}, {"bytes_per_second", read_bandwidth(target, threads, bytes)}});
    }
    fmt::print("{}", emulsion::json_document("emulsion-limits",
                                             {{"target", target_text},
                                              {"threads", threads},
                                              {"operations_per_second", peak(target, threads)},
                                              {"reading", reading}}));
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app("Measures what this machine does at most.", "machine_limits");
    std::string target = get_host_target().to_string();
    int threads = 2;
    app.add_option("--target", target, "A Halide target that runs here")->capture_default_str();
    app.add_option("--threads", threads, "That compute and read")
        ->capture_default_str()
        ->check(CLI::Range(1, 256));
    app.footer(kManual);
    try {
        app.parse(argc, argv);
        print_limits(target, threads);
        return 0;
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception &error) {
        fmt::print(stderr, "machine_limits: error: {}\n", error.what());
        return 1;
    }
}
