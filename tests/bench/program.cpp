#include "tests/bench/program.h"

#include <cstdlib>

#include <fmt/format.h>

#include "bench/python_scripts.h"
#include "tests/fusion/documented_json.h"

namespace emulsion {

namespace fs = std::filesystem;

std::unique_ptr<TemporaryFolder> ProgramTest::folder_;

void ProgramTest::SetUpTestSuite() {
    folder_ = make_scratch_folder();
    // The program's own temporary folders and cache go there, where leftovers show.
    fs::create_directory(file("tmp"));
    setenv("TMPDIR", file("tmp").c_str(), 1);
    setenv("XDG_CACHE_HOME", file("cache").c_str(), 1);
}

void ProgramTest::TearDownTestSuite() {
    unsetenv("TMPDIR");
    unsetenv("XDG_CACHE_HOME");
    folder_.reset();
}

ToolResult ProgramTest::run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), EMULSION_BINARY_DIR "/bin/emulsion");
    return run_tool(arguments, "emulsion");
}

ToolResult ProgramTest::run_script(const std::string &script, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {find_python(), EMULSION_SOURCE_DIR "/bench/python/" + script});
    return run_tool(arguments, "python3");
}

ToolResult ProgramTest::run_python(const std::string &code, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {find_python(), "-c", code});
    return run_tool(arguments, "python3");
}

std::string ProgramTest::run_well(std::vector<std::string> arguments) {
    const ToolResult result = run(std::move(arguments));
    EXPECT_EQ(result.status, 0) << result.output;
    return result.output;
}

void ProgramTest::expect_error(std::vector<std::string> arguments, int status,
                               const std::string &cause) {
    std::string command;
    for (const std::string &argument : arguments) {
        command += " " + argument;
    }
    SCOPED_TRACE("emulsion" + command);
    const ToolResult result = run(std::move(arguments));
    EXPECT_EQ(result.status, status) << result.output;
    const size_t start = result.output.rfind("emulsion: error: ");
    ASSERT_NE(start, std::string::npos) << result.output;
    const std::string sentence = result.output.substr(start);
    EXPECT_NE(sentence.find(cause), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find('\n'), sentence.size() - 1) << sentence;
    // Refused input: nothing else is said.
    if (status == 2) {
        EXPECT_EQ(start, 0U) << result.output;
    }
}

std::string ProgramTest::file(const std::string &name) { return (folder_->path() / name).string(); }

nlohmann::json ProgramTest::json(const std::string &name) {
    const auto document = nlohmann::json::parse(read_user_file(file(name)));
    EXPECT_EQ("", undocumented(document)) << name;
    return document;
}

std::vector<std::string> ProgramTest::leftovers() {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(file("tmp"))) {
        names.push_back(entry.path().filename().string());
    }
    return names;
}

}  // namespace emulsion
