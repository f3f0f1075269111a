// Tasks that fail beside tasks that don't.
#include "backend/workers.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "backend/files.h"
#include "backend/process.h"
#include "backend/temporary_folder.h"
#include "backend/unit_builder.h"

namespace emulsion {

namespace fs = std::filesystem;

namespace {

class WorkerTasks : public testing::Test {
protected:
    WorkerTask runtime(const std::string &target, const std::string &name) const {
        return {.target = target,
                .outputs = {.object = (folder_.path() / name).string()},
                .label = name};
    }

    std::vector<WorkerOutcome> outcomes(const std::vector<WorkerTask> &tasks,
                                        const std::string &program) const {
        std::vector<WorkerOutcome> all(tasks.size());
        run_workers(tasks, {.program = program, .jobs = 1},
                    [&](size_t i, const WorkerOutcome &outcome) { all[i] = outcome; });
        return all;
    }

    TemporaryFolder folder_{fs::temp_directory_path() / "workers"};
};

}  // namespace

TEST_F(WorkerTasks, FailByThemselves) {
    const auto all = outcomes({runtime("no-such-target", "a.o"), runtime("x86-64-linux", "b.o"),
                               runtime("nor-this-one", "c.o")},
                              program_path().string());
    ASSERT_TRUE(all[0].error && all[2].error);
    EXPECT_NE(std::string::npos, all[0].error->message().find("a.o: ")) << all[0].error->what();
    EXPECT_NE(std::string::npos, all[2].error->message().find("c.o: ")) << all[2].error->what();
    EXPECT_FALSE(all[1].error) << all[1].error->what();
    EXPECT_TRUE(fs::exists(folder_.path() / "b.o"));
}

TEST_F(WorkerTasks, AllFailWhereNoWorkerStaysAlive) {
    const auto all =
        outcomes({runtime("x86-64-linux", "a.o"), runtime("x86-64-linux", "b.o")}, "/bin/true");
    for (const WorkerOutcome &outcome : all) {
        ASSERT_TRUE(outcome.error);
        EXPECT_NE(std::string::npos, outcome.error->message().find("ended unexpectedly"));
    }
}

TEST(UnitErrors, AreAllInOneSentence) {
    EXPECT_NO_THROW(refuse_errors({}));
    const Error refused("a: no"), failed = failure("b: broken");
    try {
        refuse_errors({refused});
        FAIL();
    } catch (const Error &error) {
        EXPECT_STREQ(refused.what(), error.what());
    }
    try {
        refuse_errors({refused, failed});
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ("2 units can't be compiled: a: no; b: broken", error.message());
        EXPECT_EQ(ErrorKind::Failed, error.kind());
    }
    try {
        refuse_errors(std::vector<Error>(25, refused));
        FAIL();
    } catch (const Error &error) {
        EXPECT_NE(std::string::npos, error.message().find("; and 5 more"));
        EXPECT_EQ(ErrorKind::Refused, error.kind());
    }
}

}  // namespace emulsion
