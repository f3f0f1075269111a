// emulsion tune, and what takes its results.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/bench/program.h"
#include "tuner/record.h"

namespace emulsion {
namespace {

class Tuning : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_residual", "-o", file("model.onnx")});
    }

    // On any machine, noisy or not.
    static std::vector<std::string> tune(std::vector<std::string> more) {
        std::vector<std::string> arguments = {
            "tune", file("model.onnx"), "--threads", "2",      "--store", file("store.db"),
            "-o",   file("tuned.json"), "--noise",   "1000000"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

TEST_F(Tuning, WritesNestsThatCompileTakes) {
    run_well(tune({"--trials", "12", "--strategy", "random", "--json", file("tune.json"), "--curve",
                   file("curve.svg")}));
    EXPECT_EQ(0u, read_user_file(file("curve.svg")).find("<svg "));
    const nlohmann::json report = json("tune.json");
    EXPECT_EQ(12, report["trials"]);
    EXPECT_FALSE(report["tasks"].empty());
    const nlohmann::json tuned = json("tuned.json");
    EXPECT_EQ(report["nests"], tuned["nests"].size());
    EXPECT_EQ(2, tuned["threads"]);
    run_well({"compile", file("model.onnx"), "--threads", "2", "--tuned", file("tuned.json"), "-o",
              file("compiled")});
    const nlohmann::json taken = json("compiled/manifest.json")["tuned"];
    EXPECT_EQ(32u, taken["hash"].get<std::string>().size());
    EXPECT_LE(tuned["nests"].size(), taken["groups"]);
    run_well({"compile", file("model.onnx"), "--threads", "2", "-o", file("compiled")});
    EXPECT_TRUE(json("compiled/manifest.json")["tuned"].is_null());
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(Tuning, ExplainsALearnedSearch) {
    const std::string said = run_well({"tune",
                                       file("model.onnx"),
                                       "--threads",
                                       "2",
                                       "--store",
                                       file("learned.db"),
                                       "--noise",
                                       "1000000",
                                       "--search-only",
                                       "--strategy",
                                       "alt",
                                       "--allocator",
                                       "gradient",
                                       "--trials",
                                       "30",
                                       "--batch",
                                       "6",
                                       "--explain",
                                       "--page",
                                       file("page.html"),
                                       "--json",
                                       file("tune.json")});
    EXPECT_NE(std::string::npos, said.find("proposed because")) << said;
    EXPECT_NE(std::string::npos, said.find("what the model looks at")) << said;
    const std::string page = read_user_file(file("page.html"));
    EXPECT_EQ(0u, page.find("<!DOCTYPE html>"));
    for (const char *picture : {"throughput that is expected", "where the next value was expected",
                                "predicted throughput, measured upwards"}) {
        EXPECT_NE(std::string::npos, page.find(picture)) << picture;
    }
    const nlohmann::json report = json("tune.json");
    EXPECT_EQ("gradient", report["allocator"]);
    EXPECT_FALSE(report["importances"].empty());
    int predicted = 0;
    for (const nlohmann::json &task : report["tasks"]) {
        EXPECT_EQ(task["trials"], task["tried"].size());
        for (const nlohmann::json &tried : task["tried"]) {
            predicted += tried.contains("predicted") ? 1 : 0;
        }
    }
    EXPECT_LT(0, predicted);
}

// What was learned of two networks, for 2 threads.
class Predicting : public Tuning {
protected:
    static void SetUpTestSuite() {
        Tuning::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("other.onnx")});
        for (const std::string name : {"model", "other"}) {
            run_well({"tune", file(name + ".onnx"), "--threads", "2", "--noise", "1000000",
                      "--search-only", "--strategy", "ansor", "--trials", "40", "--batch", "8",
                      "--store", file("learned.db"), "--trajectory", file(name + ".jsonl.gz")});
        }
        run_well({"train", file("model.jsonl.gz"), file("other.jsonl.gz"), "-o",
                  file("careful.json"), "--judge", file("other.jsonl.gz")});
        nlohmann::json predictor = json("careful.json");
        predictor["margin"] = -1e6;  // whatever it thinks best, however bad
        write_whole_file(file("bold.json"), {predictor.dump()});
    }
};

TEST_F(Predicting, TakesNestsWithoutMeasuringAny) {
    const std::vector<std::string> compile = {
        "compile", file("model.onnx"), "--threads", "2",
        "-o",      file("compiled"),   "--json",    file("compile.json")};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), compile.begin(), compile.end());
        return run_well(more);
    };
    const std::string said = with({"--predict", "--predictor", file("bold.json")});
    EXPECT_NE(std::string::npos, said.find(", after 0 measurements")) << said;
    const nlohmann::json report = json("compile.json");
    EXPECT_EQ(0, report["measurements"]);
    EXPECT_LT(0, report["predicted_groups"]);
    const nlohmann::json predicted = json("compiled/manifest.json")["predicted"];
    EXPECT_EQ(report["predicted_groups"], predicted["groups"]);
    EXPECT_EQ(32u, predicted["hash"].get<std::string>().size());
    run_well({"verify", file("compiled"), "--model", file("model.onnx")});
    with({});
    EXPECT_TRUE(json("compiled/manifest.json")["predicted"].is_null());
    EXPECT_EQ(0, json("compile.json")["predicted_groups"]);
}

