#include "bench/explain/measured_times.h"

#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/json_file.h"
#include "bench/statistics.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kWhatHasTimes =
    "'emulsion bench --profile --json', 'measure --json' and '--trace' write times of groups";

// What a profile knows of a group: the unit that it launched, and milliseconds.
struct TimedGroup {
    std::string unit;
    double ms = 0.0;
};

struct Profile {
    std::map<int, TimedGroup> groups;     // by number of the kernel
    std::map<std::string, double> units;  // or by unit, where equal ones were measured once
    int threads = 0;                      // 0: it doesn't say
};

Json refused_or_parsed(const std::string &text, const std::string &file) {
    const Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.is_object()) {
        throw Error("is no profile; " + std::string(kWhatHasTimes), {.file = file});
    }
    return document;
}

// `bench --json`: of every policy the groups, the slowest first.
Profile of_bench(const Json &document, const std::string &policy) {
    const Json &policies = document.at("policies");
    const auto found = policies.find(policy);
    if (found == policies.end()) {
        std::vector<std::string> names;
        for (const auto &[name, _] : policies.items()) {
            names.push_back(name);
        }
        throw Error(
            fmt::format("has no times of policy '{}', but of {}", policy, fmt::join(names, ", ")));
    }
    if (found->find("profile") == found->end()) {
        throw Error(std::string("has no times of groups; 'emulsion bench' writes them where it is "
                                "given --profile"));
    }
    Profile profile;
    for (const Json &group : found->at("profile")) {
        profile.groups[group.at("group").get<int>()] = {group.at("unit").get<std::string>(),
                                                        group.at("median_ms").get<double>()};
    }
    profile.threads = document.at("threads").get<int>();
    return profile;
}

// `measure --json`: every distinct unit, with the time of its groups in the network.
Profile of_measure(const Json &document) {
    Profile profile;
    for (const Json &unit : document.at("units")) {
        profile.units[unit.at("unit").get<std::string>()] = unit.at("network_ms").get<double>();
    }
    profile.threads = document.at("threads").get<int>();
    return profile;
}

// A trace: an event for every group and run, of every policy in a process of its own.
Profile of_trace(const Json &document, const std::string &policy) {
    std::map<int, std::string> titles;  // of processes
    for (const Json &event : document.at("traceEvents")) {
        if (event.at("name") == "process_name") {
            titles[event.at("pid").get<int>()] = event.at("args").at("name").get<std::string>();
        }
    }
    std::map<int, std::vector<double>> ms;
    Profile profile;
    for (const Json &event : document.at("traceEvents")) {
        if (event.value("cat", "") != "group" ||
            (titles.size() > 1 && titles[event.at("pid").get<int>()] != policy)) {
            continue;
        }
        const Json &about = event.at("args");
        const int group = about.at("group").get<int>();
        profile.groups[group].unit = about.at("unit").get<std::string>();
        ms[group].push_back(event.at("dur").get<double>() * 1e-3);
    }
    for (auto &[group, times] : ms) {
        profile.groups[group].ms = summarise(std::move(times)).median;
    }
    profile.threads = document.at("otherData").value("threads", 0);
    return profile;
}

Profile profile_of(const std::string &text, const std::string &file, const std::string &policy) {
    const Json document = refused_or_parsed(text, file);
    const auto other = document.find("otherData");
    const bool is_trace = other != document.end() && other->is_object();
    const std::string schema = (is_trace ? *other : document).value("schema", "");
    if (schema == "emulsion-bench") {
        return of_bench(read_json_document("emulsion-bench", text, file), policy);
    }
    if (schema == "emulsion-measure") {
        return of_measure(read_json_document("emulsion-measure", text, file));
    }
    if (schema == "emulsion-trace") {
        return of_trace(document, policy);
    }
    throw Error("is no profile; " + std::string(kWhatHasTimes));
}

Error other_plan(const std::string &what) {
    return Error(fmt::format("is a profile of another plan: {}; profile the model with the policy, "
                             "target, threads and constants of this plan",
                             what));
}

void check_groups(const Profile &profile, const Explanation &explained) {
    if (profile.threads > 0 && profile.threads != explained.threads) {
        throw other_plan(fmt::format("it is of {} thread{}, where this is for {}", profile.threads,
                                     profile.threads == 1 ? "" : "s", explained.threads));
    }
    if (profile.units.empty() && profile.groups.size() != static_cast<size_t>(explained.launched)) {
        throw other_plan(fmt::format("it has {} groups that launch a kernel, where this has {}",
                                     profile.groups.size(), explained.launched));
    }
    if (!profile.units.empty() && profile.units.size() != static_cast<size_t>(explained.units)) {
        throw other_plan(fmt::format("it has {} distinct units, where this has {}",
                                     profile.units.size(), explained.units));
    }
}

// What `group` has taken.
double time_of(const Profile &profile, const ExplainedGroup &group) {
    if (const auto unit = profile.units.find(group.unit); unit != profile.units.end()) {
        return unit->second;
    }
    const auto timed = profile.groups.find(group.launch);
    if (timed == profile.groups.end() || timed->second.unit != group.unit) {
        throw other_plan(
            fmt::format("group {}, '{}', is other code there", group.launch, group.label));
    }
    return timed->second.ms;
}

}  // namespace

void add_measured_times(const std::string &text, const std::string &file, Explanation &explained) {
    naming_file(file, [&] {
        try {
            const Profile profile = profile_of(text, file, explained.policy);
            check_groups(profile, explained);
            for (ExplainedGroup &group : explained.groups) {
                if (group.launched()) {
                    group.measured_ms = time_of(profile, group);
                    explained.measured_ms += group.measured_ms;
                }
            }
        } catch (const Json::exception &error) {
            throw Error(fmt::format("is no profile as Emulsion writes it: {}", error.what()));
        }
    });
    explained.profile = file;
}

void add_measured_times(const std::string &file, Explanation &explained) {
    add_measured_times(read_user_file(file), file, explained);
}

}  // namespace emulsion
