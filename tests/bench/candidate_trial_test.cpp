// Candidates that go wrong: each is found out, and the others are measured.
#include "bench/tuning/candidate_trial.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "backend/cache.h"
#include "backend/planned_model.h"
#include "backend/process.h"
#include "backend/unit_builder.h"
#include "backend/unit_entry.h"
#include "backend/workers.h"
#include "bench/tuning/local_measurer.h"
#include "bench/tuning/network_tasks.h"
#include "frontend/lower/compute_constants.h"
#include "frontend/lower/problem_key.h"
#include "frontend/zoo/zoo.h"
#include "fusion/error.h"
#include "fusion/group_nests.h"
#include "fusion/random_nest.h"
#include "tests/bench/program.h"
#include "tuner/points.h"

namespace emulsion {
namespace {

class CandidateTrials : public testing::Test {
protected:
    CandidateTrials() : folder_(make_scratch_folder()) {
        const std::string model = folder_->path() / "model.onnx";
        write_zoo_model("tiny_residual", model);
        options_.worker_program = EMULSION_BINARY_DIR "/bin/emulsion";
        options_.cache_folder = (folder_->path() / "cache").string();
        options_.plan.target = "x86-64-linux-avx2-fma";
        options_.plan.threads = 2;
        planned_ = planned_model(loaded_model(model, options_), options_);
        tasks_ = tasks_of(network(), 2, "here");
        trial_.least_timeout_seconds = 0.2;
        trial_.race.many = 4;
    }

    const PlannedNetwork &network() const { return planned_.networks.front(); }

    // Valid nests of the first task, all others than the planned one.
    std::vector<Nest> some_nests(size_t count) const {
        const TuningTask &task = tasks_.front();
        std::mt19937_64 engine(1);
        KnownPoints known;
        known.add(task.planned);
        std::vector<Nest> nests;
        while (nests.size() < count) {
            const Nest nest = random_nest(task.space, task.planned, engine);
            if (known.add(nest)) {
                nests.push_back(nest);
            }
        }
        return nests;
    }

    const PlannedLaunch &launch_of_first_task() const {
        return *std::find_if(network().launches.begin(), network().launches.end(),
                             [&](const PlannedLaunch &launch) {
                                 return problem_key(launch.unit) == tasks_.front().problem;
                             });
    }

    // The code of the first task's unit with that nest is to be this body of a C function instead, whose last argument is
    // `result`.
    void inject(const Nest &nest, const std::string &body) {
        Unit unit = launch_of_first_task().unit;
        set_group_nest(unit.plan.groups.front(), nest);
        const std::string key = unit_key(unit);
        const auto source = folder_->path() / (key + ".c"), object = folder_->path() / (key + ".o");
        std::ofstream code(source);
        code << "void abort(void); int " << key << "(";
        for (size_t i = 0; i < unit.inputs.size(); i++) {
            code << "char **input" << i << ", ";
        }
        code << "char **result) { " << body << " }\n" << std::flush;
        const ToolResult compiled =
            run_tool({"cc", "-w", "-fPIC", "-c", source.string(), "-o", object.string()}, "gcc");
        ASSERT_EQ(0, compiled.status) << compiled.output;
        std::ostringstream bytes;
        bytes << std::ifstream(object, std::ios::binary).rdbuf();
        UnitCache(options_.cache_folder, compiler_build(options_.worker_program))
            .store(key, to_bytes({bytes.str(), {}}));
    }

    std::vector<Result> measure(const std::vector<Nest> &nests) {
        LocalMeasurer measurer(planned_, options_, trial_);
        return measurer.measure(tasks_.front(), nests);
    }

    std::unique_ptr<TemporaryFolder> folder_;
    CompileOptions options_;
    PlannedModel planned_;
    std::vector<TuningTask> tasks_;
    TrialOptions trial_;
};

TEST_F(CandidateTrials, MeasureNestsThatComputeTheSame) {
    const std::vector<Nest> nests = some_nests(4);
    LocalMeasurer measurer(planned_, options_, trial_);
    const std::vector<Result> results = measurer.measure(tasks_.front(), nests);
    ASSERT_EQ(nests.size(), results.size());
    for (size_t i = 0; i < nests.size(); i++) {
        EXPECT_EQ(nests[i], results[i].nest);
        EXPECT_EQ(Outcome::Ok, results[i].outcome) << results[i].why;
        EXPECT_LT(0.0, results[i].ratio);
        EXPECT_LT(0.0, results[i].ms);
        EXPECT_LT(0.0, results[i].seconds);
    }
    EXPECT_LT(0.0, measurer.planned_ms(tasks_.front()));
}

TEST_F(CandidateTrials, SurviveEveryKindOfFailure) {
    std::vector<Nest> nests = some_nests(7);
    inject(nests[0], "abort(); return 0;");
    inject(nests[1], "for (;;) {} return 0;");
    inject(nests[2], "return 0;");  // writes nothing, so what was there before stays
    inject(nests[3], "return -1;");
    nests[4].parameters.begin()->second = 1 << 20;
    // Reads a megabyte behind the result: where units' memory lies side by side, that harms nobody.
    inject(nests[6], "volatile char read; char *host = result[2];"
                     "for (int i = 0; i < 1 << 20; i++) read = host[i]; return 0;");
    const std::vector<Result> results = measure(nests);
    EXPECT_EQ(Outcome::Crashed, results[0].outcome);
    EXPECT_NE(std::string::npos, results[0].why.find("signal 6")) << results[0].why;
    EXPECT_EQ(Outcome::TimedOut, results[1].outcome) << results[1].why;
    EXPECT_EQ(Outcome::Wrong, results[2].outcome) << results[2].why;
    EXPECT_EQ(Outcome::Crashed, results[3].outcome) << results[3].why;
    EXPECT_TRUE(results[4].outcome == Outcome::Refused ||
                results[4].outcome == Outcome::FailedToCompile)
        << name_of(results[4].outcome);
    EXPECT_FALSE(results[4].why.empty());
    EXPECT_EQ(Outcome::Ok, results[5].outcome) << results[5].why;
    EXPECT_EQ(Outcome::Crashed, results[6].outcome);
    EXPECT_NE(std::string::npos, results[6].why.find("signal 11")) << results[6].why;
}

TEST_F(CandidateTrials, SayWhereThePlannedNestItselfFails) {
    inject(tasks_.front().planned, "abort(); return 0;");
    EXPECT_THROW(measure(some_nests(1)), Error);
}

}  // namespace
}  // namespace emulsion
