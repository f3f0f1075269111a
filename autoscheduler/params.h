// Parameters of the autoscheduler: `autoscheduler.NAME=VALUE` on a generator's command line,
// AUTOSCHEDULER_PARAMS in CMake. This struct is the one place where they are defined.
#pragma once

#include <map>
#include <string>

#include <cstdint>

namespace emulsion {

struct Gao2025Params {
    // Threads that parallel loops are cut for. Not the compiling machine's: equal inputs give equal
    // schedules everywhere. Same name, meaning and default as Mullapudi2016's.
    int parallelism = 16;
    // Bytes of the last-level cache, shared by all threads; and the cost of a load from memory over that
    // of an arithmetic operation. Checked, and accepted so that Mullapudi2016's command lines work;
    // no policy weighs either yet.
    int64_t last_level_cache_size = int64_t{16} << 20;
    double balance = 40.0;
    // Fusion policy: "gao2025", "dnnfusion", "priority", "tvm" or "none".
    std::string policy = "gao2025";
    // Groups that the search of gao2025 looks at before the best plan so far stands.
    int64_t budget = 2'000'000;
    // The machine's constants: JSON text (starting with '{') or the path of a file that holds it, as
    // `emulsion calibrate` writes it.
    std::string machine;
    // On a GPU, the chip to plan for (fusion/chips.h); empty: the one that stands for any.
    std::string chip;
    // A plan to apply instead of making one: JSON text (starting with '{') or the path of a file that
    // holds it. A plan that does not fit the pipeline is refused.
    std::string plan;
    // What was found by measuring (fusion/image/tuned_images.h), likewise. A pipeline that it does not have is
    // planned without.
    std::string tuned;
    // Whether what Funcs inside of the pipeline are estimated to have holds for every call. Loop nests of
    // what a plan computes in panels count on it.
    bool exact_estimates = false;
    // Path of a file to write the plan to, or empty.
    std::string plan_out;
};

// Throws Error for an unknown key or a value that does not parse or is out of range.
Gao2025Params params_from(const std::map<std::string, std::string> &values);

}  // namespace emulsion
