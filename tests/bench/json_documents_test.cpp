// The JSON of every command, by the page that describes it.
#include <filesystem>
#include <fstream>
#include <set>

#include "fusion/json_schema.h"
#include "tests/bench/program.h"

namespace emulsion {
namespace {

class JsonDocuments : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("tiny.onnx")});
        run_well({"zoo", "write", "tiny_residual", "-o", file("residual.onnx")});
        run_well({"compile", file("tiny.onnx"), "-o", file("tiny"), "--json", file("compile")});
    }

    // What a machine might do at most.
    static std::string limits_file() {
        std::ofstream(file("limits.json"))
            << R"({"schema": "emulsion-limits", "version": 1, "target": "host", "threads": 2,)"
               R"("operations_per_second": 1e11, "reading": [{"bytes": 65536, "bytes_per_second": 1e11}]})";
        return file("limits.json");
    }

    // What `arguments` with `--json` write, by its schema; json() holds every key against the page.
    static std::string schema_of(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--json", file("any.json")});
        run_well(arguments);
        return json("any.json").at("schema");
    }
};

TEST_F(JsonDocuments, EveryCommandWritesItsOwnAndThePageHasAllKeys) {
    const std::string tiny = file("tiny"), model = file("tiny.onnx");
    std::set<std::string> seen = {
        json("compile").at("schema"),
        json("tiny/manifest.json").at("schema"),
        schema_of({"run", tiny, "--output-dir", file("outputs")}),
        schema_of({"bench", model, "--iters", "1", "--profile", "--trace", file("trace.json")}),
        schema_of({"verify", tiny, "--model", model, "--per-group", "--runs", "2"}),
        schema_of({"check", model}),
        schema_of({"explain", model}),
        schema_of({"fusion", model, "--iters", "1"}),
        schema_of({"fusion", model, "--plan-only"}),
        schema_of({"measure", model, "--runs", "1", "--sittings", "1"}),
        schema_of({"roofline", model, "--runs", "1", "--limits", limits_file()}),
        schema_of({"scaling", model, "--counts", "1,3", "--measure", "--seconds", "0.1"}),
        schema_of({"nests", model, "--runs", "1", "--sittings", "1", "--points", "2"}),
        schema_of({"examine", model, "--runs", "1", "--policies", "none,gao2025"}),
        schema_of({"tune", file("residual.onnx"), "--trials", "2", "--store", file("store.db"),
                   "-o", file("tuned.json")}),
        json("tuned.json").at("schema"),
        schema_of({"tune", file("residual.onnx"), "--search-only", "--strategy", "ansor",
                   "--trials", "24", "--batch", "8", "--noise", "1000000", "--store",
                   file("search.db"), "--trajectory", file("a.jsonl.gz"), "--page",
                   file("page.html")}),
        json("trace.json").at("otherData").at("schema")};
    run_well({"tune", model, "--search-only", "--strategy", "random", "--trials", "24", "--noise",
              "1000000", "--store", file("search.db"), "--trajectory", file("b.jsonl.gz")});
    seen.insert(
        schema_of({"train", file("a.jsonl.gz"), file("b.jsonl.gz"), "-o", file("predictor.json")}));
    seen.insert(json("predictor.json").at("schema"));
    run_well({"tune", file("residual.onnx"), "--search-only", "--strategy", "random", "--rerank",
              "1", "--trials", "24", "--noise", "1000000", "--store", file("code.db")});
    seen.insert(schema_of({"train-code", file("code.db"), "--fewest", "2", "--model", "perceptron",
                           "-o", file("code_model.json")}));
    seen.insert(json("code_model.json").at("schema"));
    run_well({"calibrate", model, "--runs", "1", "--policies", "none,gao2025", "-o",
              file("machine.json")});
    seen.insert(json("machine.json").at("schema"));
    std::ofstream(file("pipeline.json"))
        << R"({"policy": "gao2025", "groups": [{"kind": "compute", "members": [{"op": "out",)"
           R"("implementation": "func", "parts": [{"part": "", "placement": "root"}],)"
           R"("why": "it is an output"}]}]})";
    seen.insert(schema_of({"explain", file("pipeline.json")}));
    run_well({"plan", model, "-o", file("plan.json")});
    seen.insert(json("plan.json").at("schema"));
    for (const JsonSchemaEntry &schema : kJsonSchemas) {
        // Those of GPUs are tested with the code that is beside them, the request to Python with its answer.
        if (schema.writer.starts_with("emulsion ") && !schema.writer.ends_with("kernels") &&
            !schema.writer.ends_with(".py")) {
            EXPECT_TRUE(seen.contains(std::string(schema.name))) << schema.name;
        }
    }
}

TEST_F(JsonDocuments, OfAnotherKindAreRefusedByName) {
    run_well({"explain", file("tiny.onnx"), "--json", file("explain.json")});
    expect_error({"explain", file("tiny.onnx"), "--machine", file("explain.json")}, 2,
                 file("explain.json") + ": has the schema \"emulsion-explain\" where "
                                        "\"emulsion-machine\" is needed");
    run_well({"compile", file("tiny.onnx"), "-o", file("newer")});
    std::string manifest = read_user_file(file("newer/manifest.json"));
    const std::string version = "\"version\": 1,";
    manifest.replace(manifest.find(version), version.size(), "\"version\": 99,");
    write_whole_file(file("newer/manifest.json"), {manifest});
    expect_error({"run", file("newer")}, 2, "has version 99 of the schema \"emulsion-manifest\"");
}

TEST_F(JsonDocuments, OfScriptsAreReadAndRefusedInTheSameWay) {
    const std::string read =
        "import sys; sys.path.insert(0, '" EMULSION_SOURCE_DIR "/bench/python'); import documents; "
        "documents.read(sys.argv[1], 'emulsion-run')";
    run_well({"run", file("tiny"), "--json", file("run.json")});
    EXPECT_EQ(0, run_python(read, {file("run.json")}).status);
    const ToolResult other = run_python(read, {file("compile")});
    EXPECT_NE(0, other.status);
    EXPECT_NE(std::string::npos, other.output.find("has the schema 'emulsion-compile' where"));
}

}  // namespace
}  // namespace emulsion
