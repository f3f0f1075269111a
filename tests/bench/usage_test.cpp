// The command line: what it refuses, and how it says so.

#include <fmt/format.h>

#include "tests/bench/program.h"

namespace emulsion {
namespace {

class Usage : public ProgramTest {};

TEST_F(Usage, WrongUsageIsRefusedWithOneSentence) {
    const std::string model = file("m.onnx");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{}, "subcommand is required"},
        {{"frobnicate"},
         "unknown command 'frobnicate'; known are bench, calibrate, check, compile"},
        {{"explain"}, "MODEL.onnx is required"},
        {{"compile"}, "MODEL.onnx is required"},
        {{"compile", model}, "--output is required"},
        {{"compile", model, "-o", "x", "--bogus"}, "--bogus"},
        {{"compile", model, "-o", "x", "--threads", "0"}, "--threads"},
        {{"compile", model, "-o", "x", "--threads", "many"}, "--threads"},
        {{"compile", model, "-o", "x", "--jobs", "-1"}, "--jobs"},
        {{"compile", model, "-o", "x", "--policy", "greedy"}, "unknown policy 'greedy'"},
        {{"compile", model, "-o", "x", "--emit", "poetry"}, "does not know 'poetry'"},
        {{"bench", model, "--iters", "0"}, "--iters"},
        {{"bench", model, "--iters", "5", "--duration", "1"}, "excludes"},
        {{"bench", model, "--policies", "none,none"}, "twice"},
        {{"bench", model, "--policies", "none,greedy"}, "unknown policy 'greedy'"},
        {{"compile", model, "-o", "x", "--shape", "x"}, "INPUT=1x3x224x224 or SYMBOL=1"},
        {{"compile", model, "-o", "x", "--shape", "x=1x-3"}, "given 'x=1x-3'"},
        {{"compile", model, "-o", ""}, "--output is given an empty word"},
        {{"verify", file("nothing.onnx")}, "no such file"},
        {{"verify", file("tmp")}, "--model"},
        {{"zoo"}, "subcommand is required"},
        {{"zoo", "write", "lenet", "-o", file("l.onnx")}, "lenet"},
    };
    for (const auto &[arguments, cause] : cases) {
        expect_error(arguments, 2, cause);
    }
}

TEST_F(Usage, TargetsAndTextsThatDontGoTogetherAreRefused) {
    const std::string model = file("m.onnx");
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
        {{"--target", "amdgpu-gfx000"}, "unknown GPU 'gfx000'; known are gfx906, "},
        {{"--target", "amdgpu-"}, "unknown GPU ''; known are gfx906, "},
        {{"--target", "amdgpu-gfx906,gfx906"}, "names gfx906 twice"},
        {{"--target", "x86-64-linux-opencl"}, "accepted are x86-64-linux targets, 'amdgpu-CHIP"},
        {{"--emit", "kernels"}, "give a target such as amdgpu-gfx906"},
        {{"--target", "amdgpu-gfx906", "--machine", "m.json"}, "'amdgpu-gfx906,host' has one"},
    };
    for (const auto &[flag, cause] : wrong) {
        std::vector<std::string> arguments = {"compile", model, "-o", file("artifact")};
        arguments.insert(arguments.end(), flag.begin(), flag.end());
        expect_error(arguments, 2, cause);
    }
    EXPECT_FALSE(std::filesystem::exists(file("artifact")));
    expect_error({"explain", model, "--target", "amdgpu-gfx906,host", "--machine", "m.json"}, 2,
                 "the plan for the GPU is shown");
}

TEST_F(Usage, HelpSaysWhatTheNumbersMean) {
    EXPECT_NE(run_well({"bench", "--help"}).find("What the numbers mean"), std::string::npos);
    EXPECT_NE(run_well({"verify", "--help"}).find("1e-4 + 1e-3 |reference|"), std::string::npos);
    for (const char *command : {"compile", "run", "zoo", "doctor"}) {
        EXPECT_NE(run_well({command, "--help"}).find("Usage: emulsion"), std::string::npos);
    }
    EXPECT_NE(run_well({"--version"}).find("emulsion "), std::string::npos);
}

TEST_F(Usage, DoctorNamesEveryPartOfTheMachine) {
    const std::string text = run_well({"doctor"});
    for (const char *part : {"halide", "LLVM", "host target", "processor", "features", "caches",
                             "cc", "python", "onnxruntime", "openvino", "cache"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part;
    }
}

}  // namespace
}  // namespace emulsion
