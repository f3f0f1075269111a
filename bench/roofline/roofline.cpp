#include "bench/roofline/roofline.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "bench/cost_samples.h"

namespace emulsion {

namespace {

constexpr double kNearLimit = 0.85, kAsPredicted = 0.7;
// Of what a loop nest's own estimate says of tasks and vectors, what is worth a sentence.
constexpr double kUneven = 1.2, kNarrow = 1.4;
// Loops that start take so much of a group's time that it can't be near its limit.
constexpr double kStartedShare = 0.5;

double operations_in(const PlannedNetwork &network, const PlannedGroup &group) {
    std::vector<std::string> members;
    for (const PlannedMember &member : group.members) {
        members.push_back(member.op);
    }
    // A conversion is no operator of the network, and computes nothing.
    return group.kind == GroupKind::Compute ? operations_of(network.operators, members) : 0.0;
}

std::string nests_of(const PlannedGroup &group) {
    if (group.kind == GroupKind::Convert) {
        return "convert";
    }
    std::string text;
    for (const PlannedMember &member : group.members) {
        if (!member.nest.empty()) {
            text += (text.empty() ? "" : "+") + member.nest.template_name;
        }
    }
    return text;
}

// What the loop nest of the group's last stage says of itself.
NestEstimate estimate_of(const PlannedNetwork &network, const PlannedGroup &group) {
    for (auto member = group.members.rbegin(); member != group.members.rend(); ++member) {
        const int index = network.operators.index_of(member->op);
        if (index >= 0 && !member->nest.empty()) {
            const NestSpace &space =
                network.operators.operators[static_cast<size_t>(index)].implementation.nest;
            return space.estimate(member->nest, network.machine);
        }
    }
    return {};
}

std::string reason_of(const PlannedNetwork &network, const PlannedGroup &group,
                      const RooflineGroup &found, double region_ms) {
    if (found.share() >= kNearLimit) {
        return "it is near its limit";
    }
    if (region_ms > kStartedShare * found.ms) {
        return fmt::format("it is short: starting its threads takes about {:.1f} us",
                           1e3 * region_ms);
    }
    if (group.kind == GroupKind::Convert) {
        return "it copies a tensor into another layout, against the order in which it lies";
    }
    if (found.nest.find("generic") != std::string::npos) {
        return "no loop nest but the one that takes everything fits";
    }
    const NestEstimate estimate = estimate_of(network, group);
    if (estimate.imbalance > kUneven) {
        return fmt::format("its tasks are uneven: the busiest core has {:.1f} times its share",
                           estimate.imbalance);
    }
    if (estimate.operation_slowdown > kNarrow) {
        return fmt::format("its vectors are not full: operations take {:.1f} times as long",
                           estimate.operation_slowdown);
    }
    if (found.predicted_ms >= kAsPredicted * found.ms) {
        return "as predicted: arithmetic that isn't counted here, tiles at edges, loads and tasks";
    }
    return fmt::format("it takes {:.1f} times what is predicted",
                       found.predicted_ms > 0.0 ? found.ms / found.predicted_ms : 0.0);
}

void set_limit(const MachineLimits &limits, RooflineGroup &group) {
    const double arithmetic = group.operations / limits.operations_per_second;
    const double memory = group.bytes / limits.bytes_per_second(group.bytes);
    group.memory_bound = memory > arithmetic;
    group.limit_ms = 1e3 * std::max(arithmetic, memory);
}

Json to_json(const RooflineGroup &group) {
    return {{"group", group.launch},
            {"label", group.label},
            {"nest", group.nest},
            {"operations", group.operations},
            {"bytes", group.bytes},
            {"median_ms", group.ms},
            {"predicted_ms", group.predicted_ms},
            {"limit_ms", group.limit_ms},
            {"memory_bound", group.memory_bound},
            {"share", group.share()},
            {"reason", group.reason}};
}

}  // namespace

double Roofline::ms() const {
    double sum = 0.0;
    for (const RooflineGroup &group : groups) {
        sum += group.ms;
    }
    return sum;
}

double Roofline::limit_ms() const {
    double sum = 0.0;
    for (const RooflineGroup &group : groups) {
        sum += group.limit_ms;
    }
    return sum;
}

std::vector<const RooflineGroup *> Roofline::worst(size_t most) const {
    std::vector<const RooflineGroup *> sorted;
    for (const RooflineGroup &group : groups) {
        sorted.push_back(&group);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto *a, const auto *b) { return a->lost_ms() > b->lost_ms(); });
    sorted.resize(std::min(sorted.size(), most));
    return sorted;
}

