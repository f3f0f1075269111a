#include "bench/tuning/tune_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/unit_builder.h"
#include "bench/host.h"
#include "bench/loaded_network.h"
#include "bench/progress.h"
#include "bench/tuning/network_tasks.h"
#include "bench/tuning/planning_again.h"
#include "bench/tuning/plans_measurer.h"
#include "bench/tuning/whole_times.h"
#include "frontend/lower/structure_hash.h"
#include "fusion/error.h"
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
          result_(list_tasks(planned, options, tuning)), machine_(result_.tuned.machine),
          measurer_(options, tuning.trial) {
        result_.session = {};
        result_.confirmed.clear();
        if (!tuning.store.empty()) {
            store_.emplace(tuning.store);
            stored_session_ = store_->begin({tuning.session.strategy, tuning.session.seed,
                                             tuning.arguments, build_with(options), machine_});
        }
        std::vector<TuningTask> tasks = std::move(result_.tasks);
        result_.tasks.clear();
        first_ = add_tasks(std::move(tasks), planned.networks.front());
    }

    TunedNetwork run() {
        search(first_, tuning_.plans_again ? kFirstShare : 1.0);
        require_a_trial();
        if (tuning_.plans_again) {
            search(plan_again(), 1.0);
        }
        confirm();
        judge();
        progress_.clear();
        return std::move(result_);
    }