TEST_F(Predicting, KeepsThePlannersNestsOfOtherThreads) {
    const std::string said = run_well({"compile", file("model.onnx"), "--threads", "3", "--predict",
                                       "--predictor", file("bold.json"), "-o", file("compiled")});
    EXPECT_NE(std::string::npos, said.find("and this is for ")) << said;
    EXPECT_NE(std::string::npos, said.find(" on 3: none of its loop nests is taken")) << said;
    EXPECT_TRUE(json("compiled/manifest.json")["predicted"].is_null());
    expect_error({"compile", file("model.onnx"), "--predict", "--predictor", file("model.onnx"),
                  "-o", file("compiled")},
                 2, file("model.onnx") + ": ");
}

TEST_F(Predicting, IsMeasuredByItsOwnStrategy) {
    run_well(tune({"--trials", "12", "--strategy", "oneshot", "--predictor", file("bold.json"),
                   "--json", file("tune.json")}));
    EXPECT_EQ(12, json("tune.json")["trials"]);
    expect_error({"tune", file("model.onnx"), "--threads", "3", "--trials", "1", "--strategy",
                  "oneshot", "--predictor", file("bold.json"), "-o", file("tuned.json")},
                 2, "its predictor was trained for ");
    expect_error(tune({"--trials", "1", "--predict", "--predictor", file("bold.json")}), 2,
                 "--predict does not go with tune");
}

TEST_F(Tuning, RanksAgainByTheCodeAndKeepsThat) {
    const std::string said =
        run_well(tune({"--trials", "24", "--batch", "6", "--search-only", "--strategy", "ansor",
                       "--rerank", "2", "--only", "stem", "--json", file("tune.json")}));
    EXPECT_EQ(24, json("tune.json")["trials"]) << said;
}

// Learns while it searches, and then by itself from what that has kept.
TEST_F(Tuning, AsksModelsOfCode) {
    const auto search = [](const std::string &store, std::vector<std::string> more) {
        more.insert(more.begin(), {"tune", file("model.onnx"), "--threads", "2", "--noise",
                                   "1000000", "--search-only", "--keep-plan", "--store",
                                   file(store), "--json", file("tune.json")});
        return more;
    };
    run_well(search(
        "code.db", {"--trials", "60", "--batch", "6", "--strategy", "random", "--model", "graph"}));
    EXPECT_EQ(60, json("tune.json")["trials"]);
    EXPECT_EQ(4, json("tune.json")["rerank"]);
    const std::string said = run_well({"train-code", file("code.db"), "--fewest", "4", "--json",
                                       file("code.json"), "-o", file("graph.json")});
    const nlohmann::json report = json("code.json");
    EXPECT_EQ("graph", report["model"]);
    EXPECT_LE(2u, report["groups"].size()) << said;
    run_well(
        search("other.db", {"--trials", "6", "--batch", "3", "--trained", file("graph.json")}));
    expect_error(search("other.db", {"--trials", "1", "--model", "statements", "--trained",
                                     file("graph.json")}),
                 2, "it is a model of the kind 'graph', and --model asks for 'statements'");
    expect_error(search("other.db", {"--trials", "1", "--trained", file("tune.json")}), 2,
                 file("tune.json") + ": ");
    expect_error({"train-code", file("other.db"), "--fewest", "1000", "-o", file("none.json")}, 2,
                 "less than two groups");
    EXPECT_FALSE(std::filesystem::exists(file("none.json")));
}

