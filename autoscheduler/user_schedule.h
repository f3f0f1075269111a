// What of a Func's schedule its author has fixed before the autoscheduler sees it.
#pragma once

#include <Halide.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace emulsion {

struct UserSchedule {
    bool has_level = false;  // compute_root, compute_at
    bool has_loops =
        false;  // any directive about the loops of a definition; compute_with, specialize
    bool has_storage = false;  // memoize, async, the order, folds and place of its memory; Func::in
    std::string host;          // the Func in whose loops it is computed or stored, or ""
    std::set<std::string> fused;  // the Funcs whose loops it shares
    bool is_empty() const { return !has_level && !has_loops && !has_storage; }
};

UserSchedule user_schedule(const Halide::Internal::Function &f);

// Those of a pipeline that aren't empty, by Func: loops count as fixed too where others are computed in them.
std::map<std::string, UserSchedule>
user_schedules(const std::map<std::string, Halide::Internal::Function> &env);

// Funcs without a schedule that have to be inlined, because they read one that is computed in the loops of a Func and
// are read in these. `order`: producers first. Throws Error for one that can't be.
std::set<std::string> inlined_between(const std::map<std::string, UserSchedule> &schedules,
                                      const std::map<std::string, Halide::Internal::Function> &env,
                                      const std::vector<std::string> &order,
                                      const std::set<std::string> &outputs);

// The Funcs of these outputs' pipeline whose loops are fixed.
std::set<std::string> with_loops_of_users(const std::vector<Halide::Func> &outputs);

}  // namespace emulsion
