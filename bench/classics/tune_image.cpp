#include "bench/classics/tune_image.h"

#include <cmath>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "tuner/best_point.h"

namespace emulsion::classics {

namespace {

// What is not so much faster in the search is not worth a second sitting, and what is not so much faster there is noise.
constexpr double kWorthwhile = 0.985, kConfirmed = 0.99;
constexpr size_t kFinalists = 4;
constexpr size_t kSuggestions = 64;  // of a round

class ImageTuner {
public:
    ImageTuner(const ImageTask &task, const PipelineTuning &options, TuningStore *store,
               Progress &progress)
        : task_(task), options_(options), store_(store), progress_(progress),
          measurer_(task, options.measuring), best_(task.task.planned) {
        if (store_ != nullptr) {
            results_ = store_->store.results(task.task, store_->build);
            best_.add(results_);
        }
    }

    TunedPipeline run() {
        for (int round = 0; round < options_.rounds; round++) {
            search(round);
        }
        confirm();
        return std::move(tuned_);
    }

private:
    // Around the fastest so far, until this round's share of trials and seconds is used up.
    void search(int round) {
        const TuningTask around = task_around(task_, best_.nest(), kSuggestions);
        SessionOptions limits = options_.session;
        const double share = static_cast<double>(round + 1) / options_.rounds;
        limits.seconds *= share;
        if (limits.trials > 0) {
            limits.trials =
                std::llround(static_cast<double>(limits.trials) * share) - tuned_.trials;
        }
        if ((options_.session.trials > 0 && limits.trials <= 0) ||
            (limits.seconds > 0.0 && measurer_.seconds() >= limits.seconds)) {
            return;
        }
        SessionHooks hooks;
        hooks.earlier = [&](const TuningTask &) { return results_; };
        hooks.measured = [&](const MeasuredBatch &batch, const SessionReport &) {
            check_interrupted();
            take(batch);
        };
        run_session({around}, limits, measurer_, hooks);
    }

    void take(const MeasuredBatch &batch) {
        for (size_t i = 0; i < batch.trials; i++) {
            tuned_.outcomes[batch.results[i].outcome]++;
        }
        results_.insert(results_.end(), batch.results.begin(), batch.results.end());
        best_.add(batch.results);
        if (store_ != nullptr) {
            store_->store.add(store_->session, store_->sitting++, task_.task, batch.results);
        }
        tuned_.trials += static_cast<int64_t>(batch.trials);
        progress_.show(0, 0,
                       fmt::format("{}: {} trials, {:.3f} of the planned time", task_.pipeline,
                                   tuned_.trials, best_.ratio()));
    }

    // The fastest may have been lucky: they run once more, longer.
    void confirm() {
        const std::vector<Nest> points = best_.fastest(kFinalists, kWorthwhile);
        tuned_.planned_ms = measurer_.planned_ms(task_.task);
        tuned_.ratio = best_.ratio();
        if (points.empty()) {
            return;
        }
        TrialOptions trial = options_.measuring.trial;
        trial.race.seed++;
        trial.race.most_seconds *= 2.0;
        trial.race.few_within = trial.race.some_within = 1.5;
        for (const Result &again : measurer_.measure_again(points, trial)) {
            if (again.outcome == Outcome::Ok && again.ratio < kConfirmed &&
                again.ratio < tuned_.confirmed) {
                tuned_.confirmed = again.ratio;
                tuned_.best = again.nest;
            }
        }
        tuned_.planned_ms = measurer_.planned_ms(task_.task);
    }

    const ImageTask &task_;
    const PipelineTuning &options_;
    TuningStore *store_;
    Progress &progress_;
    ImageMeasurer measurer_;
    std::vector<Result> results_;  // all that is known
    BestPoint best_;               // of these
    TunedPipeline tuned_;
};

}  // namespace

TunedPipeline tune_image(const ImageTask &task, const PipelineTuning &options, TuningStore *store,
                         Progress &progress) {
    return ImageTuner(task, options, store, progress).run();
}

}  // namespace emulsion::classics
