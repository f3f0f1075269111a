#include "tuner/session.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "fusion/error.h"
#include "tuner/outcome.h"
#include "tuner/reranker.h"
#include "tuner/strategy.h"

namespace emulsion {

namespace {

// As its facts say; 0 where nobody knows.
double operations_of(const TuningTask &task) {
    if (task.facts) {
        for (const Fact &fact : task.facts->of_problem()) {
            if (fact.name == "multiply_adds" && fact.value > 0.0) {
                return std::exp2(fact.value);
            }
        }
    }
    return 0.0;
}

class Session {
public:
    Session(const std::vector<TuningTask> &tasks, const SessionOptions &options, Measurer &measurer,
            const SessionHooks &hooks)
        : tasks_(tasks), options_(options), measurer_(measurer), hooks_(hooks),
          allocator_(find_allocator(options.allocator).make()) {
        if (options.trials <= 0 && options.seconds <= 0.0) {
            throw Error("a tuning session needs a limit: a number of trials, or of seconds");
        }
        if (options.batch == 0) {
            throw Error("a tuning session measures at least 1 candidate at a time");
        }
        if (options.rerank > 0) {
            reranker_.emplace(measurer, options.rerank,
                              CodeLearner(find_code_model(options.code_model), options.seed,
                                          options.trained_code));
        }
        const StrategyKind &kind = find_strategy(options.strategy);
        // Equal tasks of different networks are searched alike.
        const ModelKind &model = find_model(options.model.empty() ? kind.model : options.model);
        context_ = {options.seed, std::make_shared<Learner>(model, options.seed), options.predictor,
                    options.trials / std::max<int64_t>(std::ssize(tasks), 1)};
        for (size_t i = 0; i < tasks.size(); i++) {
            strategies_.push_back(kind.make(tasks[i], context_));
            TunedTask task{.best = BestPoint(tasks[i].planned)};
            task.curve.launches = tasks[i].launches;
            task.curve.kind = tasks[i].space.template_name;
            task.curve.operations = operations_of(tasks[i]);
            report_.tasks.push_back(std::move(task));
            if (hooks.earlier) {
                const std::vector<Result> known = hooks.earlier(tasks[i]);
                strategies_.back()->observe(known);
                report_.tasks.back().best.add(known);
            }
        }
    }

    SessionReport run() {
        while (!is_over()) {
            const int next = allocator_->next(curves());
            if (next < 0) {
                break;
            }
            run_batch(static_cast<size_t>(next));
        }
        for (size_t i = 0; i < strategies_.size(); i++) {
            report_.tasks[i].belief = strategies_[i]->belief(report_.tasks[i].best.nest());
        }
        report_.importances = context_.learner->model().importances();
        return std::move(report_);
    }

private:
    bool is_over() const {
        return (options_.trials > 0 && report_.trials >= options_.trials) ||
               (options_.seconds > 0.0 && measurer_.seconds() >= options_.seconds);
    }

    std::vector<TuningCurve> curves() const {
        std::vector<TuningCurve> curves;
        for (const TunedTask &task : report_.tasks) {
            curves.push_back(task.curve);
        }
        return curves;
    }

    void run_batch(size_t i) {
        TunedTask &task = report_.tasks[i];
        size_t most = options_.batch;
        if (options_.trials > 0) {
            most = std::min(most, static_cast<size_t>(options_.trials - report_.trials));
        }
        const Reranker::Choice chosen = candidates(i, most);
        if (chosen.proposals.empty()) {
            task.curve.ended = true;
            return;
        }
        std::vector<Nest> nests = nests_of(chosen.proposals);
        const size_t trials = nests.size();
        if (task.best.nest() != tasks_[i].planned) {
            nests.push_back(task.best.nest());
        }
        const std::vector<Result> results = measurer_.measure(tasks_[i], nests);
        const std::vector<Result> fresh(results.begin(),
                                        results.begin() + static_cast<std::ptrdiff_t>(trials));
        strategies_[i]->observe(fresh);
        if (reranker_) {
            reranker_->observe(i, fresh, chosen.code);
        }
        for (const Result &result : fresh) {
            task.outcomes[result.outcome]++;
        }
        task.trials += static_cast<int64_t>(trials);
        task.curve.planned_ms = measurer_.planned_ms(tasks_[i]);
        task.best.add(results);
        task.curve.best.push_back(best_after(i, fresh));
        report_.trials += static_cast<int64_t>(trials);
        report_.seconds = measurer_.seconds();
        if (hooks_.measured) {
            hooks_.measured({i, results, trials, chosen.proposals, chosen.code}, report_);
        }
    }

    // What is measured next of a task.
    Reranker::Choice candidates(size_t i, size_t most) {
        if (!reranker_) {
            return {strategies_[i]->propose(most), {}, {}};
        }
        Reranker::Choice chosen =
            reranker_->choose(tasks_[i], strategies_[i]->propose(reranker_->looked_at(most)), most);
        strategies_[i]->give_back(chosen.left);
        return chosen;
    }

    // Of the curve.
    double best_after(size_t i, const std::vector<Result> &fresh) const {
        const TunedTask &task = report_.tasks[i];
        if (!options_.from_scratch) {
            return task.best.ratio();
        }
        double best = task.curve.best.empty() ? kFailedRatio : task.curve.best.back();
        for (const Result &result : fresh) {
            best = result.outcome == Outcome::Ok ? std::min(best, result.ratio) : best;
        }
        return best;
    }

    const std::vector<TuningTask> &tasks_;
    const SessionOptions &options_;
    Measurer &measurer_;
    const SessionHooks &hooks_;
    std::unique_ptr<Allocator> allocator_;
    SearchContext context_;
    std::optional<Reranker> reranker_;
    std::vector<std::unique_ptr<Strategy>> strategies_;
    SessionReport report_;
};

}  // namespace

SessionReport run_session(const std::vector<TuningTask> &tasks, const SessionOptions &options,
                          Measurer &measurer, const SessionHooks &hooks) {
    return Session(tasks, options, measurer, hooks).run();
}

}  // namespace emulsion
