// Whatever libraries do, the others are measured.
#include "bench/classics/library_calls.h"

#include <gtest/gtest.h>

#include "backend/process.h"
#include "bench/classics/steps.h"
#include "bench/user_files.h"

namespace emulsion::classics {

namespace {

// A library whose function does that.
std::string library_that(const std::string &folder, const std::string &name,
                         const std::string &body) {
    const std::string source = folder + "/" + name + ".c", library = folder + "/" + name + ".so";
    const std::string text = "const void *classic_metadata(void) { return 0; }\n"
                             "int classic_argv(void **arguments) { " +
                             body + " }\n";
    write_whole_file(source, {text});
    const ToolResult result = run_tool({"cc", "-shared", "-fPIC", "-o", library, source}, "gcc");
    EXPECT_EQ(0, result.status) << result.output;
    return library;
}

}  // namespace

TEST(SlowLibraryCalls, TellsWhatBecameOfEach) {
    const auto scratch = make_scratch_folder();
    const std::string folder = scratch->path().string();
    const std::string planned = folder + "/planned.so";
    build({"box_blur", "Gao2025", 2, planned, "", "", ""});
    const std::vector<std::string> libraries{
        planned,
        library_that(folder, "crashes", "*(volatile int *)0 = 1; return 0;"),
        planned,
        library_that(folder, "loops", "for (;;) {} return 0;"),
        library_that(folder, "idle", "return 0;"),
        library_that(folder, "fails", "return 7;"),
        folder + "/none.so"};
    TrialOptions trial = library_trial();
    trial.least_timeout_seconds = 0.5;
    trial.race.most_seconds = 0.1;
    const std::vector<Result> results =
        try_candidates(
            libraries.size(),
            [&](const auto &) { return std::make_unique<LibraryCalls>(libraries); }, trial)
            .results;
    ASSERT_EQ(libraries.size(), results.size());
    const Outcome expected[] = {Outcome::Ok,       Outcome::Crashed, Outcome::Ok,
                                Outcome::TimedOut, Outcome::Wrong,   Outcome::Crashed,
                                Outcome::Crashed};
    for (size_t i = 0; i < results.size(); i++) {
        EXPECT_EQ(expected[i], results[i].outcome) << i << ": " << results[i].why;
        EXPECT_EQ(results[i].outcome == Outcome::Ok, results[i].why.empty());
    }
    EXPECT_EQ(1.0, results[0].ratio);
    EXPECT_GT(results[2].ratio, 0.0);
    EXPECT_GT(results[2].ms, 0.0);
}

}  // namespace emulsion::classics
