#include "bench/profile.h"

#include <algorithm>

#include <fmt/format.h>

namespace emulsion {

namespace {

// Per second of `median_ms`, in units of 10^9; 0 for what took no time that the clock could see.
double giga_rate(double count, double median_ms) {
    return median_ms > 0.0 ? count / median_ms * 1e-6 : 0.0;
}

}  // namespace

double ProfileRow::gflops() const { return giga_rate(2.0 * facts.multiply_adds, median_ms); }

double ProfileRow::gigabytes_per_second() const {
    return giga_rate(static_cast<double>(facts.bytes_read + facts.bytes_written), median_ms);
}

std::vector<ProfileRow> profile(const RecordedNetwork &network) {
    expect_whole_runs(network);
    std::vector<ProfileRow> rows;
    double sum = 0.0;
    for (size_t i = 0; i < network.launches.size(); i++) {
        rows.push_back({.launch = static_cast<int>(i),
                        .facts = network.launches[i],
                        .median_ms = median_launch_ms(network.runs, i)});
        sum += rows.back().median_ms;
    }
    for (ProfileRow &row : rows) {
        row.share = sum > 0.0 ? row.median_ms / sum : 0.0;
    }
    std::stable_sort(rows.begin(), rows.end(), [](const ProfileRow &a, const ProfileRow &b) {
        return a.median_ms > b.median_ms;
    });
    return rows;
}

void print_profile(const std::string &title, const std::vector<ProfileRow> &rows, size_t most) {
    fmt::print("\n{}: {} of {} groups, the slowest first\n", title, std::min(most, rows.size()),
               rows.size());
    fmt::print("{:>5}{:>11}{:>9}{:>10}{:>8}  {}\n", "group", "median ms", "share %", "GFLOP/s",
               "GB/s", "operators");
    for (size_t i = 0; i < std::min(most, rows.size()); i++) {
        const ProfileRow &row = rows[i];
        const std::string gflops =
            row.facts.multiply_adds > 0.0 ? fmt::format("{:.1f}", row.gflops()) : std::string("-");
        fmt::print("{:>5}{:>11.4f}{:>9.1f}{:>10}{:>8.1f}  {}\n", row.launch, row.median_ms,
                   row.share * 100, gflops, row.gigabytes_per_second(), row.facts.label);
    }
}

Json to_json(const std::vector<ProfileRow> &rows) {
    Json list = Json::array();
    for (const ProfileRow &row : rows) {
        list.push_back({{"group", row.launch},
                        {"label", row.facts.label},
                        {"unit", row.facts.unit},
                        {"median_ms", row.median_ms},
                        {"share", row.share},
                        {"gflops", row.gflops()},
                        {"gb_per_s", row.gigabytes_per_second()},
                        {"bytes_read", row.facts.bytes_read},
                        {"bytes_written", row.facts.bytes_written},
                        {"multiply_adds", row.facts.multiply_adds}});
    }
    return list;
}

}  // namespace emulsion
