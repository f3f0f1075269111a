#include "bench/classics/tune_image.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "tuner/best_point.h"

namespace emulsion::classics {

namespace {

// What is not so much faster in the search is not worth a second sitting, and what is not so much faster there is noise.
constexpr double kWorthwhile = 0.985, kConfirmed = 0.99;
constexpr size_t kFinalists = 4;
constexpr size_t kSuggestions = 64;  // of a round

// One size, and what is known of it.
struct Size {
    Size(const ImageTask &of, const ImageMeasuring &options)
        : task(of), measurer(of, options), best(of.task.planned) {}

    const ImageTask &task;
    ImageMeasurer measurer;
    std::vector<Result> results;  // all that is known
    BestPoint best;               // of these
    TunedPipeline tuned;
};

// Of all sizes, each by its own.
class SizesMeasurer : public Measurer {
public:
    explicit SizesMeasurer(const std::vector<std::unique_ptr<Size>> &sizes) {
        for (const auto &size : sizes) {
            sizes_.emplace(size->task.task.problem, size.get());
        }
    }

    const Size &size_of(const TuningTask &task) const { return *sizes_.at(task.problem); }

    std::vector<Result> measure(const TuningTask &task, const std::vector<Nest> &points) override {
        return sizes_.at(task.problem)->measurer.measure(task, points);
    }
    // Since the first measurement of any size.
    double seconds() const override {
        double longest = 0.0;
        for (const auto &[problem, size] : sizes_) {
            longest = std::max(longest, size->measurer.seconds());
        }
        return longest;
    }
    double planned_ms(const TuningTask &task) const override {
        return size_of(task).measurer.planned_ms(task);
    }

private:
    std::map<std::string, Size *> sizes_;  // by problem
};

class ImageTuner {
public:
    ImageTuner(const std::vector<ImageTask> &tasks, const PipelineTuning &options,
               TuningStore *store, Progress &progress)
        : options_(options), store_(store), progress_(progress),
          sizes_(sizes_of(tasks, options.measuring)), measurer_(sizes_) {
        for (const auto &size : sizes_) {
            if (store_ != nullptr) {
                size->results = store_->store.results(size->task.task, store_->build);
                size->best.add(size->results);
            }
        }
    }

    std::vector<TunedPipeline> run() {
        for (int round = 0; round < options_.rounds; round++) {
            search(round);
        }
        std::vector<TunedPipeline> all;
        for (const auto &size : sizes_) {
            confirm(*size);
            all.push_back(std::move(size->tuned));
        }
        return all;
    }

private:
    static std::vector<std::unique_ptr<Size>> sizes_of(const std::vector<ImageTask> &tasks,
                                                       const ImageMeasuring &options) {
        std::vector<std::unique_ptr<Size>> sizes;
        for (const ImageTask &task : tasks) {
            sizes.push_back(std::make_unique<Size>(task, options));
        }
        return sizes;
    }

    // Around the fastest so far, until this round's share of trials and seconds is used up; both are given for a size.
    void search(int round) {
        SessionOptions limits = options_.session;
        const double share =
            static_cast<double>(round + 1) / options_.rounds * static_cast<double>(sizes_.size());
        limits.seconds *= share;
        if (limits.trials > 0) {
            limits.trials = std::llround(static_cast<double>(limits.trials) * share) - trials_;
        }
        if ((options_.session.trials > 0 && limits.trials <= 0) ||
            (limits.seconds > 0.0 && measurer_.seconds() >= limits.seconds)) {
            return;
        }
        std::vector<FastestPoint> points;
        for (const auto &size : sizes_) {
            points.push_back({size->task, size->best.nest()});
        }
        SessionHooks hooks;
        hooks.earlier = [&](const TuningTask &task) { return measurer_.size_of(task).results; };
        hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
            check_interrupted();
            take(batch, *sizes_[batch.task]);
        };
        run_session(tasks_around(points, kSuggestions), limits, measurer_, hooks);
    }

    void take(const MeasuredBatch &batch, Size &size) {
        for (size_t i = 0; i < batch.trials; i++) {
            size.tuned.outcomes[batch.results[i].outcome]++;
        }
        size.results.insert(size.results.end(), batch.results.begin(), batch.results.end());
        size.best.add(batch.results);
        if (store_ != nullptr) {
            store_->store.add(store_->session, store_->sitting++, size.task.task, batch.results);
        }
        size.tuned.trials += static_cast<int64_t>(batch.trials);
        trials_ += static_cast<int64_t>(batch.trials);
        progress_.show(0, 0,
                       fmt::format("{}: {} trials, {:.3f} of the planned time",
                                   size.task.task.label, size.tuned.trials, size.best.ratio()));
    }

    // The fastest may have been lucky: they run once more, longer.
    void confirm(Size &size) {
        const std::vector<Nest> points = size.best.fastest(kFinalists, kWorthwhile);
        TunedPipeline &tuned = size.tuned;
        tuned.planned_ms = size.measurer.planned_ms(size.task.task);
        tuned.ratio = size.best.ratio();
        if (points.empty()) {
            return;
        }
        TrialOptions trial = options_.measuring.trial;
        trial.race.seed++;
        trial.race.most_seconds *= 2.0;
        trial.race.few_within = trial.race.some_within = 1.5;
        for (const Result &again : size.measurer.measure_again(points, trial)) {
            if (again.outcome == Outcome::Ok && again.ratio < kConfirmed &&
                again.ratio < tuned.confirmed) {
                tuned.confirmed = again.ratio;
                tuned.best = again.nest;
            }
        }
        tuned.planned_ms = size.measurer.planned_ms(size.task.task);
    }

    const PipelineTuning &options_;
    TuningStore *store_;
    Progress &progress_;
    std::vector<std::unique_ptr<Size>> sizes_;
    SizesMeasurer measurer_;
    int64_t trials_ = 0;  // of all sizes
};

}  // namespace

std::vector<TunedPipeline> tune_image(const std::vector<ImageTask> &sizes,
                                      const PipelineTuning &options, TuningStore *store,
                                      Progress &progress) {
    return ImageTuner(sizes, options, store, progress).run();
}

}  // namespace emulsion::classics
