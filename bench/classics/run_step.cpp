#include "bench/classics/run_step.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include "backend/process.h"
#include "bench/user_files.h"

namespace emulsion::classics {

namespace {

std::string last_line(std::string text) {
    text.erase(text.find_last_not_of('\n') + 1);
    text.erase(0, text.rfind('\n') + 1);
    std::replace(text.begin(), text.end(), '|', '/');
    constexpr size_t kLongest = 120;
    return text.substr(0, kLongest);
}

}  // namespace

std::string run_step(const StepLimits &limits, const std::string &file,
                     const std::vector<std::string> &arguments, Json &answer) {
    const std::string written = file + ".json";
    std::vector<std::string> command{
        "timeout",
        "--signal=KILL",
        std::to_string(limits.seconds),
        "prlimit",
        fmt::format("--as={}", int64_t{limits.gigabytes} * 1'000'000'000),
        std::filesystem::read_symlink("/proc/self/exe").string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.insert(command.end(), {"--json", written});
    const ToolResult result = run_tool(command, "util-linux");
    if (result.status == 0) {
        answer = read_json(written, "emulsion-classics-step");
        return "";
    }
    constexpr int kKilled = 128 + 9;
    if (result.status == kKilled) {
        return fmt::format("killed: more than {} s, or out of memory", limits.seconds);
    }
    write_whole_file(file + ".log", {result.output});
    return fmt::format("{} failed ({}): {}", arguments.front(), result.status,
                       last_line(result.output));
}

}  // namespace emulsion::classics