TEST_F(Tuning, SearchesWithGaussianProcessesOfAllGroups) {
    run_well(tune({"--trials", "24", "--batch", "2", "--strategy", "gptune", "--allocator",
                   "dynatune", "--json", file("tune.json")}));
    EXPECT_EQ(24, json("tune.json")["trials"]);
}

TEST_F(Tuning, OnlyCompilesWhereItIsToldTo) {
    run_well({"tune", file("model.onnx"), "--threads", "2", "--compile-only", "--trials", "8",
              "--strategy", "random", "--store", file("none.db"), "--json", file("tune.json")});
    const nlohmann::json report = json("tune.json");
    EXPECT_EQ(8, report["trials"]);
    EXPECT_FALSE(std::filesystem::exists(file("none.db"))) << "nothing was measured";
    expect_error(tune({"--trials", "1", "--compile-only"}), 2, "--compile-only measures nothing");
}

TEST_F(Tuning, SaysWhereNothingIsOfTheModel) {
    run_well(tune({"--trials", "3"}));
    nlohmann::json tuned = json("tuned.json");
    tuned["nests"] = {{{"problem", "p0"},
                       {"label", "conv"},
                       {"template", "convolution"},
                       {"parameters", nlohmann::json::object()},
                       {"ratio", 0.5}}};
    write_whole_file(file("other.json"), {tuned.dump()});
    const std::string said = run_well({"compile", file("model.onnx"), "--threads", "2", "--tuned",
                                       file("other.json"), "-o", file("compiled")});
    EXPECT_NE(std::string::npos, said.find("has no loop nest for a group of")) << said;
}

TEST_F(Tuning, ListsWhatThereIsToSearch) {
    const std::string list = run_well({"tune", file("model.onnx"), "--threads", "2", "--exact",
                                       "--list", "--json", file("list.json")});
    EXPECT_NE(std::string::npos, list.find("suggested"));
    const nlohmann::json report = json("list.json");
    EXPECT_EQ(0, report["trials"]);
    for (const nlohmann::json &task : report["tasks"]) {
        EXPECT_LT(1, task["grid"]) << task;
        EXPECT_LT(0.0, task["predicted_ms"]) << task;
    }
    EXPECT_NE(std::string::npos, report["tasks"].dump().find("convolution+reduction"));
}

TEST_F(Tuning, TakesNestsOfWholeGroups) {
    run_well(tune({"--trials", "40", "--strategy", "bolt", "--json", file("tune.json")}));
    const nlohmann::json report = json("tune.json");
    bool any = false;
    for (const nlohmann::json &task : report["tasks"]) {
        const bool several = std::string(task["template"]).find('+') != std::string::npos;
        any = any || (several && task["outcomes"].value("ok", 0) > 0);
        EXPECT_EQ(0, task["outcomes"].value("wrong", 0)) << task;
    }
    EXPECT_TRUE(any) << report;
}

TEST_F(Tuning, PlansAgainWithMeasuredPrices) {
    run_well(tune({"--trials", "30", "--strategy", "bolt", "--json", file("tune.json")}));
    const nlohmann::json report = json("tune.json");
    EXPECT_LE(1, report["plans"]);
    EXPECT_EQ(report["plans"] > 1, report["planned_again_ratio"] > 0.0);
    EXPECT_EQ(report["plans"] > 1 &&
              report["planned_again_ratio"]<1.0, report["planned_again_ms"]> 0.0);
    EXPECT_EQ(report["has_plan"].get<bool>(), json("tuned.json").contains("plan"));
    run_well({"compile", file("model.onnx"), "--threads", "2", "--tuned", file("tuned.json"), "-o",
              file("compiled")});
    run_well(tune({"--trials", "6", "--keep-plan", "--json", file("tune.json")}));
    EXPECT_EQ(1, json("tune.json")["plans"]);
}

