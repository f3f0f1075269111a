#include "bench/tuning/tune_network.h"

#include <algorithm>

#include "backend/interrupt.h"
#include "bench/host.h"
#include "bench/loaded_network.h"
#include "bench/progress.h"
#include "bench/tuning/in_network.h"
#include "bench/tuning/network_tasks.h"
#include "bench/tuning/planning_again.h"
#include "bench/tuning/whole_times.h"
#include "frontend/lower/structure_hash.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

double predicted_ms(const TuningTask &task) { return task.launches * task.predicted_ms; }

// The largest, until they make that share of all.
ChosenTasks largest(std::vector<TuningTask> tasks, double share) {
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
    const auto left_out = static_cast<int>(tasks.size() - count);
    tasks.resize(count);
    return {std::move(tasks), left_out};
}

class NetworkTuner {
public:
    NetworkTuner(const PlannedModel &planned, const CompileOptions &options,
                 const NetworkTuning &tuning, Progress &progress)
        : planned_(planned), options_(options), tuning_(tuning), progress_(progress),
          machine_(machine_fingerprint(host_info())), planning_(planned, options),
          search_(options, tuning.search, machine_, progress) {}

    TunedNetwork run() {
        ChosenTasks chosen = choose_tasks(planned_, options_, tuning_.share, tuning_.only);
        result_.left_out = chosen.left_out;
        result_.tuned = {chosen.tasks.front().scope.target, options_.plan.threads, machine_, {}};
        const std::vector<size_t> first = search_.add(std::move(chosen.tasks), planned_);
        const bool plans_again = tuning_.plans_again && !tuning_.searches_only;
        search_.run(first, plans_again ? kFirstShare : 1.0);
        require_a_trial();
        if (plans_again) {
            plan_again(first);
            search_.run(other_ != nullptr ? tasks_of_plan(*other_) : first, 1.0);
        }
        result_.plans = static_cast<int>(planning_.count());
        if (!tuning_.searches_only) {
            judge(first);
        }
        progress_.clear();
        result_.tasks = search_.tasks();
        result_.steps = search_.steps();
        result_.trials = search_.trials();
        result_.seconds = search_.seconds();
        result_.importances = search_.importances();
        result_.trajectories = search_.trajectories();
        return std::move(result_);
    }

private:
    // Of trials and seconds; the rest is for what measured prices lead to.
    static constexpr double kFirstShare = 0.7;
    // Of the search's seconds, for choosing in the network.
    static constexpr double kJudgedShare = 0.05;

    void require_a_trial() const {
        const bool has_earlier = std::any_of(
            search_.tasks().begin(), search_.tasks().end(),
            [](const SearchedTask &searched) { return searched.found.best.ratio() < 1.0; });
        if (search_.trials() == 0 && !has_earlier) {
            throw Error("no candidate was measured: there is no other loop nest to try, or too "
                        "little time; give more --seconds",
                        {.file = planned_.model.file});
        }
    }

    // With measured prices, until a plan comes back or is not faster than the first one: what is new in it is tuned before
    // that is known. Prices are of groups that run by themselves, with their inputs in other caches than in the network.
    void plan_again(const std::vector<size_t> &first) {
        constexpr int kRounds = 4;
        for (int round = 1; round <= kRounds; round++) {
            check_interrupted();
            const PlannedModel *plan = planning_.next(search_.times());
            if (plan == nullptr) {
                break;
            }
            const size_t known = search_.tasks().size();
            std::vector<size_t> fresh = tasks_of_plan(*plan);
            std::erase_if(fresh, [&](size_t position) { return position < known; });
            if (!fresh.empty()) {
                search_.run(fresh, kFirstShare + (1.0 - kFirstShare) * round / (kRounds + 1));
            }
            const double ratio = time_over_first(*plan, first);
            if (result_.other_over_first == 0.0 || ratio < result_.other_over_first) {
                result_.other_over_first = ratio;
                other_ = ratio < 1.0 ? plan : nullptr;
            }
            if (ratio >= 1.0) {
                break;
            }
        }
    }

    // Of a run with the fastest nests so far, over one of the first plan with its own.
    double time_over_first(const PlannedModel &plan, const std::vector<size_t> &first) {
        progress_.show(0, 0, "comparing plans");
        std::vector<LoadedNetwork> networks;
        networks.push_back(
            LoadedNetwork::compile(with_nests(planned_, fastest_nests(first)), options_));
        networks.push_back(
            LoadedNetwork::compile(with_nests(plan, fastest_nests(tasks_of_plan(plan))), options_));
        const std::vector<double> medians =
            medians_in_turns(networks, tuning_.whole, planned_.model.file, progress_);
        return medians.back() / medians.front();
    }

