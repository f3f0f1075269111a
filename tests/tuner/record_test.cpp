#include "tuner/record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>
#include <zlib.h>

#include "fusion/error.h"
#include "tests/tuner/toy_task.h"
#include "tuner/spread.h"

namespace emulsion {

namespace {

class Records : public testing::Test {
protected:
    // Of this process: tests of others run at the same time.
    Records() : file_(testing::TempDir() + "record." + std::to_string(getpid()) + ".jsonl.gz") {}
    ~Records() override { std::filesystem::remove(file_); }

    std::string bytes() const {
        std::ostringstream all;
        all << std::ifstream(file_, std::ios::binary).rdbuf();
        return all.str();
    }

    void write_lines(const std::string &text) const {
        gzFile gz = gzopen(file_.c_str(), "wb");
        gzwrite(gz, text.data(), static_cast<unsigned>(text.size()));
        gzclose(gz);
    }

    std::string lines() const {
        gzFile gz = gzopen(file_.c_str(), "rb");
        std::string text(1 << 20, '\0');
        text.resize(static_cast<size_t>(gzread(gz, text.data(), 1 << 20)));
        gzclose(gz);
        return text;
    }

    const std::string file_;
};

TEST_F(Records, AreReadAsTheyWereWritten) {
    const RecordedTask task = toy_record(toy_task());
    write_record(file_, {task, toy_record(toy_task("p2"))});
    const std::vector<RecordedTask> read = read_record(file_);
    ASSERT_EQ(2u, read.size());
    const TuningTask &again = read.front().task;
    EXPECT_EQ(task.task.problem, again.problem);
    EXPECT_EQ(task.task.scope, again.scope);
    EXPECT_EQ(task.task.planned, again.planned);
    EXPECT_EQ(task.task.suggested, again.suggested);
    ASSERT_EQ(task.points.size(), read.front().points.size());
    for (const auto &[text, results] : task.points) {
        const auto &[first, second] = read.front().points.at(text);
        EXPECT_EQ(results.first.outcome, first.outcome);
        EXPECT_EQ(results.first.nest, first.nest);
        if (first.outcome == Outcome::Ok) {
            EXPECT_NEAR(results.first.ratio, first.ratio, 1e-5);
            EXPECT_NEAR(results.second.ratio, second.ratio, 1e-5);
        }
    }
    // What is read is written as it was.
    const std::string before = bytes();
    write_record(file_, read);
    EXPECT_EQ(before, bytes());
}

TEST_F(Records, KeepWhatIsTriedAndKnownBeforehand) {
    TuningTask task = toy_task();
    task.facts = toy_facts(task);
    task = spread(task, 40);
    const RecordedTask recorded = toy_record(task);
    write_record(file_, {recorded});
    const TuningTask again = read_record(file_).front().task;
    EXPECT_EQ(task.tried, again.tried);
    ASSERT_NE(nullptr, again.facts);
    EXPECT_EQ(task.facts->of_problem(), again.facts->of_problem());
    EXPECT_EQ(task.facts->names(), again.facts->names());
    for (const auto &[text, results] : recorded.points) {
        const Nest &nest = results.first.nest;
        EXPECT_NEAR(task.facts->of(nest).front(), again.facts->of(nest).front(), 1e-5) << text;
    }
    EXPECT_NEAR(task.facts->of(task.planned).front(), again.facts->of(task.planned).front(), 1e-5);
    const Nest unknown{"toy", {{"rows", 31}, {"columns", 2}, {"unrolled", 0}}};
    EXPECT_TRUE(std::isnan(again.facts->of(unknown).front())) << "it was not recorded";
    std::string bad = lines();
    bad.replace(bad.find("\"tried\":["), 9, "\"tried\":[[1],");
    write_lines(bad);
    EXPECT_THROW(read_record(file_), Error);
}

TEST_F(Records, AreRefusedWhereNobodyHasWrittenThem) {
    write_record(file_, {toy_record(toy_task())});
    const std::string good = lines();
    for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
             {"\"version\":3", "\"version\":2"},
             {"emulsion-tuning-record", "emulsion-tune"},
             {"\"point\":[", "\"point\":[7,"},
             {"\"point\":[1,", "\"point\":[1000,"},
             {"\"problem\":", "\"problems\":"},
             {"\"crashed\"", "\"vanished\""},
             {"\"seconds\":", "\"second\":"},
             {"{\"point", "{{\"point"}}) {
        std::string bad = good;
        ASSERT_NE(std::string::npos, bad.find(from)) << from;
        bad.replace(bad.find(from), from.size(), to);
        write_lines(bad);
        try {
            read_record(file_);
            ADD_FAILURE() << from << " as " << to;
        } catch (const Error &error) {
            EXPECT_EQ(file_, error.place().file);
        }
    }
    EXPECT_THROW(read_record(file_ + ".none"), Error);
}

}  // namespace

}  // namespace emulsion
