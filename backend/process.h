// Other programs: started, waited for, ended.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace emulsion {

struct ToolResult {
    int status = 0;      // exit status; 128 + signal for a program that was killed
    std::string output;  // stdout and stderr
};

// Runs argv[0] (looked for in PATH) to its end; it ends when we do, however that is. Throws Error when it isn't there, telling that
// `package` would bring it, and when a signal interrupts us.
ToolResult run_tool(const std::vector<std::string> &argv, const std::string &package);

// Starts `program` with stdin and stdout as given. Throws Error when that fails.
pid_t start_program(const std::vector<std::string> &argv, int standard_input, int standard_output);

// This process ends when `parent`, the process that started it, does, however that ends.
void end_with(pid_t parent);

// Ends a child now and collects it.
void end_process(pid_t process);

}  // namespace emulsion
