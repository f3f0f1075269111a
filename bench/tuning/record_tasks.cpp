#include "bench/tuning/record_tasks.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "backend/seconds_since.h"
#include "bench/host.h"
#include "bench/progress.h"
#include "bench/tuning/local_measurer.h"
#include "bench/tuning/network_tasks.h"
#include "fusion/error.h"
#include "tuner/grid.h"
#include "tuner/spread.h"

namespace emulsion {

namespace {

// All points of a task's grid but the planned one.
std::vector<Nest> points_of(const TuningTask &task, size_t most) {
    const Grid grid(task);
    std::vector<Nest> points = GridWalk(grid).next(most);
    std::erase(points, task.planned);
    return points;
}

// Those with something to choose.
std::vector<TuningTask> chosen_tasks(const PlannedNetwork &network, int threads,
                                     const Recording &recording) {
    std::vector<TuningTask> tasks = tasks_of(network, threads, machine_fingerprint(host_info()));
    std::stable_sort(tasks.begin(), tasks.end(), [](const TuningTask &a, const TuningTask &b) {
        return a.predicted_ms > b.predicted_ms;
    });
    std::map<std::string, size_t> of_template;
    std::vector<TuningTask> chosen;
    for (TuningTask &task : tasks) {
        size_t &known = of_template[task.space.template_name];
        if (task.predicted_ms > recording.most_ms || known >= recording.tasks_of_each ||
            chosen.size() >= recording.tasks) {
            continue;
        }
        task = recording.spread ? spread(std::move(task), recording.points)
                                : narrowed(std::move(task), recording.points);
        if (!points_of(task, recording.points).empty()) {
            known++;
            chosen.push_back(std::move(task));
        }
    }
    return chosen;
}

void wait_until(double seconds, std::chrono::steady_clock::time_point begin, Progress &progress) {
    constexpr auto kStep = std::chrono::milliseconds(200);
    while (seconds_since(begin) < seconds) {
        progress.show(static_cast<int>(seconds_since(begin)), static_cast<int>(seconds),
                      "waiting with the second sitting");
        check_interrupted();
        std::this_thread::sleep_for(kStep);
    }
}

// Points of a task that are measured together.
struct Batch {
    size_t task = 0;
    std::vector<Nest> points;
};

std::vector<Batch> batches_of(const std::vector<RecordedTask> &record, size_t most) {
    constexpr size_t kBatch = 16;
    std::vector<Batch> batches;
    for (size_t task = 0; task < record.size(); task++) {
        const std::vector<Nest> points = points_of(record[task].task, most);
        for (size_t at = 0; at < points.size(); at += kBatch) {
            const auto first = points.begin() + static_cast<std::ptrdiff_t>(at);
            const size_t count = std::min(kBatch, points.size() - at);
            batches.push_back({task, {first, first + static_cast<std::ptrdiff_t>(count)}});
        }
    }
    return batches;
}

// All measurements of a point in a sitting: the one with the median ratio (of two in the middle the slower one), with the
// seconds of the first, which compiled it; or one that failed.
Result median_of(std::vector<Result> measured) {
    const double seconds = measured.front().seconds;
    const auto failed = std::find_if(measured.begin(), measured.end(), [](const Result &result) {
        return result.outcome != Outcome::Ok;
    });
    const auto middle = measured.begin() + static_cast<std::ptrdiff_t>(measured.size() / 2);
    std::nth_element(measured.begin(), middle, measured.end(),
                     [](const Result &a, const Result &b) { return a.ratio < b.ratio; });
    Result result = failed != measured.end() ? *failed : *middle;
    result.seconds = seconds;
    return result;
}

// One sitting of a record: number 0 or 1.
class Sitting {
public:
    Sitting(const PlannedModel &planned, const CompileOptions &options, const Recording &recording,
            int number, std::vector<RecordedTask> &record, Progress &progress)
        : measurer_(planned, options, trial_of(recording, number)), recording_(recording),
          number_(number), record_(record), progress_(progress), measured_(record.size()) {}

    // Measures all points, and adds what was found to the record.
    void run() {
        const std::vector<Batch> batches = batches_of(record_, recording_.points);
        for (int pass = 0; pass < recording_.passes; pass++) {
            measure(batches);
        }
        for (size_t i = 0; i < record_.size(); i++) {
            for (const auto &[text, results] : measured_[i]) {
                auto &both = record_[i].points[text];
                (number_ == 0 ? both.first : both.second) = median_of(results);
            }
            if (number_ == 0) {
                record_[i].planned_ms = measurer_.planned_ms(record_[i].task);
            }
        }
    }

private:
    static TrialOptions trial_of(const Recording &recording, int number) {
        TrialOptions trial = recording.trial;
        trial.race.seed += static_cast<uint64_t>(number);
        // What a strategy learns of slow points counts as well, so they run as often as fast ones; but not those that
        // are so slow that nobody needs to know how slow exactly.
        constexpr double kSlow = 4.0;
        trial.race.few_within = kSlow;
        trial.race.some_within = std::numeric_limits<double>::max();
        return trial;
    }

    // Batches in which the machine was disturbed are measured again after all others, when it may no longer be.
    void measure(std::vector<Batch> batches) {
        constexpr int kMostTimes = 3;
        for (int times = 1; times <= kMostTimes && !batches.empty(); times++) {
            std::vector<Batch> disturbed;
            for (size_t i = 0; i < batches.size(); i++) {
                progress_.show(static_cast<int>(i), static_cast<int>(batches.size()),
                               fmt::format("sitting {} of 2, recording {}{}", number_ + 1,
                                           record_[batches[i].task].task.label,
                                           times > 1 ? " again" : ""));
                check_interrupted();
                std::vector<Result> results =
                    measurer_.measure(record_[batches[i].task].task, batches[i].points);
                if (measurer_.was_disturbed() && times < kMostTimes) {
                    disturbed.push_back(batches[i]);
                    continue;
                }
                for (Result &result : results) {
                    measured_[batches[i].task][point_text(result.nest)].push_back(
                        std::move(result));
                }
            }
            batches = std::move(disturbed);
        }
    }

    LocalMeasurer measurer_;
    const Recording &recording_;
    const int number_;
    std::vector<RecordedTask> &record_;
    Progress &progress_;
    std::vector<std::map<std::string, std::vector<Result>>> measured_;  // by task, by point_text
};

}  // namespace

std::vector<RecordedTask> record_tasks(const PlannedModel &planned, const CompileOptions &options,
                                       const Recording &recording, Progress &progress) {
    std::vector<RecordedTask> record;
    for (TuningTask &task :
         chosen_tasks(planned.networks.front(), options.plan.threads, recording)) {
        record.push_back({std::move(task)});
    }
    if (record.empty()) {
        throw Error(
            fmt::format("all groups of the network are predicted to take more than {} ms, or "
                        "have a single loop nest",
                        recording.most_ms),
            {.file = planned.model.file});
    }
    const auto begin = std::chrono::steady_clock::now();
    for (const int sitting : {0, 1}) {
        if (sitting > 0) {
            wait_until(recording.apart, begin, progress);
        }
        Sitting(planned, options, recording, sitting, record, progress).run();
    }
    return record;
}

}  // namespace emulsion
