#include "bench/tuning/tune_network.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "bench/progress.h"
#include "bench/tuning/in_network.h"
#include "bench/tuning/network_tasks.h"
#include "bench/tuning/search_explanation.h"
#include "bench/tuning/search_page.h"
#include "frontend/lower/problem_key.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"
#include "fusion/group_nests.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

class NetworkTunings : public testing::Test {
protected:
    NetworkTunings() : folder_(make_scratch_folder()) {
        const std::string model = folder_->path() / "model.onnx";
        write_zoo_model("tiny_plain", model);
        options_.worker_program = EMULSION_BINARY_DIR "/bin/emulsion";
        options_.cache_folder = (folder_->path() / "cache").string();
        options_.plan.threads = 2;
        planned_ = planned_model(loaded_model(model, options_), options_);
        tuning_.search.session.trials = 60;
        tuning_.search.session.batch = 4;
        tuning_.search.trial.race.many = 4;
        tuning_.search.trial.race.most_drift = 1e9;  // any machine will do
        tuning_.seconds_in_network = 0.01;
        tuning_.whole = {.iterations = 10};
    }

    std::unique_ptr<TemporaryFolder> folder_;
    CompileOptions options_;
    PlannedModel planned_;
    NetworkTuning tuning_;
    Progress progress_;
};

TEST_F(NetworkTunings, AddUp) {
    const TunedNetwork tuned = tune_network(planned_, options_, tuning_, progress_);
    int64_t trials = 0;
    for (const auto &[task, found, tried] : tuned.tasks) {
        trials += found.trials;
        EXPECT_EQ(found.trials, std::ssize(tried));
        EXPECT_EQ("", task.space.is_valid(found.best.nest()));
    }
    EXPECT_EQ(trials, tuned.trials);
    EXPECT_GE(60, tuned.trials);
    EXPECT_EQ(tuned.other_over_first > 0.0, tuned.plans > 1);
    EXPECT_EQ(tuned.other.ms > 0.0, tuned.plans > 1 && tuned.other_over_first < 1.0);
    EXPECT_EQ(tuned.is_faster(), !tuned.tuned.nests.empty() || tuned.tuned.plan.has_value());
}

TEST_F(NetworkTunings, EndAfterTheSearchWhereNothingElseIsWanted) {
    tuning_.searches_only = true;
    tuning_.search.session.strategy = "ansor";
    tuning_.search.session.batch = 4;
    const TunedNetwork tuned = tune_network(planned_, options_, tuning_, progress_);
    EXPECT_EQ(0.0, tuned.untuned_ms);
    EXPECT_FALSE(tuned.is_faster());
    EXPECT_EQ(tuned.tasks.size(), tuned.trajectories.size());
    size_t points = 0;
    for (size_t i = 0; i < tuned.tasks.size(); i++) {
        points += tuned.trajectories[i].points.size();
        EXPECT_EQ(tuned.tasks[i].tried.size(), tuned.trajectories[i].points.size());
    }
    EXPECT_EQ(static_cast<size_t>(tuned.trials), points);
    EXPECT_FALSE(tuned.importances.empty());
    const SearchExplanation explanation = explain_search(tuned);
    int trials = 0;
    for (const OriginFigures &origin : explanation.origins) {
        trials += origin.trials;
        EXPECT_GE(origin.trials, origin.ok);
        EXPECT_GE(origin.ok, origin.improved);
    }
    EXPECT_EQ(tuned.trials, trials);
    const std::string page = search_page(tuned, "a<b>.onnx", "ansor");
    EXPECT_NE(std::string::npos, page.find("a&lt;b&gt;.onnx"));
    EXPECT_EQ(std::string::npos, page.find("<script"));
}

TEST_F(NetworkTunings, TuneOnlyGroupsThatAreAskedFor) {
    const std::string label = choose_tasks(planned_, options_, 1.0, "").tasks.back().label;
    const ChosenTasks chosen = choose_tasks(planned_, options_, 1.0, label);
    ASSERT_LE(1u, chosen.tasks.size());
    for (const TuningTask &task : chosen.tasks) {
        EXPECT_NE(std::string::npos, task.label.find(label));
    }
    EXPECT_THROW(choose_tasks(planned_, options_, 1.0, "no such operator"), Error);
}

TEST_F(NetworkTunings, RefuseANoisyMachine) {
    tuning_.search.trial.race.most_drift = -1.0;  // nothing is that quiet
    try {
        tune_network(planned_, options_, tuning_, progress_);
        ADD_FAILURE() << "measured on a machine that is too noisy";
    } catch (const Error &error) {
        EXPECT_NE(std::string::npos, error.message().find("too noisy")) << error.message();
    }
}

TEST_F(NetworkTunings, ChooseAmongFinalistsOnly) {
    const PlannedNetwork &network = planned_.networks.front();
    std::map<std::string, Finalist> finalists;
    for (const TuningTask &task : tasks_of(network, 2, "here")) {
        const size_t count = std::min<size_t>(task.suggested.size(), 2);
        finalists[task.problem] = {
            task.label,
            {task.suggested.begin(), task.suggested.begin() + static_cast<std::ptrdiff_t>(count)}};
    }
    for (const auto &[problem, chosen] :
         choose_in_network(planned_, options_, finalists, 0.01, progress_)) {
        const std::vector<Nest> &nests = finalists.at(problem).nests;
        EXPECT_EQ(1, std::count(nests.begin(), nests.end(), chosen.nest));
        EXPECT_GT(1.0, chosen.ratio);
    }
    EXPECT_TRUE(choose_in_network(planned_, options_, {}, 0.01, progress_).empty());
}

}  // namespace
}  // namespace emulsion
