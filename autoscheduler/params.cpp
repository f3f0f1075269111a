#include "autoscheduler/params.h"

#include <charconv>

#include "fusion/error.h"

namespace emulsion {

namespace {

template<typename T>
T number(const std::string &key, const std::string &text, T low, T high) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool in_range = value >= low && value <= high;  // a NaN is not
    if (error != std::errc() || end != text.data() + text.size() || !in_range) {
        throw Error("autoscheduler." + key + " is '" + text + "'; accepted are numbers from " +
                    std::to_string(low) + " to " + std::to_string(high));
    }
    return value;
}

bool flag(const std::string &key, const std::string &text) {
    if (text != "true" && text != "false") {
        throw Error("autoscheduler." + key + " is '" + text + "'; accepted are true and false");
    }
    return text == "true";
}

}  // namespace

Gao2025Params params_from(const std::map<std::string, std::string> &values) {
    Gao2025Params params;
    for (const auto &[key, value] : values) {
        if (key == "parallelism") {
            params.parallelism = number(key, value, 1, 4096);
        } else if (key == "last_level_cache_size") {
            params.last_level_cache_size = number<int64_t>(key, value, 1 << 10, int64_t{1} << 40);
        } else if (key == "balance") {
            params.balance = number(key, value, 0.0, 1e6);
        } else if (key == "policy") {
            params.policy = value;
        } else if (key == "budget") {
            params.budget = number<int64_t>(key, value, 1, int64_t{1} << 40);
        } else if (key == "machine") {
            params.machine = value;
        } else if (key == "chip") {
            params.chip = value;
        } else if (key == "plan") {
            params.plan = value;
        } else if (key == "tuned") {
            params.tuned = value;
        } else if (key == "exact_estimates") {
            params.exact_estimates = flag(key, value);
        } else if (key == "plan_out") {
            params.plan_out = value;
        } else {
            throw Error("unknown parameter autoscheduler." + key +
                        "; known are parallelism, last_level_cache_size, balance, policy, budget, "
                        "machine, chip, plan, tuned, exact_estimates, plan_out");
        }
    }
    return params;
}

}  // namespace emulsion
