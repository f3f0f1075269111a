#include "bench/classics/image_measurer.h"

#include <utility>

#include <fmt/format.h>

#include "autoscheduler/refusal.h"
#include "backend/interrupt.h"
#include "backend/seconds_since.h"
#include "bench/user_files.h"
#include "fusion/error.h"
#include "fusion/image/decisions_at.h"
#include "fusion/image/plan_images.h"
#include "fusion/image/tuned_images.h"
#include "fusion/in_parallel.h"
#include "tuner/points.h"

namespace emulsion::classics {

ImageMeasurer::ImageMeasurer(const ImageTask &task, const ImageMeasuring &options)
    : task_(task), options_(options) {
    const std::string planned = point_text(task.task.planned);
    seen_[plan_at(task.task.planned)] = planned;
}

std::string ImageMeasurer::plan_at(const Nest &point) const {
    return emulsion::to_json(
        plan_images(task_.machine, decisions_at(task_.graph, task_.machine, point)));
}

std::vector<Result> ImageMeasurer::measure(const TuningTask & /*task*/,
                                           const std::vector<Nest> &points) {
    if (!std::exchange(has_begun_, true)) {
        begin_ = std::chrono::steady_clock::now();
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<Result> results(points.size());
    std::vector<Nest> fresh;
    std::vector<size_t> places;
    for (size_t i = 0; i < points.size(); i++) {
        results[i].nest = points[i];
        results[i].outcome = Outcome::Refused;
        try {
            const std::string text = point_text(points[i]);
            if (seen_.emplace(plan_at(points[i]), text).first->second != text) {
                results[i].why = "another point has this schedule";
                continue;
            }
            fresh.push_back(points[i]);
            places.push_back(i);
        } catch (const Error &error) {
            results[i].why = error.message();
        }
    }
    const std::vector<Result> tried = try_all(fresh, options_.trial);
    const double each = seconds_since(begin) / static_cast<double>(points.size());
    for (size_t i = 0; i < tried.size(); i++) {
        results[places[i]] = tried[i];
    }
    for (Result &result : results) {
        result.seconds = each;
    }
    return results;
}

std::vector<Result> ImageMeasurer::measure_again(const std::vector<Nest> &points,
                                                 const TrialOptions &trial) {
    return try_all(points, trial);
}

std::vector<Result> ImageMeasurer::try_all(const std::vector<Nest> &points,
                                           const TrialOptions &trial) {
    build_all(points);
    const Built &planned = built_.at("");
    if (!planned.failure.empty()) {
        throw failure(fmt::format("the pipeline '{}' can't be compiled as planned: {}",
                                  task_.task.label, planned.failure));
    }
    std::vector<Result> results(points.size());
    std::vector<std::string> libraries{planned.library};
    std::vector<size_t> places;
    for (size_t i = 0; i < points.size(); i++) {
        const Built &built = built_.at(point_text(points[i]));
        results[i] = {points[i], built.outcome, 0.0, 0.0, 0.0, built.failure};
        if (built.failure.empty()) {
            libraries.push_back(built.library);
            places.push_back(i);
        }
    }
    if (places.empty()) {
        return results;
    }
    const std::vector<Result> tried =
        try_candidates(
            libraries.size(),
            [&](const auto &) { return std::make_unique<LibraryCalls>(libraries); }, trial)
            .results;
    planned_ms_ = tried.front().ms;
    for (size_t i = 0; i < places.size(); i++) {
        results[places[i]] = tried[i + 1];
        results[places[i]].nest = points[places[i]];
    }
    return results;
}

void ImageMeasurer::build_all(const std::vector<Nest> &points) {
    std::vector<std::pair<std::string, const Nest *>> wanted;
    if (built_.count("") == 0) {
        wanted.emplace_back("", nullptr);
    }
    for (const Nest &point : points) {
        if (built_.count(point_text(point)) == 0) {
            wanted.emplace_back(point_text(point), &point);
        }
    }
    const size_t before = built_.size();
    std::vector<Built> built(wanted.size());
    in_parallel(wanted.size(), options_.jobs, [&](size_t i) {
        if (interrupted()) {
            return;
        }
        try {
            built[i] =
                build(fmt::format("{}.{}.{}", task_.pipeline, task_.task.problem, before + i),
                      wanted[i].second);
        } catch (const std::exception &e) {
            built[i] = {"", e.what(), Outcome::FailedToCompile};
        }
    });
    check_interrupted();
    for (size_t i = 0; i < wanted.size(); i++) {
        built_[wanted[i].first] = std::move(built[i]);
    }
}

ImageMeasurer::Built ImageMeasurer::build(const std::string &name, const Nest *point) const {
    Built built{.library = fmt::format("{}/{}.so", options_.folder, name)};
    std::vector<std::string> arguments{"build", task_.pipeline, "Gao2025", built.library,
                                       std::to_string(task_.machine.threads)};
    if (!task_.parameters.empty()) {
        arguments.insert(arguments.end(), {"--parameters", text_of(task_.parameters)});
    }
    if (point != nullptr) {
        TunedImages tuned{
            task_.task.scope.target, task_.machine.threads, task_.task.scope.machine, {}};
        tuned.pipelines[task_.task.problem] = {task_.pipeline, *point, 1.0};
        const std::string file = fmt::format("{}.tuned.json", built.library);
        write_whole_file(file, {emulsion::to_json(tuned)});
        arguments.insert(arguments.end(), {"--tuned", file});
    }
    Json answer;
    built.failure = run_step(options_.limits, built.library, arguments, answer);
    if (!built.failure.empty()) {
        const bool refused = built.failure.find(kRefusal) != std::string::npos;
        built.outcome = refused ? Outcome::Refused : Outcome::FailedToCompile;
    }
    return built;
}

double ImageMeasurer::seconds() const { return has_begun_ ? seconds_since(begin_) : 0.0; }

}  // namespace emulsion::classics
