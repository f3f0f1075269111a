#include "bench/limits.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include <Halide.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

using namespace Halide;

// Rows of accumulators that neither fill the registers of AVX2 nor wait for each other, of two units with a latency of 4.
constexpr int kAccumulators = 12;

double best_seconds(double seconds, const std::function<void()> &run) {
    using Clock = std::chrono::steady_clock;
    const std::chrono::duration<double> at_least{seconds};
    constexpr int kLeastRuns = 20;
    double best = 1e9;
    const auto begin = Clock::now();
    for (int runs = 0; runs < kLeastRuns || Clock::now() - begin < at_least; runs++) {
        const auto start = Clock::now();
        run();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
}

// Multiplications and additions of f32 in a second.
double peak(const Target &target, int threads, double seconds) {
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
    return 2.0 * lanes * kSteps * threads / best_seconds(seconds, [&] { result.realize(output); });
}

// Bytes of a buffer of so many that are read in a second.
double read_bandwidth(const Target &target, int threads, int64_t bytes, double seconds) {
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
    return static_cast<double>(read.size_in_bytes()) /
           best_seconds(seconds, [&] { result.realize(output); });
}

}  // namespace

double MachineLimits::bytes_per_second(double bytes) const {
    for (const Reading &read : reading) {
        if (bytes <= static_cast<double>(read.bytes)) {
            return read.bytes_per_second;
        }
    }
    return reading.empty() ? 0.0 : reading.back().bytes_per_second;
}

MachineLimits measure_limits(const std::string &target, int threads, double seconds) {
    constexpr int64_t kLeast = int64_t{1} << 16, kMost = int64_t{1} << 27;
    Target unchecked(target);
    unchecked.set_feature(Target::NoAsserts);
    Internal::JITSharedRuntime::set_num_threads(threads);
    MachineLimits limits{target, threads, peak(unchecked, threads, seconds), {}};
    for (int64_t bytes = kLeast; bytes <= kMost; bytes *= 2) {
        limits.reading.push_back({bytes, read_bandwidth(unchecked, threads, bytes, seconds)});
    }
    return limits;
}

Json to_json(const MachineLimits &limits) {
    Json reading = Json::array();
    for (const MachineLimits::Reading &read : limits.reading) {
        reading.push_back({{"bytes", read.bytes}, {"bytes_per_second", read.bytes_per_second}});
    }
    return {{"target", limits.target},
            {"threads", limits.threads},
            {"operations_per_second", limits.operations_per_second},
            {"reading", reading}};
}

MachineLimits limits_from_json(const Json &json, const std::string &place) {
    MachineLimits limits;
    try {
        limits.target = json.at("target").get<std::string>();
        limits.threads = json.at("threads").get<int>();
        limits.operations_per_second = json.at("operations_per_second").get<double>();
        for (const Json &read : json.at("reading")) {
            limits.reading.push_back(
                {read.at("bytes").get<int64_t>(), read.at("bytes_per_second").get<double>()});
        }
    } catch (const Json::exception &error) {
        throw Error("these are no limits of a machine: " + std::string(error.what()),
                    {.file = place});
    }
    const bool positive = std::all_of(limits.reading.begin(), limits.reading.end(),
                                      [](const MachineLimits::Reading &read) {
                                          return read.bytes > 0 && read.bytes_per_second > 0.0;
                                      });
    if (!positive || limits.reading.empty() || !(limits.operations_per_second > 0.0)) {
        throw Error("limits of a machine are positive numbers", {.file = place});
    }
    return limits;
}

}  // namespace emulsion