    std::map<std::string, TunedNest> fastest_nests(const std::vector<size_t> &positions) const {
        std::map<std::string, TunedNest> nests;
        for (const size_t position : positions) {
            const SearchedTask &searched = search_.tasks()[position];
            nests[searched.task.problem] = {searched.task.label, searched.found.best.nest(),
                                            searched.found.best.ratio()};
        }
        return nests;
    }

    // The positions of its largest groups.
    std::vector<size_t> tasks_of_plan(const PlannedModel &plan) {
        return search_.add(
            largest(tasks_of(plan.networks.front(), options_.plan.threads, machine_), tuning_.share)
                .tasks,
            plan);
    }

    std::map<std::string, TunedNest> chosen_nests(const PlannedModel &plan,
                                                  const std::vector<size_t> &positions) {
        std::map<std::string, Finalist> finalists;
        for (const size_t position : positions) {
            const SearchedTask &searched = search_.tasks()[position];
            std::vector<Nest> nests = searched.found.best.fastest(tuning_.finalists, 1.0);
            if (!nests.empty()) {
                finalists[searched.task.problem] = {searched.task.label, std::move(nests)};
            }
        }
        return choose_in_network(
            plan, options_, finalists,
            std::max(tuning_.seconds_in_network, kJudgedShare * search_.seconds()), progress_);
    }

    // The whole network with and without, in turns; of its first plan, these tasks were tuned.
    void judge(const std::vector<size_t> &first) {
        result_.first.nests = chosen_nests(planned_, first);
        if (other_ != nullptr) {
            result_.other.nests = chosen_nests(*other_, tasks_of_plan(*other_));
        }
        std::vector<LoadedNetwork> networks;
        networks.push_back(LoadedNetwork::compile(planned_, options_));
        const auto add = [&](const PlannedModel &plan, const TunedPlanTimes &found) {
            networks.push_back(LoadedNetwork::compile(with_nests(plan, found.nests), options_));
        };
        if (!result_.first.nests.empty()) {
            add(planned_, result_.first);
        }
        if (other_ != nullptr) {
            add(*other_, result_.other);
        }
        if (networks.size() == 1) {
            return;
        }
        const std::vector<double> medians =
            medians_in_turns(networks, tuning_.whole, planned_.model.file, progress_);
        result_.untuned_ms = medians.front();
        result_.first.ms = result_.first.nests.empty() ? 0.0 : medians[1];
        result_.other.ms = other_ == nullptr ? 0.0 : medians.back();
        if (!result_.is_faster()) {
            return;
        }
        const bool is_other = result_.best_ms() == result_.other.ms;
        result_.tuned.nests = is_other ? result_.other.nests : result_.first.nests;
        if (is_other) {
            result_.tuned.plan = {structure_hash(planned_.model.graph),
                                  other_->networks.front().plan};
        }
    }

    const PlannedModel &planned_;
    const CompileOptions &options_;
    const NetworkTuning &tuning_;
    Progress &progress_;
    const std::string machine_;
    TunedNetwork result_;
    PlanningAgain planning_;
    NetworkSearch search_;  // of the networks of these plans
    const PlannedModel *other_ =
        nullptr;  // the fastest plan that measured prices have led to; null: the first one is faster
};

}  // namespace

ChosenTasks choose_tasks(const PlannedModel &planned, const CompileOptions &options, double share,
                         const std::string &only) {
    const PlannedNetwork &network = planned.networks.front();
    std::vector<TuningTask> tasks =
        tasks_of(network, options.plan.threads, machine_fingerprint(host_info()));
    std::erase_if(
        tasks, [&](const TuningTask &task) { return task.label.find(only) == std::string::npos; });
    ChosenTasks chosen = largest(std::move(tasks), share);
    if (chosen.tasks.empty()) {
        throw Error("the network has no group with a loop nest to tune" +
                        (only.empty() ? "" : " whose operators' names have '" + only + "'"),
                    {.file = planned.model.file});
    }
    return chosen;
}

TunedNetwork tune_network(const PlannedModel &planned, const CompileOptions &options,
                          const NetworkTuning &tuning, Progress &progress) {
    return NetworkTuner(planned, options, tuning, progress).run();
}

}  // namespace emulsion