TEST_F(Tuning, MeasuresGroupsOfAGpuInTheirNetwork) {
    run_well(tune(
        {"--trials", "8", "--target", "host-opencl", "--keep-plan", "--json", file("tune.json")}));
    const nlohmann::json report = json("tune.json");
    EXPECT_EQ(8, report["trials"]);
    int ok = 0;
    for (const nlohmann::json &task : report["tasks"]) {
        ok += task["outcomes"].value("ok", 0);
        EXPECT_EQ(0, task["outcomes"].value("wrong", 0)) << task;
        EXPECT_EQ(0, std::string(task["template"]).find("gpu_")) << task;
    }
    EXPECT_LT(0, ok);
    run_well({"compile", file("model.onnx"), "--threads", "2", "--target", "host-opencl", "--tuned",
              file("tuned.json"), "-o", file("compiled")});
}

TEST_F(Tuning, RecordsGrids) {
    run_well({"tune", file("model.onnx"), "--threads", "2", "--record", file("record.gz"),
              "--points", "6"});
    const std::vector<RecordedTask> record = read_record(file("record.gz"));
    ASSERT_FALSE(record.empty());
    for (const RecordedTask &task : record) {
        EXPECT_FALSE(task.points.empty()) << task.task.label;
        EXPECT_GE(6u, task.points.size()) << task.task.label;
        EXPECT_LT(0.0, task.planned_ms);
    }
}

TEST_F(Tuning, GoesOnWhereItEnded) {
    run_well(tune({"--trials", "6", "--strategy", "exhaustive"}));
    // Other points than before, so a thousand trials are not to be had of a few groups' first points twice.
    run_well(tune({"--trials", "6", "--strategy", "exhaustive"}));
    EXPECT_TRUE(leftovers().empty());
}

TEST_F(Tuning, TakesNothingOfAnotherProcessorOrOtherThreads) {
    run_well(tune({"--trials", "3"}));
    std::string other = read_user_file(file("tuned.json"));
    other.replace(other.find("\"machine\": \""), 12, "\"machine\": \"Another ");
    write_whole_file(file("other.json"), {other});
    const std::string elsewhere = run_well({"compile", file("model.onnx"), "--threads", "2",
                                            "--tuned", file("other.json"), "-o", file("compiled")});
    EXPECT_NE(std::string::npos, elsewhere.find("was tuned on another processor (Another "));
    const std::string threads = run_well({"compile", file("model.onnx"), "--threads", "1",
                                          "--tuned", file("tuned.json"), "-o", file("compiled")});
    EXPECT_NE(std::string::npos, threads.find("was tuned for --threads 2"));
}

TEST_F(Tuning, RefusesWhatItCannotDo) {
    expect_error(tune({}), 2, "give --trials N or --seconds S");
    expect_error({"tune", file("model.onnx"), "--trials", "1"}, 2, "give --output FILE");
    run_well(tune({"--trials", "1"}));
    expect_error({"tune", file("model.onnx"), "--trials", "1", "--threads", "2", "--tuned",
                  file("tuned.json"), "-o", file("again.json")},
                 2, "--tuned does not go with tune");
    write_whole_file(file("text.db"),
                     {"This is no database, and long enough for one." + std::string(4096, '.')});
    expect_error({"tune", file("model.onnx"), "--trials", "1", "--store", file("text.db"), "-o",
                  file("tuned.json")},
                 2, "is no store of measurements");
    write_whole_file(file("bad.json"), {R"({"schema": "emulsion-tuned", "version": 1})"});
    expect_error({"compile", file("model.onnx"), "--tuned", file("bad.json"), "-o", file("c")}, 2,
                 "'target' is no text");
    write_whole_file(file("bad.json"), {R"({"schema": "emulsion-run", "version": 1})"});
    expect_error({"compile", file("model.onnx"), "--tuned", file("bad.json"), "-o", file("c")}, 2,
                 "emulsion-run");
}

}  // namespace
}  // namespace emulsion
