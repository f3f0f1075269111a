// Memory that processes take.
#pragma once

#include <cstdint>
#include <string>

namespace emulsion {

// The most that this process has had in physical memory since it started, shared pages included
// (VmHWM; unlike getrusage's, nothing is inherited from the parent). 0 where it is not known.
int64_t peak_rss_bytes();

// The largest such figure of the processes that this one started, theirs included, and has waited for.
int64_t peak_rss_bytes_of_children();

// peak_rss_bytes for a process of its own that loads the compiled folder and runs it once.
int64_t peak_rss_bytes_of_run(const std::string &folder, int threads);

}  // namespace emulsion