Roofline make_roofline(const PlannedNetwork &network, const std::vector<LaunchFacts> &facts,
                       const std::vector<double> &median_ms, const MachineLimits &limits,
                       double region_ms) {
    Roofline roofline{"", limits, {}};
    for (const PlannedGroup &planned : network.plan.groups) {
        if (planned.kind == GroupKind::View) {
            continue;
        }
        const size_t launch = roofline.groups.size();
        assert(launch < facts.size() && launch < median_ms.size());
        RooflineGroup group;
        group.launch = static_cast<int>(launch);
        group.label = facts[launch].label;
        group.nest = nests_of(planned);
        group.operations = operations_in(network, planned);
        group.bytes = static_cast<double>(facts[launch].bytes_read + facts[launch].bytes_written);
        group.ms = median_ms[launch];
        group.predicted_ms = network.machine.milliseconds(planned.cycles);
        set_limit(limits, group);
        group.reason = reason_of(network, planned, group, region_ms);
        roofline.groups.push_back(std::move(group));
    }
    return roofline;
}

void print_roofline(const Roofline &roofline, size_t worst) {
    const MachineLimits &limits = roofline.limits;
    fmt::print("limits, {} threads: {:.1f} GFLOP/s; reading {:.1f} GB/s of {} KB, {:.1f} GB/s of "
               "{} MB\n\n",
               limits.threads, 1e-9 * limits.operations_per_second,
               1e-9 * limits.reading.front().bytes_per_second, limits.reading.front().bytes >> 10,
               1e-9 * limits.reading.back().bytes_per_second, limits.reading.back().bytes >> 20);
    fmt::print("{:>5}  {:<27}{:>9}{:>9}{:>9}{:>10}{:>8}  {:<7}{}\n", "group", "loop nest", "M ops",
               "MB", "ms", "limit ms", "share %", "bound", "operators");
    for (const RooflineGroup &group : roofline.groups) {
        fmt::print("{:>5}  {:<27}{:>9.2f}{:>9.3f}{:>9.4f}{:>10.4f}{:>8.0f}  {:<7}{}\n",
                   group.launch, group.nest, 1e-6 * group.operations, 1e-6 * group.bytes, group.ms,
                   group.limit_ms, 100.0 * group.share(), group.memory_bound ? "memory" : "peak",
                   group.label);
    }
    const std::vector<const RooflineGroup *> worst_groups = roofline.worst(worst);
    fmt::print("\nthe {} groups that lose most time, and by what\n", worst_groups.size());
    for (const RooflineGroup *group : worst_groups) {
        fmt::print("{:>5}  {:.4f} ms lost, {:.0f} % of its limit: {}  ({})\n", group->launch,
                   group->lost_ms(), 100.0 * group->share(), group->reason, group->label);
    }
    const double ms = roofline.ms();
    fmt::print("\nall groups: {:.3f} ms, {:.0f} % of what the machine allows ({:.3f} ms)\n", ms,
               ms > 0.0 ? 100.0 * roofline.limit_ms() / ms : 0.0, roofline.limit_ms());
}

Json to_json(const Roofline &roofline) {
    Json groups = Json::array(), worst = Json::array();
    for (const RooflineGroup &group : roofline.groups) {
        groups.push_back(to_json(group));
    }
    constexpr size_t kWorst = 10;
    for (const RooflineGroup *group : roofline.worst(kWorst)) {
        worst.push_back(group->launch);
    }
    return {{"model", roofline.model},
            {"limits", to_json(roofline.limits)},
            {"median_ms", roofline.ms()},
            {"limit_ms", roofline.limit_ms()},
            {"worst", worst},
            {"groups", groups}};
}

}  // namespace emulsion
