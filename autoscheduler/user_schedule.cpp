#include "autoscheduler/user_schedule.h"

#include <algorithm>

#include "autoscheduler/func_order.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;

// Sets the Func in whose loops the level is, if it is in any; whether it is said at all.
bool take_level(Halide::LoopLevel level, std::string &host) {
    level.lock();  // else it may not be looked at
    if (level.is_inlined()) {
        return false;
    }
    if (!level.is_root()) {
        host = level.func();
    }
    return true;
}

bool take_loops(const Halide::Internal::Definition &definition, std::set<std::string> &fused) {
    const StageSchedule &schedule = definition.schedule();
    std::string other;
    const bool is_fused = take_level(schedule.fuse_level().level, other);
    if (!other.empty()) {
        fused.insert(other);
    }
    return is_fused || schedule.touched() || !definition.specializations().empty();
}

bool has_storage(const Function &f) {
    const FuncSchedule &schedule = f.schedule();
    const std::vector<StorageDim> &dims = schedule.storage_dims();
    bool in_order = dims.size() == f.args().size(), plain = true;
    for (size_t i = 0; i < dims.size(); i++) {
        in_order = in_order && dims[i].var == f.args()[i];
        plain = plain && !dims[i].alignment.defined() && !dims[i].bound.defined() &&
                !dims[i].fold_factor.defined();
    }
    return schedule.memoized() || schedule.async() || !schedule.wrappers().empty() ||
           schedule.memory_type() != Halide::MemoryType::Auto || !in_order || !plain;
}

// Names of the Funcs that a Func reads.
std::set<std::string> reads_of(const Function &f) {
    std::set<std::string> names;
    for (const auto &[name, function] : find_direct_calls(f)) {
        names.insert(name);
    }
    names.erase(f.name());
    return names;
}

Error not_in_its_loops(const std::string &read, const std::string &host,
                       const std::string &reader) {
    return Error("'" + read + "' is computed in loops of '" + host + "', but read by '" + reader +
                 "', which isn't: call compute_root on the former or compute_at on the latter");
}

}  // namespace

UserSchedule user_schedule(const Function &f) {
    UserSchedule found;
    found.has_loops = !f.has_extern_definition() && take_loops(f.definition(), found.fused);
    for (const Halide::Internal::Definition &update : f.updates()) {
        found.has_loops = take_loops(update, found.fused) || found.has_loops;
    }
    found.has_storage = has_storage(f);
    found.has_level = take_level(f.schedule().store_level(), found.host);
    found.has_level = take_level(f.schedule().compute_level(), found.host) || found.has_level;
    return found;
}

std::map<std::string, UserSchedule> user_schedules(const std::map<std::string, Function> &env) {
    std::map<std::string, UserSchedule> schedules;
    std::set<std::string> hosts;
    const auto add = [&](const Function &f) {
        UserSchedule schedule = user_schedule(f);
        if (!schedule.is_empty()) {
            hosts.insert(schedule.host);
            hosts.insert(schedule.fused.begin(), schedule.fused.end());
            schedule.has_loops = schedule.has_loops || !schedule.host.empty();
            schedules.emplace(f.name(), schedule);
        }
    };
    for (const auto &[name, f] : env) {
        add(f);
        for (const auto &[reader, wrapper] : f.schedule().wrappers()) {
            add(Function(wrapper));
        }
    }
    for (const std::string &host : hosts) {
        if (env.count(host) != 0) {
            schedules[host].has_loops = true;
        }
    }
    return schedules;
}

std::set<std::string> inlined_between(const std::map<std::string, UserSchedule> &schedules,
                                      const std::map<std::string, Function> &env,
                                      const std::vector<std::string> &order,
                                      const std::set<std::string> &outputs) {
    std::set<std::string> inlined;
    // By Func that is computed in another's loops, or has to be inlined into these: which.
    std::map<std::string, std::string> hosts;
    for (const std::string &name : order) {
        const Function &f = env.at(name);
        const auto fixed = schedules.find(name);
        if (fixed != schedules.end()) {
            if (!fixed->second.host.empty()) {
                hosts[name] = fixed->second.host;
            }
            continue;
        }
        for (const std::string &read : reads_of(f)) {
            const auto host = hosts.find(read);
            if (host == hosts.end() || host->second == name) {
                continue;
            }
            if (!f.can_be_inlined() || outputs.count(name) != 0) {
                throw not_in_its_loops(read, host->second, name);
            }
            inlined.insert(name);
            hosts[name] = host->second;
        }
    }
    return inlined;
}

std::set<std::string> with_loops_of_users(const std::vector<Halide::Func> &outputs) {
    std::set<std::string> names;
    for (const auto &[name, schedule] : user_schedules(build_environment(functions_of(outputs)))) {
        if (schedule.has_loops) {
            names.insert(name);
        }
    }
    return names;
}

}  // namespace emulsion
