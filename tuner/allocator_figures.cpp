#include "tuner/allocator_figures.h"

#include <algorithm>
#include <span>

#include "fusion/error.h"
#include "fusion/geometric_mean.h"
#include "tuner/learning_curve.h"
#include "tuner/session.h"

namespace emulsion {

namespace {

// The sum of weighted times, from the moment on when every task has a batch.
struct SumCurve {
    std::vector<double> seconds, ms;
};

double sum_of(const SessionReport &report) {
    double sum = 0.0;
    for (const TunedTask &task : report.tasks) {
        if (task.curve.best.empty()) {
            return 0.0;
        }
        sum += task.curve.weighted_ms(task.curve.best.size());
    }
    return sum;
}

SessionReport session_of(const NetworkRecord &network, const std::string &allocator, uint64_t seed,
                         const AllocatorOptions &options, Replay &replay,
                         const SessionHooks &hooks) {
    std::vector<TuningTask> tasks;
    for (const RecordedTask &recorded : network.tasks) {
        tasks.push_back(recorded.task);
    }
    const SessionOptions session{.strategy = options.strategy,
                                 .allocator = allocator,
                                 .seed = seed,
                                 .trials = options.trials_of_each * std::ssize(tasks),
                                 .batch = options.batch,
                                 .from_scratch = true};
    return run_session(tasks, session, replay, hooks);
}

SumCurve curve_of(const NetworkRecord &network, const std::string &allocator, uint64_t seed,
                  const AllocatorOptions &options) {
    Replay replay(network.tasks);
    SumCurve curve;
    SessionHooks hooks;
    hooks.measured = [&](const MeasuredBatch &, const SessionReport &report) {
        if (const double sum = sum_of(report); sum > 0.0) {
            curve.seconds.push_back(replay.seconds());
            curve.ms.push_back(sum);
        }
    };
    session_of(network, allocator, seed, options, replay, hooks);
    if (curve.ms.empty()) {
        throw Error("so few trials are no batch for every task of '" + network.name + "'");
    }
    return curve;
}

// When it comes so low; at its end, where it never does.
double seconds_until(const SumCurve &curve, double ms) {
    for (size_t i = 0; i < curve.ms.size(); i++) {
        if (curve.ms[i] <= ms) {
            return curve.seconds[i];
        }
    }
    return curve.seconds.back();
}

double times_as_soon(const SumCurve &reference, const SumCurve &own) {
    constexpr double kQuality = 0.95;
    const double goal = std::min(reference.ms.back(), own.ms.back()) / kQuality;
    return seconds_until(reference, goal) / seconds_until(own, goal);
}

}  // namespace

std::vector<AllocatorFigures> allocator_figures(const std::vector<NetworkRecord> &networks,
                                                const AllocatorOptions &options) {
    std::vector<std::string> names = options.allocators;
    for (const AllocatorKind *kind : all_allocators()) {
        if (options.allocators.empty()) {
            names.push_back(kind->name);
        }
    }
    std::vector<AllocatorFigures> all;
    for (const std::string &name : names) {
        AllocatorFigures figures{.name = name};
        std::vector<std::vector<double>> ratios;
        for (const NetworkRecord &network : networks) {
            ratios.emplace_back();
            for (int seed = 1; seed <= options.seeds; seed++) {
                const auto number = static_cast<uint64_t>(seed);
                ratios.back().push_back(
                    times_as_soon(curve_of(network, options.reference, number, options),
                                  curve_of(network, name, number, options)));
            }
            figures.times_as_soon.push_back(geometric_mean(ratios.back()));
        }
        figures.all = geometric_interval(ratios);
        all.push_back(std::move(figures));
    }
    return all;
}

ForecastFigures forecast_figures(const std::vector<NetworkRecord> &networks,
                                 const AllocatorOptions &options) {
    constexpr size_t kFewest = 2;  // values before the one that is forecast
    ForecastFigures figures;
    size_t covered = 0, unchanged = 0;
    for (const NetworkRecord &network : networks) {
        for (int seed = 1; seed <= options.seeds; seed++) {
            Replay replay(network.tasks);
            const SessionReport report = session_of(
                network, "round_robin", static_cast<uint64_t>(seed), options, replay, {});
            for (const TunedTask &task : report.tasks) {
                const std::span<const double> best = task.curve.best;
                for (size_t n = kFewest; n < best.size(); n++) {
                    const CurveForecast next = next_of_curve(best.first(n));
                    figures.values++;
                    covered += next.low <= best[n] && best[n] <= next.high ? 1 : 0;
                    unchanged += best[n] == best[n - 1] ? 1 : 0;
                }
            }
        }
    }
    const auto values = static_cast<double>(std::max<size_t>(figures.values, 1));
    figures.covered = static_cast<double>(covered) / values;
    figures.unchanged = static_cast<double>(unchanged) / values;
    return figures;
}

}  // namespace emulsion
