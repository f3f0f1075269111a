#include "tuner/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/features.h"
#include "tuner/points.h"

namespace emulsion {

namespace {

const SessionRecord kSession{"random", ~uint64_t{0}, R"({"trials":4})", "build1", R"({"cores":2})"};

std::vector<Result> some_results(int64_t rows) {
    const auto nest = [&](int64_t columns) {
        return Nest{"toy", {{"rows", rows}, {"columns", columns}, {"unrolled", 0}}};
    };
    return {{nest(8), Outcome::Ok, 0.75, 1.5, 0.25, ""},
            {nest(16), Outcome::Crashed, 0.0, 0.0, 2.0, "signal 11"}};
}

class Stores : public testing::Test {
protected:
    Stores()
        : folder_(std::filesystem::temp_directory_path() /
                  ("emulsion-store-" + std::to_string(getpid()))) {
        std::filesystem::create_directory(folder_);
    }
    ~Stores() override { std::filesystem::remove_all(folder_); }

    std::string file(const std::string &name = "store.db") const { return folder_ / name; }

    static std::string refusal(const std::string &file) {
        try {
            Store store(file);
        } catch (const Error &error) {
            EXPECT_EQ(2, error.exit_code());
            return error.message();
        }
        return "";
    }

    static std::string lines_of(Store &store) {
        std::ostringstream lines;
        store.export_lines(lines);
        return lines.str();
    }

    const std::filesystem::path folder_;
};

TEST_F(Stores, KeepMeasurementsForTheNextProcess) {
    {
        Store store(file());
        store.add(store.begin(kSession), 0, toy_task(), some_results(2));
    }
    Store store(file());
    EXPECT_EQ(some_results(2), store.results(toy_task(), "build1"));
    EXPECT_TRUE(store.results(toy_task(), "build2").empty());
    EXPECT_TRUE(store.results(toy_task("p2"), "build1").empty());
    TuningTask replanned = toy_task();
    replanned.planned.parameters["rows"] = 2;
    EXPECT_TRUE(store.results(replanned, "build1").empty());
    TuningTask elsewhere = toy_task();
    elsewhere.scope.machine = "another";
    EXPECT_TRUE(store.results(elsewhere, "build1").empty());
}

TEST_F(Stores, GiveEachPointAsItWasMeasuredLast) {
    Store store(file());
    const int64_t first = store.begin(kSession);
    store.add(first, 0, toy_task(), some_results(2));
    std::vector<Result> again = some_results(2);
    again.front().ratio = 0.5;
    store.add(first, 1, toy_task(), {again.front()});
    EXPECT_EQ((std::vector<Result>{again[1], again[0]}), store.results(toy_task(), "build1"));
    // Of another build: not of this one's code.
    SessionRecord other = kSession;
    other.build = "build2";
    store.add(store.begin(other), 0, toy_task(), some_results(2));
    EXPECT_EQ(0.5, store.results(toy_task(), "build1").back().ratio);
}

TEST_F(Stores, GoFromOneToAnotherAsLines) {
    Store store(file());
    store.add(store.begin(kSession), 0, toy_task(), some_results(2));
    store.add(store.begin(kSession), 0, toy_task("p2"), some_results(4));
    const std::string lines = lines_of(store);
    Store other(file("other.db"));
    std::istringstream in(lines), again(lines);
    EXPECT_EQ(4, other.import_lines(in, "lines"));
    EXPECT_EQ(0, other.import_lines(again, "lines"));
    EXPECT_EQ(lines, lines_of(other));
    EXPECT_EQ(some_results(2), other.results(toy_task(), "build1"));
}

TEST_F(Stores, TakeNothingOfLinesThatAreDamaged) {
    Store store(file());
    store.add(store.begin(kSession), 0, toy_task(), some_results(2));
    const std::string good = lines_of(store);
    for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
             {"\"ok\"", "\"fine\""},
             {"0.75", "-1"},
             {"0.75", "null"},
             {"\"threads\":2", "\"threads\":2.5"},
             {"\"threads\":2", "\"threads\":99999999999"},
             {"\"problem\":\"p1\",", ""},
             {"crashed", "crushed"},
             {"\"planned\"", "\"plan\""},
             {"\"}\n", "\n"}}) {
        std::string bad = good;
        bad.replace(bad.find(from), from.size(), to);
        Store other(file("other.db"));
        std::istringstream in(bad);
        EXPECT_THROW(other.import_lines(in, "lines"), Error) << from << " as " << to;
        EXPECT_EQ("", lines_of(other));
    }
}

TEST_F(Stores, KeepFeaturesBesideMeasurements) {
    TuningTask task = toy_task();
    task.facts = toy_facts(task);
    {
        Store store(file());
        store.add(store.begin(kSession), 0, task, some_results(2));
        store.add(store.begin(kSession), 0, toy_task("p2"), some_results(4));
    }
    Store store(file());
    EXPECT_TRUE(store.samples("another build").empty());
    const std::vector<StoredSamples> samples = store.samples(kSession.build);
    ASSERT_EQ(2u, samples.size());
    EXPECT_EQ("p1", samples[0].problem);
    EXPECT_EQ(task.scope, samples[0].scope);
    EXPECT_EQ(PointFeatures(task).names(), samples[0].names);
    ASSERT_EQ(2u, samples[0].results.size());
    for (size_t i = 0; i < 2; i++) {
        const std::vector<float> own = PointFeatures(task).of(samples[0].results[i].nest);
        ASSERT_EQ(own.size(), samples[0].features[i].size());
        for (size_t f = 0; f < own.size(); f++) {
            if (std::isnan(own[f])) {
                EXPECT_TRUE(std::isnan(samples[0].features[i][f])) << samples[0].names[f];
            } else {
                EXPECT_NEAR(own[f], samples[0].features[i][f], 1e-3) << samples[0].names[f];
            }
        }
    }
}

