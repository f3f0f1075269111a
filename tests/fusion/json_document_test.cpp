#include "fusion/json_document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "fusion/error.h"
#include "fusion/machine_constants.h"
#include "fusion/plan.h"
#include "tests/fusion/documented_json.h"

namespace emulsion {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string refusal_of_run(const std::string &text) {
    try {
        read_json_document("emulsion-run", text, "run.json");
    } catch (const Error &error) {
        EXPECT_EQ(ErrorKind::Refused, error.kind());
        return error.what();
    }
    return "";
}

}  // namespace

TEST(JsonDocument, BeginsWithItsSchemaAndComesBackWithout) {
    const ordered_json content = {{"zebra", 1}, {"ape", {{"schema", "of its own"}}}};
    const std::string text = json_document("emulsion-run", content);
    EXPECT_EQ(0U,
              text.find("{\n  \"schema\": \"emulsion-run\",\n  \"version\": 1,\n  \"zebra\": 1,"))
        << text;
    EXPECT_EQ('\n', text.back());
    EXPECT_EQ(content, read_json_document("emulsion-run", text, "run.json"));
}

TEST(JsonDocument, WhatJsonLacksDoesNotStopIt) {
    const std::string text = json_document(
        "emulsion-run", {{"a", std::numeric_limits<double>::infinity()}, {"b", "\xff"}});
    const ordered_json back = read_json_document("emulsion-run", text, "run.json");
    EXPECT_TRUE(back.at("a").is_null());
    EXPECT_EQ("\xef\xbf\xbd", back.at("b"));
}

TEST(JsonDocument, InAFormatOfOthersTheSchemaIsWhereItIsToBe) {
    const json trace = json::parse(json_document_inside(
        "otherData", "emulsion-trace", {{"traceEvents", 1}, {"otherData", {{"model", "m"}}}}));
    EXPECT_EQ(json({{"traceEvents", 1},
                    {"otherData", {{"schema", "emulsion-trace"}, {"version", 1}, {"model", "m"}}}}),
              trace);
}

TEST(JsonDocument, FromBeforeThereWereSchemasIsVersion1) {
    EXPECT_EQ(ordered_json({{"a", 1}}),
              read_json_document("emulsion-run", R"({"a": 1})", "run.json"));
}

TEST(JsonDocument, RefusesOtherSchemasAndNewerVersionsByWhatTheFileHas) {
    const std::string other = refusal_of_run(R"({"schema": "emulsion-bench", "version": 1})");
    EXPECT_EQ(
        "run.json: has the schema \"emulsion-bench\" where \"emulsion-run\" is needed; give a file "
        "that 'emulsion run --json' has written",
        other);
    const std::string newer = refusal_of_run(R"({"schema": "emulsion-run", "version": 7})");
    EXPECT_NE(std::string::npos,
              newer.find("run.json: has version 7 of the schema \"emulsion-run\""))
        << newer;
    EXPECT_NE(std::string::npos, newer.find("write it again with 'emulsion run --json'")) << newer;
    for (const char *text : {"", "[]", "{", "1", R"({"schema": "emulsion-run"})",
                             R"({"version": 1})", R"({"schema": 1, "version": 1})",
                             R"({"schema": null})", R"({"schema": "emulsion-run", "version": "1"})",
                             R"({"schema": "emulsion-run", "version": 1.5})",
                             R"({"schema": "emulsion-run", "version": 0})",
                             R"({"schema": "emulsion-run", "version": -1})",
                             R"({"schema": "emulsion-run", "version": 18446744073709551615})"}) {
        EXPECT_EQ(0U, refusal_of_run(text).find("run.json: ")) << text;
    }
    const std::string longest = refusal_of_run("{\"schema\": \"" + std::string(10000, 'a') + "\"}");
    EXPECT_LT(longest.size(), 300U);
}

TEST(JsonDocument, MachineConstantsAndPlansNameTheirSchema) {
    const json machine = json::parse(to_json(constants_of(Machine())));
    EXPECT_EQ("", undocumented(machine));
    EXPECT_EQ("emulsion-machine", machine.at("schema"));
    Plan plan;
    plan.policy = "none";
    const std::string text = plan_document(plan);
    EXPECT_EQ("", undocumented(json::parse(text)));
    EXPECT_EQ(plan, plan_from_document(text, "plan.json"));
    EXPECT_EQ(plan, plan_from_document(to_json(plan), "plan.json"));  // as older files have it
    EXPECT_THROW(plan_from_document(machine.dump(), "plan.json"), Error);
    EXPECT_THROW(constants_from_json(text, "machine.json"), Error);
    EXPECT_EQ(2.0, constants_from_json(R"({"gigahertz": 2})", "machine.json").at("gigahertz"));
}

