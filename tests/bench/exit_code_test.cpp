// Exit codes of every command: 0 done, 1 failed, 2 refused; and what cannot be written.

#include "tests/bench/program.h"

namespace emulsion {
namespace {

namespace fs = std::filesystem;

class ExitCodes : public ProgramTest {
protected:
    static void SetUpTestSuite() {
        ProgramTest::SetUpTestSuite();
        run_well({"zoo", "write", "tiny_plain", "-o", file("tiny.onnx")});
        run_well({"compile", file("tiny.onnx"), "-o", file("tiny")});
    }
    // The commands that can write a --json file, on the compiled network where they take one.
    static std::vector<std::vector<std::string>> with_json() {
        return {{"compile", file("tiny.onnx"), "-o", file("again")},
                {"explain", file("tiny.onnx")},
                {"run", file("tiny"), "--output-dir", file("out")},
                {"bench", file("tiny"), "--iters", "1", "--warmup", "0"},
                {"verify", file("tiny"), "--model", file("tiny.onnx"), "--runs", "2"}};
    }
    static std::vector<std::string> with(std::vector<std::string> arguments,
                                         const std::vector<std::string> &more) {
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    // Status and output of a shell command with $emulsion in it.
    static ToolResult shell(const std::string &command) {
        return run_tool({"sh", "-c", "emulsion=" EMULSION_BINARY_DIR "/bin/emulsion; " + command},
                        "sh");
    }
};

TEST_F(ExitCodes, DoneIsZero) {
    for (const auto &command : with_json()) {
        run_well(with(command, {"--json", file("report.json")}));
        EXPECT_FALSE(json("report.json").empty()) << command[0];
    }
    for (const std::vector<std::string> &command : {std::vector<std::string>{"zoo", "list"},
                                                    {"doctor"},
                                                    {"completion", "bash"},
                                                    {"help"},
                                                    {"--version"},
                                                    {"--help"}}) {
        run_well(command);
    }
}

TEST_F(ExitCodes, WhatIsRefusedIsTwo) {
    for (const auto &command : with_json()) {
        expect_error(with(command, {"--bogus"}), 2, "unknown option '--bogus'");
        expect_error(with(command, {"superfluous"}), 2, "superfluous");
        expect_error(with(command, {"--threads", "0"}), 2, "--threads");
        std::vector<std::string> missing = command;
        missing[1] = file("missing.onnx");
        expect_error(missing, 2, "missing.onnx");
    }
    expect_error({"doctor", "--bogus"}, 2, "--bogus");
    expect_error({"zoo", "list", "--bogus"}, 2, "--bogus");
    expect_error({"completion"}, 2, "SHELL is required");
}

TEST_F(ExitCodes, AReportThatCannotBeWrittenIsOne) {
    fs::create_directory(file("folder"));
    for (const auto &command : with_json()) {
        expect_error(with(command, {"--json", file("no/folder/report.json")}), 1, "report.json");
        expect_error(with(command, {"--json", file("folder")}), 1, "directory");
        expect_error(with(command, {"--json", "/dev/full"}), 1, "No space left");
    }
    expect_error({"run", file("tiny"), "--output-dir", file("out"), "--trace", "/dev/full"}, 1,
                 "No space left");
    expect_error({"bench", file("tiny"), "--iters", "1", "--trace", file("no/trace.json")}, 1,
                 "trace.json");
}

TEST_F(ExitCodes, AFullDiskLeavesNothingHalfWritten) {
    // Files of at most 1 KiB, and the error instead of the signal.
    const std::string limit = "trap '' XFSZ; ulimit -f 1; ";
    for (const std::string &command :
         {"$emulsion zoo write tiny_plain -o " + file("full.onnx"),
          "$emulsion explain " + file("tiny.onnx") + " --json " + file("full.json"),
          "$emulsion compile " + file("tiny.onnx") + " -o " + file("full"),
          "$emulsion run " + file("tiny") + " --output-dir " + file("out") + " --trace " +
              file("full.json")}) {
        const ToolResult result = shell(limit + command);
        EXPECT_EQ(result.status, 1) << command << "\n" << result.output;
        EXPECT_NE(result.output.find("emulsion: error: "), std::string::npos) << result.output;
    }
    for (const auto &entry : fs::directory_iterator(file("."))) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(name.find("full"), std::string::npos) << name;
    }
}

// However far a compilation gets before the disk is full: nothing of it is left, not even an entry of
// the cache that a later one would read.
TEST_F(ExitCodes, ADiskThatFillsUpLaterLeavesNothingHalfWrittenEither) {
    const std::string compile = "$emulsion compile " + file("tiny.onnx") + " -o " + file("late");
    const std::string cache = "XDG_CACHE_HOME=" + file("late-cache") + " ";
    bool failed = false;
    bool done = false;
    // In units of 1 KiB; the last is enough.
    for (const int limit : {2, 8, 24, 48, 96, 1 << 20}) {
        const ToolResult result =
            shell("trap '' XFSZ; ulimit -f " + std::to_string(limit) + "; " + cache + compile);
        EXPECT_TRUE(result.status == 0 || result.status == 1) << limit << "\n" << result.output;
        EXPECT_EQ(fs::exists(file("late")), result.status == 0) << limit;
        if (result.status == 1) {
            EXPECT_NE(result.output.find("emulsion: error: "), std::string::npos) << result.output;
        }
        failed = failed || result.status == 1;
        done = result.status == 0;
        fs::remove_all(file("late"));
    }
    EXPECT_TRUE(failed);
    EXPECT_TRUE(done);
    EXPECT_TRUE(leftovers().empty());
    // What the cache holds after all that gives the network that it gives without it.
    run_well({"compile", file("tiny.onnx"), "-o", file("late")});
    const ToolResult cached = shell(cache + compile + "-cached");
    EXPECT_EQ(cached.status, 0) << cached.output;
    EXPECT_EQ(read_user_file(file("late/manifest.json")),
              read_user_file(file("late-cached/manifest.json")));
    EXPECT_EQ(read_user_file(file("late/libtiny.so")),
              read_user_file(file("late-cached/libtiny.so")));
}

// A file system without room, mounted in a namespace of its own.
TEST_F(ExitCodes, AFullFileSystemLeavesNothingHalfWritten) {
    if (shell("unshare -rm mount -t tmpfs -o size=64k none /mnt").status != 0) {
        GTEST_SKIP() << "no file system can be mounted here";
    }
    fs::create_directory(file("small"));
    const auto compile_into = [](int kilobytes) {
        const std::string folder = file("small");
        return shell("export emulsion; unshare -rm sh -c 'mount -t tmpfs -o size=" +
                     std::to_string(kilobytes) + "k none " + folder +
                     "; $emulsion compile --no-cache " + file("tiny.onnx") + " -o " + folder +
                     "/late; echo status $?, left: $(ls -A " + folder + ")'");
    };
    for (const int kilobytes : {16, 64, 256}) {
        const ToolResult result = compile_into(kilobytes);
        EXPECT_NE(result.output.find("No space left"), std::string::npos) << result.output;
        EXPECT_NE(result.output.find("status 1, left:\n"), std::string::npos) << result.output;
    }
    const ToolResult result = compile_into(1 << 16);
    EXPECT_NE(result.output.find("status 0, left: late\n"), std::string::npos) << result.output;
}

TEST_F(ExitCodes, OutputThatNobodyCanReadIsOne) {
    for (const char *command : {"zoo list", "--help", "--version", "help bench", "doctor"}) {
        const ToolResult result = shell(std::string("$emulsion ") + command + " > /dev/full");
        EXPECT_EQ(result.status, 1) << command;
        EXPECT_NE(result.output.find("emulsion: error: "), std::string::npos) << result.output;
    }
}

TEST_F(ExitCodes, ADeviceIsWrittenToAndStaysWhatItIs) {
    const std::string text = run_well({"explain", file("tiny.onnx"), "--json", "/dev/stdout"});
    EXPECT_NE(text.find("\"proven_optimal\": "), std::string::npos) << text;
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

TEST_F(ExitCodes, ProgressIsForTerminalsOnly) {
    const std::string program = EMULSION_BINARY_DIR "/bin/emulsion";
    const std::vector<std::pair<std::string, std::string>> commands = {
        {"compile " + file("tiny.onnx") + " --no-cache -o " + file("again"), "[1/"},
        {"verify " + file("tiny") + " --runs 2 --model " + file("tiny.onnx"), "[1/2] runs"},
        {"bench " + file("tiny") + " --iters 5", "[0/5] measuring"},
        {"bench " + file("tiny") + " --duration 0.01", "seconds of measuring"},
        {"run " + file("tiny.onnx") + " --output-dir " + file("out"), "planning"},
        {"zoo write tiny_plain -o " + file("again.onnx"), "writing tiny_plain"},
    };
    for (const auto &[command, shown] : commands) {
        // `script` gives it a terminal.
        const ToolResult terminal =
            run_tool({"script", "-qec", program + " " + command, "/dev/null"}, "bsdutils");
        EXPECT_NE(terminal.output.find(shown), std::string::npos) << terminal.output;
        const ToolResult pipe = shell("$emulsion " + command + " 2>&1");
        EXPECT_EQ(pipe.output.find(shown), std::string::npos) << pipe.output;
        EXPECT_EQ(pipe.output.find('\r'), std::string::npos) << pipe.output;
    }
}

}  // namespace
}  // namespace emulsion
