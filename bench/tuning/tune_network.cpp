#include "bench/tuning/tune_network.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/unit_builder.h"
#include "bench/compare.h"
#include "bench/host.h"
#include "bench/loaded_network.h"
#include "bench/network_inputs.h"
#include "bench/progress.h"
#include "bench/statistics.h"
#include "bench/tuning/local_measurer.h"
#include "bench/tuning/network_tasks.h"
#include "fusion/error.h"
#include "tuner/grid.h"
#include "tuner/store.h"

namespace emulsion {

namespace {

// What is not so much faster in the search is not worth a confirmation, and what is not so much faster then is noise.
constexpr double kWorthwhile = 0.98, kConfirmed = 0.99;

double predicted_ms(const TuningTask &task) { return task.launches * task.predicted_ms; }

// The largest, until they make that share of all.
void keep_largest(std::vector<TuningTask> &tasks, double share) {
    std::stable_sort(tasks.begin(), tasks.end(), [](const TuningTask &a, const TuningTask &b) {
        return predicted_ms(a) > predicted_ms(b);
    });
    double all = 0.0, kept = 0.0;
    for (const TuningTask &task : tasks) {
        all += predicted_ms(task);
    }
    size_t count = 0;
    while (count < tasks.size() && (count == 0 || kept < share * all)) {
        kept += predicted_ms(tasks[count++]);
    }
    tasks.resize(count);
}

class NetworkTuner {
public:
    NetworkTuner(const PlannedModel &planned, const CompileOptions &options,
                 const NetworkTuning &tuning, Progress &progress)
        : planned_(planned), options_(options), tuning_(tuning), progress_(progress),
          result_(list_tasks(planned, options, tuning)), machine_(result_.tuned.machine) {
        result_.session = {};
        result_.confirmed.clear();
    }

    TunedNetwork run() {
        search();
        confirm();
        if (!result_.tuned.nests.empty()) {
            judge();
        }
        progress_.clear();
        return std::move(result_);
    }

private:
    void search() {
        std::optional<Store> store;
        const std::string build = build_with(options_);
        int64_t session = 0;
        int sitting = 0;
        SessionHooks hooks;
        if (!tuning_.store.empty()) {
            store.emplace(tuning_.store);
            session = store->begin({tuning_.session.strategy, tuning_.session.seed,
                                    tuning_.arguments, build, machine_});
            hooks.earlier = [&](const TuningTask &task) { return store->results(task, build); };
        }
        hooks.measured = [&](size_t task, const std::vector<Result> &batch,
                             const SessionReport &report) {
            check_interrupted();
            if (store) {
                store->add(session, sitting++, result_.tasks[task], batch);
            }
            result_.steps.push_back(
                {task, report.seconds, report.tasks[task].ratio, ratio_of_all(report)});
            show(report,
                 fmt::format("tuning: all {:.3f} of the planned time, {} {:.3f}", report.ratio(),
                             result_.tasks[task].label, report.tasks[task].ratio));
        };
        show({}, "tuning");
        LocalMeasurer measurer(planned_.networks.front(), options_, tuning_.trial);
        result_.session = run_session(result_.tasks, tuning_.session, measurer, hooks);
        if (result_.session.trials == 0 && result_.session.ratio() >= 1.0 &&
            !has_earlier_results()) {
            throw Error("no candidate was measured: there is no other loop nest to try, or too "
                        "little time; give more --seconds",
                        {.file = planned_.model.file});
        }
    }

    double ratio_of_all(const SessionReport &report) const {
        double planned = 0.0, tuned = 0.0;
        for (size_t i = 0; i < result_.tasks.size(); i++) {
            const TuningTask &task = result_.tasks[i];
            const double measured = report.tasks[i].curve.planned_ms;
            const double ms = task.launches * (measured > 0.0 ? measured : task.predicted_ms);
            planned += ms;
            tuned += ms * report.tasks[i].ratio;
        }
        return planned > 0.0 ? tuned / planned : 1.0;
    }

    // Trials where they are limited, else seconds; and how many seconds are left, where they are known.
    void show(const SessionReport &report, const std::string &what) {
        const SessionOptions &limits = tuning_.session;
        const bool by_trials = limits.trials > 0;
        double left = limits.seconds > 0.0 ? limits.seconds - report.seconds : 1e300;
        if (by_trials && report.trials > 0) {
            const auto trials = static_cast<double>(report.trials);
            left = std::min(left, report.seconds / trials *
                                      (static_cast<double>(limits.trials) - trials));
        }
        progress_.show(
            static_cast<int>(by_trials ? static_cast<double>(report.trials) : report.seconds),
            static_cast<int>(by_trials ? static_cast<double>(limits.trials) : limits.seconds),
            left < 1e300 ? fmt::format("({:.0f} s left) {}", std::max(left, 0.0), what) : what);
    }

    bool has_earlier_results() const {
        return std::any_of(result_.session.tasks.begin(), result_.session.tasks.end(),
                           [](const TunedTask &task) { return task.ratio < 1.0; });
    }