private:
    // Of trials and seconds; the rest is for what measured prices lead to.
    static constexpr double kFirstShare = 0.7;

    // The positions of these tasks of `network` among all, new ones behind those that are known.
    std::vector<size_t> add_tasks(std::vector<TuningTask> tasks, const PlannedNetwork &network) {
        std::vector<size_t> positions;
        for (TuningTask &task : tasks) {
            const auto known = position_.emplace(task.problem, result_.tasks.size());
            positions.push_back(known.first->second);
            if (known.second) {
                measurer_.add(task, network);
                networks_.push_back(&network);
                if (store_) {
                    results_[task.problem] = store_->results(task, build_with(options_));
                }
                TunedTask tuned{.best = task.planned};
                tuned.curve.launches = task.launches;
                keep_best(results_[task.problem], tuned);
                result_.session.tasks.push_back(std::move(tuned));
                result_.tasks.push_back(std::move(task));
            }
        }
        return positions;
    }

    // Goes on with the tasks at these positions until that share of all trials and seconds is used up.
    void search(const std::vector<size_t> &positions, double share) {
        SessionOptions limits = tuning_.session;
        if (limits.trials > 0) {
            limits.trials =
                std::lround(share * static_cast<double>(limits.trials)) - result_.session.trials;
        }
        limits.seconds *= share;
        if ((tuning_.session.trials > 0 && limits.trials <= 0) ||
            (limits.seconds > 0.0 && measurer_.seconds() >= limits.seconds)) {
            return;
        }
        std::vector<TuningTask> tasks;
        for (const size_t position : positions) {
            tasks.push_back(result_.tasks[position]);
        }
        SessionHooks hooks;
        hooks.earlier = [&](const TuningTask &task) { return results_[task.problem]; };
        hooks.measured = [&](size_t task, const std::vector<Result> &batch, const SessionReport &) {
            check_interrupted();
            take(positions[task], batch);
        };
        show("tuning");
        run_session(tasks, limits, measurer_, hooks);
    }

    static void keep_best(const std::vector<Result> &results, TunedTask &task) {
        for (const Result &result : results) {
            if (result.outcome == Outcome::Ok && result.ratio < task.ratio) {
                task.ratio = result.ratio;
                task.best = result.nest;
            }
        }
    }

    // What was measured of a task.
    void take(size_t position, const std::vector<Result> &batch) {
        const TuningTask &task = result_.tasks[position];
        TunedTask &tuned = result_.session.tasks[position];
        std::vector<Result> &known = results_[task.problem];
        known.insert(known.end(), batch.begin(), batch.end());
        if (store_) {
            store_->add(stored_session_, sitting_++, task, batch);
        }
        for (const Result &result : batch) {
            tuned.outcomes[result.outcome]++;
        }
        keep_best(known, tuned);
        tuned.trials += static_cast<int64_t>(batch.size());
        tuned.curve.planned_ms = measurer_.planned_ms(task);
        tuned.curve.best.push_back(tuned.ratio);
        result_.session.trials += static_cast<int64_t>(batch.size());
        result_.session.seconds = measurer_.seconds();
        result_.steps.push_back({position, result_.session.seconds, tuned.ratio, ratio_of_all()});
        show(fmt::format("tuning: all {:.3f} of the planned time, {} {:.3f}",
                         result_.steps.back().ratio, task.label, tuned.ratio));
    }

    // Time of all tasks so far over that with the planned nests; those that were not measured count as predicted.
    double ratio_of_all() const {
        double planned = 0.0, tuned = 0.0;
        for (size_t i = 0; i < result_.session.tasks.size(); i++) {
            const double ms = result_.tasks[i].launches * milliseconds(i);
            planned += ms;
            tuned += ms * result_.session.tasks[i].ratio;
        }
        return planned > 0.0 ? tuned / planned : 1.0;
    }

    double milliseconds(size_t task) const {
        const double measured = result_.session.tasks[task].curve.planned_ms;
        return measured > 0.0 ? measured : result_.tasks[task].predicted_ms;
    }

    // Trials where they are limited, else seconds; and how many seconds are left, where they are known.
    void show(const std::string &what) {
        const SessionOptions &limits = tuning_.session;
        const SessionReport &report = result_.session;
        const bool by_trials = limits.trials > 0;
        const auto trials = static_cast<double>(report.trials);
        double left = limits.seconds > 0.0 ? limits.seconds - report.seconds : kNever;
        if (by_trials && report.trials > 0) {
            left = std::min(left, report.seconds / trials *
                                      (static_cast<double>(limits.trials) - trials));
        }
        progress_.show(
            static_cast<int>(by_trials ? trials : report.seconds),
            static_cast<int>(by_trials ? static_cast<double>(limits.trials) : limits.seconds),
            left < kNever ? fmt::format("({:.0f} s left) {}", std::max(left, 0.0), what) : what);
    }

    void require_a_trial() const {
        const bool has_earlier =
            std::any_of(result_.session.tasks.begin(), result_.session.tasks.end(),
                        [](const TunedTask &task) { return task.ratio < 1.0; });
        if (result_.session.trials == 0 && !has_earlier) {
            throw Error("no candidate was measured: there is no other loop nest to try, or too "
                        "little time; give more --seconds",
                        {.file = planned_.model.file});
        }
    }

    // With measured prices, until a plan comes back: what is new in it is tuned before the next. The tasks of the last
    // plan.
    std::vector<size_t> plan_again() {
        constexpr int kRounds = 4;
        std::vector<size_t> tasks = first_;
        for (int round = 1; round <= kRounds; round++) {
            check_interrupted();
            std::vector<MeasuredGroup> groups =
                measured_groups(planned_.networks.front(), measured_times());
            for (const auto &plan : plans_) {
                const auto more = measured_groups(plan->networks.front(), measured_times());
                groups.insert(groups.end(), more.begin(), more.end());
            }
            auto next = planned_again(planned_.model, options_, groups);
            if (was_planned(next->networks.front())) {
                break;
            }
            plans_.push_back(std::move(next));
            result_.plans++;
            const size_t known = result_.tasks.size();
            std::vector<TuningTask> largest =
                tasks_of(last_network(), options_.plan.threads, machine_);
            keep_largest(largest, tuning_.share);
            tasks = add_tasks(std::move(largest), last_network());
            std::vector<size_t> fresh = tasks;
            std::erase_if(fresh, [&](size_t position) { return position < known; });
            if (!fresh.empty()) {
                const double rest = 1.0 - kFirstShare;
                search(fresh, kFirstShare + rest * round / (kRounds + 1));
            }
        }
        return tasks;
    }

    bool was_planned(const PlannedNetwork &network) const {
        return are_planned_alike(network, planned_.networks.front()) ||
               std::any_of(plans_.begin(), plans_.end(), [&](const auto &plan) {
                   return are_planned_alike(network, plan->networks.front());
               });
    }

    const PlannedNetwork &last_network() const {
        return plans_.empty() ? planned_.networks.front() : plans_.back()->networks.front();
    }

    MeasuredTimes measured_times() const {
        std::map<std::string, double> times;
        for (size_t i = 0; i < result_.session.tasks.size(); i++) {
            const TunedTask &task = result_.session.tasks[i];
            times[result_.tasks[i].problem] = task.curve.planned_ms * task.ratio;
        }
        return [times](const std::string &problem) {
            const auto found = times.find(problem);
            return found != times.end() ? found->second : 0.0;
        };
    }

    // What was found may have been lucky: it is measured once more, in other memory.
    void confirm() {
        TrialOptions trial = tuning_.trial;
        trial.seed++;
        PlansMeasurer measurer(options_, trial);
        for (size_t i = 0; i < result_.tasks.size(); i++) {
            progress_.show(static_cast<int>(i), static_cast<int>(result_.tasks.size()),
                           "confirming");
            check_interrupted();
            const TunedTask &found = result_.session.tasks[i];
            result_.confirmed.push_back(1.0);
            if (found.ratio > kWorthwhile) {
                continue;
            }
            measurer.add(result_.tasks[i], *networks_[i]);
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
        std::vector<LoadedNetwork> networks;
        networks.push_back(LoadedNetwork::compile(planned_, options_));
        const auto add = [&](const PlannedModel &plan) {
            PlannedModel tuned = plan;
            take_tuned(tuned.networks.front(), result_.tuned);
            networks.push_back(LoadedNetwork::compile(tuned, options_));
        };
        if (!result_.tuned.nests.empty()) {
            add(planned_);
        }
        if (!plans_.empty()) {
            add(*plans_.back());
        }
        if (networks.size() > 1) {
            const std::vector<double> medians = medians_in_turns(
                networks, tuning_.trial.seed, tuning_.whole, planned_.model.file, progress_);
            result_.untuned_ms = medians.front();
            result_.tuned_ms = result_.tuned.nests.empty() ? 0.0 : medians[1];
            result_.planned_again_ms = plans_.empty() ? 0.0 : medians.back();
        }
        const bool has_plan =
            result_.planned_again_ms > 0.0 && result_.best_ms() == result_.planned_again_ms;
        if (!result_.is_faster()) {
            result_.tuned.nests.clear();
        } else if (has_plan) {
            result_.tuned.plan = {structure_hash(planned_.model.graph), last_network().plan};
        }
    }

    static constexpr double kNever = 1e300;

    const PlannedModel &planned_;
    const CompileOptions &options_;
    const NetworkTuning &tuning_;
    Progress &progress_;
    TunedNetwork result_;
    const std::string machine_;
    std::vector<const PlannedNetwork *> networks_;        // by task, the one that it is of
    std::vector<std::unique_ptr<PlannedModel>> plans_;    // that measured prices have led to
    std::vector<size_t> first_;                           // tasks of the first plan
    std::map<std::string, size_t> position_;              // of tasks, by problem
    std::map<std::string, std::vector<Result>> results_;  // by problem, all that is known
    PlansMeasurer measurer_;
    std::optional<Store> store_;
    int64_t stored_session_ = 0;
    int sitting_ = 0;
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

}  // namespace emulsion
