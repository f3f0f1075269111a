#include "backend/process.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "backend/files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

namespace fs = std::filesystem;

// Whether `condition` holds within ten seconds.
template<typename Condition>
bool comes_true(const Condition &condition) {
    for (int i = 0; i < 1000 && !condition(); i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return condition();
}

bool is_gone(pid_t process) {
    try {
        return read_file("/proc/" + std::to_string(process) + "/stat").find(") Z ") !=
               std::string::npos;  // until somebody collects it
    } catch (const Error &) {
        return true;
    }
}

}  // namespace

TEST(Process, AToolsOutputAndStatusComeBack) {
    const ToolResult result = run_tool({"sh", "-c", "echo out; echo err >&2; exit 3"}, "");
    EXPECT_EQ("out\nerr\n", result.output);
    EXPECT_EQ(3, result.status);
    EXPECT_EQ(128 + SIGTERM, run_tool({"sh", "-c", "kill $$"}, "").status);
}

TEST(Process, AToolThatIsMissingNamesItsPackage) {
    try {
        run_tool({"no-such-tool"}, "some-package");
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ("'no-such-tool' can't be run (No such file or directory): install the package "
                  "some-package",
                  error.message());
    }
}

TEST(Process, AToolEndsWithTheProcessThatWaitsForIt) {
    const TemporaryFolder folder(fs::temp_directory_path() / "process");
    const std::string file = folder.path() / "id";
    const pid_t child = fork();
    if (child == 0) {
        run_tool({"sh", "-c",
                  "echo $$ > " + file + ".part; mv " + file + ".part " + file + "; exec sleep 60"},
                 "");
        _exit(0);
    }
    ASSERT_TRUE(comes_true([&] { return fs::exists(file); }));
    const pid_t tool = std::stoi(read_file(file));
    EXPECT_FALSE(is_gone(tool));
    end_process(child);
    EXPECT_TRUE(comes_true([&] { return is_gone(tool); }));
}

}  // namespace emulsion