    // What was found may have been lucky: it is measured once more, in other memory.
    void confirm() {
        TrialOptions trial = tuning_.trial;
        trial.seed++;
        LocalMeasurer measurer(planned_.networks.front(), options_, trial);
        for (size_t i = 0; i < result_.tasks.size(); i++) {
            progress_.show(static_cast<int>(i), static_cast<int>(result_.tasks.size()),
                           "confirming");
            check_interrupted();
            const TunedTask &found = result_.session.tasks[i];
            result_.confirmed.push_back(1.0);
            if (found.ratio > kWorthwhile) {
                continue;
            }
            const Result again = measurer.measure(result_.tasks[i], {found.best}).front();
            if (again.outcome == Outcome::Ok && again.ratio < kConfirmed) {
                result_.confirmed.back() = again.ratio;
                result_.tuned.nests[result_.tasks[i].problem] = {result_.tasks[i].label, found.best,
                                                                 again.ratio};
            }
        }
    }

    // The whole network with and without, in turns.
    void judge() {
        PlannedModel tuned = planned_;
        take_tuned(tuned.networks.front(), result_.tuned);
        std::vector<LoadedNetwork> networks;
        networks.push_back(LoadedNetwork::compile(planned_, options_));
        networks.push_back(LoadedNetwork::compile(tuned, options_));
        const std::vector<Array> inputs =
            NetworkInputs(networks.front().artifact(), {}, tuning_.trial.seed).make(0);
        const std::vector<Array> expected = networks.front().run(inputs);
        const std::vector<Array> outputs = networks.back().run(inputs);
        for (size_t i = 0; i < outputs.size(); i++) {
            if (const Difference difference = compare(outputs[i], expected[i]);
                !difference.passes()) {
                throw failure(fmt::format("with the tuned loop nests, output {} is wrong by {} "
                                          "times the bound; nothing was written",
                                          i, difference.worst_ratio),
                              {.file = planned_.model.file});
            }
        }
        const auto times = measure(networks, inputs, tuning_.whole, progress_).times;
        result_.untuned_ms = summarise(times[0]).median;
        result_.tuned_ms = summarise(times[1]).median;
        if (!result_.is_faster()) {
            result_.tuned.nests.clear();
        }
    }

    const PlannedModel &planned_;
    const CompileOptions &options_;
    const NetworkTuning &tuning_;
    Progress &progress_;
    TunedNetwork result_;
    const std::string machine_;
};

}  // namespace

TunedNetwork list_tasks(const PlannedModel &planned, const CompileOptions &options,
                        const NetworkTuning &tuning) {
    const PlannedNetwork &network = planned.networks.front();
    if (network.on_gpu) {
        throw Error("loop nests are tuned for CPUs only; give a target that is one");
    }
    const std::string machine = machine_fingerprint(host_info());
    TunedNetwork list;
    list.tasks = tasks_of(network, options.plan.threads, machine);
    if (list.tasks.empty()) {
        throw Error("the network has no group with a loop nest to tune",
                    {.file = planned.model.file});
    }
    list.left_out = static_cast<int>(list.tasks.size());
    keep_largest(list.tasks, tuning.share);
    list.left_out -= static_cast<int>(list.tasks.size());
    list.session.tasks.resize(list.tasks.size());
    list.confirmed.assign(list.tasks.size(), 1.0);
    list.tuned = {list.tasks.front().scope.target, options.plan.threads, machine, {}};
    return list;
}

TunedNetwork tune_network(const PlannedModel &planned, const CompileOptions &options,
                          const NetworkTuning &tuning, Progress &progress) {
    return NetworkTuner(planned, options, tuning, progress).run();
}

void print_tuned(const TunedNetwork &tuned) {
    fmt::print("{:>9}{:>9}{:>8}{:>8}{:>11}  {}\n", "ms", "launches", "trials", "best", "confirmed",
               "operators");
    for (size_t i = 0; i < tuned.tasks.size(); i++) {
        const TunedTask &task = tuned.session.tasks[i];
        fmt::print("{:>9.4f}{:>9}{:>8}{:>8.3f}{:>11.3f}  {}\n", task.curve.planned_ms,
                   tuned.tasks[i].launches, task.trials, task.ratio, tuned.confirmed[i],
                   tuned.tasks[i].label);
    }
}

void print_tasks(const TunedNetwork &tuned) {
    fmt::print("{:>9}{:>9}{:>9}{:>13}{:>10}  {}\n", "predicted", "launches", "choices", "grid",
               "suggested", "operators");
    for (const TuningTask &task : tuned.tasks) {
        const auto choices = std::count_if(
            task.space.parameters.begin(), task.space.parameters.end(),
            [](const NestParameter &p) { return p.domain.least < p.domain.most || p.is_optional; });
        const auto grid = static_cast<double>(Grid(task).size());
        fmt::print("{:>9.4f}{:>9}{:>9}{:>13.4g}{:>10}  {}\n", task.predicted_ms, task.launches,
                   choices, grid, task.suggested.size(), task.label);
    }
}

}  // namespace emulsion
