#include "bench/classics/tune_image.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "backend/interrupt.h"
#include "tuner/points.h"

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
          measurer_(task, options.measuring) {
        best_.nest = task.task.planned;
        best_.ratio = 1.0;
        if (store_ != nullptr) {
            for (const Result &result : store_->store.results(task.task, store_->build)) {
                keep(result);
            }
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
    void keep(const Result &result) {
        results_.push_back(result);
        if (result.outcome == Outcome::Ok && result.ratio < best_.ratio) {
            best_ = result;
        }
    }

    // Around the fastest so far, until this round's share of trials and seconds is used up.
    void search(int round) {
        const TuningTask around = task_around(task_, best_.nest, kSuggestions);
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
        hooks.measured = [&](size_t, const std::vector<Result> &batch, const SessionReport &) {
            check_interrupted();
            take(batch);
        };
        run_session({around}, limits, measurer_, hooks);
    }

    void take(const std::vector<Result> &batch) {
        for (const Result &result : batch) {
            tuned_.outcomes[result.outcome]++;
            keep(result);
        }
        if (store_ != nullptr) {
            store_->store.add(store_->session, store_->sitting++, task_.task, batch);
        }
        tuned_.trials += static_cast<int64_t>(batch.size());
        progress_.show(0, 0,
                       fmt::format("{}: {} trials, {:.3f} of the planned time", task_.pipeline,
                                   tuned_.trials, best_.ratio));
    }

    // The fastest may have been lucky: they run once more, longer.
    void confirm() {
        std::vector<Result> finalists = results_;
        std::erase_if(finalists, [](const Result &result) {
            return result.outcome != Outcome::Ok || result.ratio > kWorthwhile;
        });
        std::ranges::stable_sort(
            finalists, [](const Result &a, const Result &b) { return a.ratio < b.ratio; });
        finalists.resize(std::min(finalists.size(), kFinalists));
        tuned_.planned_ms = measurer_.planned_ms(task_.task);
        tuned_.ratio = best_.ratio;
        if (finalists.empty()) {
            return;
        }
        std::vector<Nest> points;
        for (const Result &result : finalists) {
            points.push_back(result.nest);
        }
        LibraryTrial trial = options_.measuring.trial;
        trial.seed++;
        trial.seconds *= 2.0;
        trial.few_within = trial.some_within = 1.5;
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
    Result best_;
    TunedPipeline tuned_;
};

}  // namespace

TunedPipeline tune_image(const ImageTask &task, const PipelineTuning &options, TuningStore *store,
                         Progress &progress) {
    return ImageTuner(task, options, store, progress).run();
}

}  // namespace emulsion::classics