TEST_F(Stores, OfVersion1BecomeVersion2) {
    {
        Store store(file());
        store.add(store.begin(kSession), 0, toy_task(), some_results(2));
    }
    Database(file()).run("DROP TABLE feature; DROP TABLE feature_names; PRAGMA user_version = 1");
    Store store(file());
    EXPECT_EQ(2u, store.results(toy_task(), kSession.build).size());
    EXPECT_TRUE(store.samples().empty());
    store.add(store.begin(kSession), 0, toy_task(), some_results(4));
    ASSERT_EQ(1u, store.samples().size());
    EXPECT_EQ(2u, store.samples().front().results.size());
}

TEST_F(Stores, AreRefusedWhereTheyAreNone) {
    std::ofstream(file("text.db")) << "This is a text, and it is long enough to be no database.\n"
                                   << std::string(4096, '.');
    EXPECT_EQ("is no store of measurements, or a damaged one (file is not a database)",
              refusal(file("text.db")));
    Database(file("foreign.db")).run("CREATE TABLE music(title TEXT)");
    EXPECT_EQ("is an SQLite file, but no store of measurements", refusal(file("foreign.db")));
    { Store made(file("newer.db")); }
    Database(file("newer.db")).run("PRAGMA user_version = 3");
    EXPECT_EQ("is a store of version 3, and this program reads version 2",
              refusal(file("newer.db")));
    EXPECT_THROW(Store((folder_ / "no" / "folder.db").string()), Error);
}

TEST_F(Stores, AreRefusedWhereTheyAreDamaged) {
    {
        Store store(file());
        for (int64_t i = 0; i < 200; i++) {
            store.add(store.begin(kSession), 0, toy_task("p" + std::to_string(i)), some_results(2));
        }
    }
    Database(file()).run("PRAGMA journal_mode = DELETE");
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file()));
    std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(size / 2);
    stream << std::string(static_cast<size_t>(size / 4), '\x5a');
    stream.close();
    EXPECT_NE("", refusal(file()));
}

// Killed at any moment, a process has kept whole batches, and the store can be read and written.
TEST_F(Stores, SurviveProcessesThatAreKilled) {
    { Store made(file()); }
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; round++) {
        const pid_t child = fork();
        if (child == 0) {
            Store store(file());
            const int64_t session = store.begin(kSession);
            for (int sitting = 0;; sitting++) {
                store.add(session, sitting, toy_task(), some_results(2));
            }
        }
        usleep(static_cast<useconds_t>(5000 + 3777 * round));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        Store store(file());
        std::istringstream lines(lines_of(store));
        int64_t count = 0;
        for (std::string line; std::getline(lines, line);) {
            count++;
        }
        EXPECT_EQ(0, count % 2);
    }
}

TEST_F(Stores, AreWrittenByTwoProcessesAtATime) {
    constexpr int kBatches = 50;
    { Store made(file()); }
    std::vector<pid_t> children;
    for (int i = 0; i < 2; i++) {
        children.push_back(fork());
        if (children.back() == 0) {
            try {
                Store store(file());
                const int64_t session = store.begin(kSession);
                for (int sitting = 0; sitting < kBatches; sitting++) {
                    store.add(session, sitting, toy_task(), some_results(2 + i));
                }
                _exit(0);
            } catch (...) {
                _exit(1);
            }
        }
    }
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(0, status);
    }
    Store store(file());
    const std::string lines = lines_of(store);
    EXPECT_EQ(2 * 2 * kBatches, std::count(lines.begin(), lines.end(), '\n'));
    EXPECT_EQ(4u, store.results(toy_task(), "build1").size());
}

TEST_F(Stores, KeepWhatPointsAreLoweredTo) {
    const TuningTask task = toy_task();
    const std::vector<Result> results = some_results(2);
    const std::vector<CodeFeatures> code{{{{1.0F, 0.0F}, {2.5F, 4.0F}}, {{0.0F, 3.0F}}}, {}};
    const CodeFeatureVersions versions{1, 2};
    {
        Store store(file());
        store.add(store.begin(kSession), 0, task, results);
        store.add_code(task, {results[0].nest, results[1].nest}, code, versions);
    }
    Store store(file());
    EXPECT_EQ((std::map<std::string, CodeFeatures>{{point_text(results[0].nest), code[0]}}),
              store.code(task, versions))
        << "what could not be lowered has none";
    for (const CodeFeatureVersions &others :
         {CodeFeatureVersions{2, 2}, CodeFeatureVersions{1, 1}}) {
        EXPECT_TRUE(store.code(task, others).empty());
        EXPECT_TRUE(store.measured_code(others).empty());
    }
    EXPECT_TRUE(store.code(toy_task("p2"), versions).empty());
    const std::vector<StoredCode> measured = store.measured_code(versions);
    ASSERT_EQ(1u, measured.size());
    EXPECT_EQ(task.problem, measured[0].problem);
    EXPECT_EQ(std::vector{code[0]}, measured[0].code);
    EXPECT_EQ(std::vector{results[0]}, measured[0].results);
    EXPECT_EQ(2u, store.samples().front().features.size()) << "beside those of points";
}

}  // namespace

}  // namespace emulsion
