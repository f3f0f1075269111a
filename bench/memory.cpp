#include "bench/memory.h"

#include <fstream>

#include <fmt/format.h>
#include <sys/resource.h>

#include "backend/process.h"
#include "bench/json_file.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

int64_t peak_rss_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return std::stoll(line.substr(6)) * 1024;
        }
    }
    return 0;
}

int64_t peak_rss_bytes_of_children() {
    rusage usage{};
    return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? int64_t{usage.ru_maxrss} * 1024 : 0;
}

int64_t peak_rss_bytes_of_run(const std::string &folder, int threads) {
    const auto scratch = make_scratch_folder();
    const std::string json = (scratch->path() / "run.json").string();
    const ToolResult result =
        run_tool({program_path().string(), "run", folder, "--threads", std::to_string(threads),
                  "--output-dir", (scratch->path() / "outputs").string(), "--json", json},
                 "emulsion");
    if (result.status != 0) {
        throw failure("a run to measure its memory failed: " + result.output, {.file = folder});
    }
    const double peak = read_json(json, "emulsion-run").at("peak_rss_mb").get<double>();
    return static_cast<int64_t>(peak * 1e6);
}

}  // namespace emulsion