// The page and the table say the same, and every schema has its keys and an example.
TEST(JsonSchemas, AreThoseOfThePage) {
    const auto documented = documented_schemas();
    EXPECT_EQ(std::size(kJsonSchemas), documented.size());
    for (const JsonSchemaEntry &schema : kJsonSchemas) {
        SCOPED_TRACE(schema.name);
        const auto found = documented.find(std::string(schema.name));
        ASSERT_NE(documented.end(), found) << "docs/json.md has no such section";
        EXPECT_EQ(schema.version, found->second.version);
        EXPECT_EQ(schema.writer, found->second.writer);
        EXPECT_FALSE(found->second.keys.empty());
        EXPECT_TRUE(found->second.has_example);
    }
}

// JSON becomes text here alone, or it is no document.
TEST(JsonSchemas, NobodyWritesJsonWithoutOne) {
    const std::set<std::string> others = {
        "fusion/json_document.cpp",
        "fusion/plan_json.cpp",               // a plan as a part of documents, and to be hashed
        "fusion/layout_json.cpp",             // values in sentences
        "fusion/strict_json.h",               // ... too
        "fusion/json_members.h",              // ... too
        "fusion/machine_constants.cpp",       // numbers in sentences
        "frontend/lower/network_plan.cpp",    // parts of a document that is read
        "frontend/lower/structure_hash.cpp",  // to be hashed
        "frontend/lower/unit.cpp",            // to a worker, and to be hashed
        "backend/message.cpp",                // to a worker
        "bench/python_reference.cpp",         // to reference.py
        "bench/commands/tune.cpp",            // arguments, to a store
        "tuner/feature_rows.cpp",
        "tuner/store.cpp",                        // features, to a store
        "tuner/models/trees.cpp",                 // a model, as text in a predictor
        "tuner/gaussian/process_model_json.cpp",  // ... too
        "tuner/graph/graph_model.cpp",            // a model, as text in a file of one
        "tuner/code_models/statements.cpp",       // ... too
        "frontend/lower/tuned_nests.cpp",         // values in sentences
        "tuner/points.cpp",                       // to a store
        "tuner/record.cpp",                       // lines of a record for replay
        "tuner/store_lines.cpp",                  // lines from one store to another
    };
    namespace fs = std::filesystem;
    const fs::path root = EMULSION_SOURCE_DIR;
    for (const char *folder : {"autoscheduler", "backend", "bench", "frontend", "fusion",
                               "generators", "runtime", "tuner"}) {
        for (const auto &entry : fs::recursive_directory_iterator(root / folder)) {
            const std::string name = fs::relative(entry.path(), root).string();
            if (!entry.is_regular_file() || others.contains(name)) {
                continue;
            }
            std::ifstream file(entry.path());
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            for (const char *writer : {".dump(", "json.dump(", "setw("}) {
                EXPECT_EQ(std::string::npos, text.find(writer)) << name << " has " << writer;
            }
        }
    }
}

TEST(JsonSchemas, OfScriptsHaveTheVersionsOfTheTable) {
    std::ifstream file(EMULSION_SOURCE_DIR "/bench/python/documents.py");
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string script = stream.str();
    const std::regex line("\"(emulsion-[a-z-]+)\": ([0-9]+),");
    int found = 0;
    for (std::sregex_iterator it(script.begin(), script.end(), line), end; it != end; ++it) {
        const std::string name = (*it)[1];
        const auto *const schema =
            std::find_if(std::begin(kJsonSchemas), std::end(kJsonSchemas),
                         [&](const JsonSchemaEntry &entry) { return entry.name == name; });
        ASSERT_NE(std::end(kJsonSchemas), schema) << name;
        EXPECT_EQ(schema->version, std::stoi((*it)[2])) << name;
        found++;
    }
    EXPECT_GT(found, 0);
}

TEST(JsonSchemas, AKeyThatThePageLacksIsNoticed) {
    json run = json::parse(json_document(
        "emulsion-run", {{"model", "m"}, {"outputs", {{{"name", "y"}, {"min", nullptr}}}}}));
    EXPECT_EQ("", undocumented(run));
    run["outputs"][0]["colour"] = "red";
    EXPECT_EQ("emulsion-run: outputs[].colour", undocumented(run));
    run.erase("outputs");
    run["weather"] = 1;
    EXPECT_EQ("emulsion-run: weather", undocumented(run));
    run.erase("schema");
    EXPECT_EQ("it names no schema", undocumented(run));
    EXPECT_EQ("",
              undocumented({{"schema", "emulsion-fusion"},
                            {"version", 1},
                            {"models", {{{"policies", {{"a", {{"over_tvm", {{"low", 1}}}}}}}}}}}));
    EXPECT_EQ("emulsion-fusion: models[].policies.a.under_tvm",
              undocumented({{"schema", "emulsion-fusion"},
                            {"version", 1},
                            {"models", {{{"policies", {{"a", {{"under_tvm", 1}}}}}}}}}));
}

}  // namespace emulsion
