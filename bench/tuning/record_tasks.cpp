#include "bench/tuning/record_tasks.h"

#include <algorithm>
#include <chrono>
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

namespace emulsion {

namespace {

std::vector<TuningTask> chosen_tasks(const PlannedNetwork &network, int threads,
                                     const Recording &recording) {
    std::vector<TuningTask> tasks = tasks_of(network, threads, machine_fingerprint(host_info()));
    std::stable_sort(tasks.begin(), tasks.end(), [](const TuningTask &a, const TuningTask &b) {
        return a.predicted_ms > b.predicted_ms;
    });
    std::map<std::string, size_t> of_template;
    std::vector<TuningTask> chosen;
    for (TuningTask &task : tasks) {
        if (task.predicted_ms <= recording.most_ms &&
            of_template[task.space.template_name]++ < recording.tasks_of_each) {
            chosen.push_back(narrowed(std::move(task), recording.points));
        }
    }
    return chosen;
}

// All points of a task's grid but the planned one.
std::vector<Nest> points_of(const TuningTask &task, size_t most) {
    const Grid grid(task);
    std::vector<Nest> points = GridWalk(grid).next(most);
    std::erase(points, task.planned);
    return points;
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

}  // namespace

std::vector<RecordedTask> record_tasks(const PlannedModel &planned, const CompileOptions &options,
                                       const Recording &recording, Progress &progress) {
    constexpr size_t kBatch = 16;
    const PlannedNetwork &network = planned.networks.front();
    std::vector<RecordedTask> record;
    size_t total = 0, done = 0;
    for (TuningTask &task : chosen_tasks(network, options.plan.threads, recording)) {
        total += 2 * points_of(task, recording.points).size();
        record.push_back({std::move(task)});
    }
    if (record.empty()) {
        throw Error(fmt::format("all groups of the network are predicted to take more than {} ms",
                                recording.most_ms),
                    {.file = planned.model.file});
    }
    const auto begin = std::chrono::steady_clock::now();
    for (const int sitting : {0, 1}) {
        if (sitting > 0) {
            wait_until(recording.apart, begin, progress);
        }
        TrialOptions trial = recording.trial;
        trial.seed += static_cast<uint64_t>(sitting);
        LocalMeasurer measurer(planned, options, trial);
        for (RecordedTask &recorded : record) {
            const std::vector<Nest> points = points_of(recorded.task, recording.points);
            for (size_t at = 0; at < points.size(); at += kBatch) {
                progress.show(static_cast<int>(done), static_cast<int>(total),
                              "recording " + recorded.task.label);
                check_interrupted();
                const auto first = points.begin() + static_cast<std::ptrdiff_t>(at);
                const std::vector<Nest> batch(first, first + static_cast<std::ptrdiff_t>(std::min(
                                                                 kBatch, points.size() - at)));
                for (const Result &result : measurer.measure(recorded.task, batch)) {
                    auto &both = recorded.points[point_text(result.nest)];
                    (sitting == 0 ? both.first : both.second) = result;
                }
                done += batch.size();
            }
            if (sitting == 0) {
                recorded.planned_ms = measurer.planned_ms(recorded.task);
            }
        }
    }
    return record;
}

}  // namespace emulsion
