// This machine and the Halide that the program uses, as `doctor` shows them.
#pragma once

#include <cstdint>
#include <string>

namespace emulsion {

struct HostInfo {
    std::string halide, llvm;  // versions
    std::string target;        // Halide's name of this machine
    bool x86_64 = false;
    std::string processor;
    int cores = 0;                                     // of the machine, not of this process
    std::string features;                              // vector instructions
    int64_t l1_bytes = 0, l2_bytes = 0, l3_bytes = 0;  // 0 where not known
};

HostInfo host_info();

// What measurements of one processor hold for: its name and caches.
std::string machine_fingerprint(const HostInfo &host);

}  // namespace emulsion
