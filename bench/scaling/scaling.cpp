#include "bench/scaling/scaling.h"

#include <algorithm>

#include <fmt/format.h>

#include "fusion/cost/nest_price.h"

namespace emulsion {

namespace {

// Over the first row, which has the fewest threads.
double speed_up(double first_ms, double ms) { return ms > 0.0 ? first_ms / ms : 0.0; }

std::string measured_text(const Scaling &scaling, const ScalingRow &row) {
    if (!row.median_ms) {
        return {};
    }
    const std::optional<double> &first = scaling.rows.front().median_ms;
    return fmt::format("{:>13.3f}{:>10}", *row.median_ms,
                       first ? fmt::format("{:.2f}", speed_up(*first, *row.median_ms)) : "");
}

}  // namespace

ScalingRow scaling_row(const PlannedNetwork &network, int threads) {
    ScalingRow row{.threads = threads, .groups = network.plan.launched_groups()};
    double cycles = 0.0, idle = 0.0, most = 0.0;
    for (const size_t launched : network.launched_groups()) {
        const PlannedGroup &group = network.plan.groups[launched];
        const GroupPrice price =
            price_with_nests(network.operators_of(group), group, {}, network.machine);
        const double waited = std::max(price.cycles - price.busy_cycles, 0.0);
        cycles += price.cycles;
        idle += waited;
        if (waited > most) {
            most = waited;
            row.idlest = group.members.back().op;
        }
    }
    row.predicted_ms = network.machine.milliseconds(cycles);
    row.idle_share = cycles > 0.0 ? idle / cycles : 0.0;
    return row;
}

void print_scaling(const Scaling &scaling) {
    const bool measured = std::any_of(scaling.rows.begin(), scaling.rows.end(),
                                      [](const ScalingRow &row) { return row.median_ms; });
    fmt::print("{}\n{:>7}{:>8}{:>14}{:>10}{:>7}", scaling.model, "threads", "groups",
               "predicted ms", "speed-up", "idle");
    fmt::print("{}  most idle in\n", measured ? "  measured ms  speed-up" : "");
    for (const ScalingRow &row : scaling.rows) {
        fmt::print("{:>7}{:>8}{:>14.3f}{:>10.2f}{:>6.1f} %", row.threads, row.groups,
                   row.predicted_ms, speed_up(scaling.rows.front().predicted_ms, row.predicted_ms),
                   100.0 * row.idle_share);
        fmt::print("{:<{}}  {}\n", measured_text(scaling, row), measured ? 23 : 0, row.idlest);
    }
}

Json to_json(const Scaling &scaling) {
    Json rows = Json::array();
    for (const ScalingRow &row : scaling.rows) {
        rows.push_back({{"threads", row.threads},
                        {"groups", row.groups},
                        {"predicted_ms", row.predicted_ms},
                        {"idle_share", row.idle_share},
                        {"idlest", row.idlest}});
        if (row.median_ms) {
            rows.back()["median_ms"] = *row.median_ms;
        }
    }
    return {{"model", scaling.model}, {"rows", rows}};
}

}  // namespace emulsion
