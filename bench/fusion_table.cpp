#include "bench/fusion_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "backend/compiler.h"
#include "backend/seconds_since.h"
#include "bench/compared_models.h"
#include "bench/network_inputs.h"
#include "bench/trace.h"
#include "bench/units.h"
#include "fusion/cost/headroom.h"
#include "fusion/geometric_mean.h"

namespace emulsion {

namespace {

// What is known without running anything.
FusionRow planned_row(const PlannedNetwork &network, const std::string &policy,
                      FusionTable &table) {
    table.operators = network.operator_count;
    FusionRow row;
    row.policy = policy;
    row.search = network.plan.search;
    const double cycles = network.plan.predicted_cycles();
    row.predicted_ms = network.machine.milliseconds(cycles);
    if (policy == "tvm") {
        table.headroom = cycles / cycles_without_intermediates(network.operators, network.machine);
    }
    return row;
}

// What the time that this model and those before it have taken would be if every one were compiled by itself.
double own_seconds(const TableTime &time, size_t model, size_t compiled) {
    const double share = static_cast<double>(model + 1) / static_cast<double>(compiled);
    return seconds_since(time.start) - (1.0 - share) * time.preparing;
}

std::string speed_up(const FusionRow &row, const std::string &over) {
    const auto found = row.speed_ups.find(over);
    if (found == row.speed_ups.end() || over == row.policy) {
        return "";
    }
    const RatioInterval &interval = found->second;
    return fmt::format("{:.3f} [{:.3f}-{:.3f}]", interval.ratio, interval.low, interval.high);
}

Json to_json(const RatioInterval &interval) {
    return {{"ratio", interval.ratio}, {"low", interval.low}, {"high", interval.high}};
}

double geometric(const std::vector<double> &values) {
    return values.empty() ? 0.0 : geometric_mean(values);
}

}  // namespace

const FusionRow *FusionTable::find(const std::string &policy) const {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const FusionRow &each) { return each.policy == policy; });
    return row == rows.end() ? nullptr : &*row;
}

double FusionTable::ratio_over_tvm(const FusionRow &row) const {
    const FusionRow *tvm = find("tvm");
    return tvm == nullptr ? 0.0 : row.fusion_ratio / tvm->fusion_ratio;
}

FusionTable fusion_table(ComparedModels &compared, size_t model, uint64_t seed, Effort effort,
                         TableTime &time, Progress &progress) {
    FusionTable table;
    table.model = compared.files()[model];
    std::vector<LoadedNetwork> networks;
    const auto begin = std::chrono::steady_clock::now();
    for (size_t p = 0; p < compared.policies().size(); p++) {
        CompileReport report;
        networks.push_back(compared.open(model, p, &report));
        table.rows.push_back(planned_row(report.planned, compared.policies()[p], table));
        FusionRow &row = table.rows.back();
        row.groups = networks.back().artifact().launch_count();
        row.fusion_ratio = static_cast<double>(table.operators) / std::max(row.groups, 1);
        for (const LaunchFacts &launch : launch_facts(networks.back())) {
            row.bytes_moved += launch.bytes_read + launch.bytes_written;
        }
    }
    time.preparing += seconds_since(begin);
    const std::vector<Array> inputs = NetworkInputs(networks[0].artifact(), {}, seed).make(0);
    effort.seconds =
        measuring_seconds(effort.seconds, model, own_seconds(time, model, compared.compiled()));
    Measurement measured = measure(networks, inputs, effort, progress);
    for (size_t i = 0; i < table.rows.size(); i++) {
        table.rows[i].ms = summarise(measured.times[i]);
        table.rows[i].times = std::move(measured.times[i]);
    }
    for (FusionRow &row : table.rows) {
        for (const char *over : {"tvm", "none"}) {
            if (const FusionRow *other = table.find(over); other != nullptr) {
                row.speed_ups[over] = ratio_of_medians(other->times, row.times, measured.sittings);
            }
        }
    }
    return table;
}

void print(const FusionTable &table, int threads) {
    fmt::print("{}: {} operators, {} thread{}, {} runs each", table.model, table.operators, threads,
               threads == 1 ? "" : "s", table.rows[0].times.size());
    if (table.headroom > 0.0) {
        fmt::print(", headroom {:.2f}", table.headroom);
    }
    fmt::print("\n{:<11}{:>7}{:>7}{:>10}{:>8}{:>10}{:>11}{:>10}  {:<21}{:<21}\n", "policy",
               "groups", "ratio", "over tvm", "fused", "MB moved", "predicted", "median",
               "over tvm", "over none");
    for (const FusionRow &row : table.rows) {
        const double over = table.ratio_over_tvm(row);
        fmt::print("{:<11}{:>7}{:>7.2f}{:>10}{:>7.0f}%{:>10.1f}{:>11.3f}{:>10.3f}  {:<21}{:<21}\n",
                   row.policy, row.groups, row.fusion_ratio,
                   over > 0.0 ? fmt::format("{:.2f}", over) : "",
                   100.0 * (1.0 - 1.0 / row.fusion_ratio), megabytes(row.bytes_moved),
                   row.predicted_ms, row.ms.median, speed_up(row, "tvm"), speed_up(row, "none"));
    }
    if (const FusionRow *row = table.find("gao2025"); row != nullptr) {
        fmt::print("gao2025: {} after {} operators and {} groups\n",
                   row->search.proven_optimal ? "proven least without groups across views"
                                              : "not proven least",
                   row->search.states, row->search.groups);
    }
    fmt::print("\n");
}

Json to_json(const FusionTable &table) {
    Json policies = Json::object();
    for (const FusionRow &row : table.rows) {
        Json &json = policies[row.policy];
        json = {{"groups", row.groups},
                {"fusion_ratio", row.fusion_ratio},
                {"ratio_over_tvm", table.ratio_over_tvm(row)},
                {"bytes_moved", row.bytes_moved},
                {"predicted_ms", row.predicted_ms},
                {"median_ms", row.ms.median},
                {"min_ms", row.ms.min},
                {"proven_optimal", row.search.proven_optimal},
                {"search", {{"states", row.search.states}, {"groups", row.search.groups}}}};
        for (const auto &[over, interval] : row.speed_ups) {
            json["over_" + over] = to_json(interval);
        }
    }
    return {{"model", table.model},
            {"operators", table.operators},
            {"headroom", table.headroom},
            {"policies", policies}};
}

FusionAverages averages_of(const std::string &policy, const std::vector<FusionTable> &tables) {
    FusionAverages averages;
    std::map<std::string, std::vector<double>> ratios;
    for (const FusionTable &table : tables) {
        const FusionRow &row = *table.find(policy);
        averages.ratio_over_tvm += table.ratio_over_tvm(row) / static_cast<double>(tables.size());
        for (const char *over : {"tvm", "none"}) {
            if (const FusionRow *other = table.find(over); other != nullptr) {
                ratios[over].push_back(other->ms.median / row.ms.median);
            }
        }
    }
    averages.over_tvm = geometric(ratios["tvm"]);
    averages.over_none = geometric(ratios["none"]);
    return averages;
}

}  // namespace emulsion
