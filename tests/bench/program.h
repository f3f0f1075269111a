// Runs the built `emulsion` program in a folder of its own, as a user would.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "backend/process.h"
#include "bench/user_files.h"

namespace emulsion {

class ProgramTest : public testing::Test {
protected:
    static void SetUpTestSuite();
    static void TearDownTestSuite();

    // Status and output (stdout and stderr) of `emulsion ARGUMENTS`.
    static ToolResult run(std::vector<std::string> arguments);
    // The same for a script of bench/python/ in the build's environment.
    static ToolResult run_script(const std::string &script, std::vector<std::string> arguments);
    // The same for Python code, which finds `arguments` in sys.argv[1:].
    static ToolResult run_python(const std::string &code, std::vector<std::string> arguments);
    // Runs and expects status 0.
    static std::string run_well(std::vector<std::string> arguments);
    // Runs and expects this status, one sentence as the last line, and `cause` in it.
    static void expect_error(std::vector<std::string> arguments, int status,
                             const std::string &cause);
    // A path in this suite's folder.
    static std::string file(const std::string &name);
    // What the program wrote there; docs/json.md has to have its schema and all of its keys.
    static nlohmann::json json(const std::string &name);
    // What is left in the folder for temporary files.
    static std::vector<std::string> leftovers();

private:
    static std::unique_ptr<TemporaryFolder> folder_;
};

}  // namespace emulsion
