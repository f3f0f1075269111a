#include "tests/graphs/table.h"

#include <set>

#include <fmt/format.h>

namespace emulsion::test {

namespace {

int64_t count_of(const Coverage &coverage, const std::string &kind, const std::string &option) {
    const auto found = coverage.find({kind, option});
    return found == coverage.end() ? 0 : found->second;
}

// Returns how many pairs were never drawn.
int print_options(const CampaignEnd &end) {
    int empty = 0;
    for (const GraphKind *kind : all_graph_kinds()) {
        fmt::print("{} ({} times)\n", kind->name, count_of(end.coverage, kind->name, ""));
        for (const std::string &option : kind->options) {
            const int64_t count = count_of(end.coverage, kind->name, option);
            empty += count == 0 ? 1 : 0;
            fmt::print("  {:>7}  {}\n", count == 0 ? "NEVER" : std::to_string(count), option);
        }
    }
    return empty;
}

int print_configurations(const CampaignEnd &end) {
    std::set<std::string> parts;
    for (const auto &[key, count] : end.configurations) {
        parts.insert(key.second);
    }
    int empty = 0;
    fmt::print("graphs that have the kind, by part of their configurations\n");
    for (const std::string &part : parts) {
        int64_t least = end.graphs;
        std::string of;
        for (const GraphKind *kind : all_graph_kinds()) {
            const int64_t count = count_of(end.configurations, kind->name, part);
            empty += count == 0 ? 1 : 0;
            if (count <= least) {
                least = count;
                of = kind->name;
            }
        }
        fmt::print("  {:>7}  {} (least: {})\n", least == 0 ? "NEVER" : std::to_string(least), part,
                   of);
    }
    return empty;
}

}  // namespace

void print_summary(const CampaignEnd &end, bool table) {
    if (table) {
        const int options = print_options(end), configurations = print_configurations(end);
        fmt::print(
            "{} pairs of a kind and its options and {} of a kind and a part of a configuration were never "
            "drawn\n",
            options, configurations);
    }
    fmt::print(
        "{} graphs of {:.0f} nodes, {} runs in {:.0f} s ({:.1f} s a graph): {} refused ({:.1f} %), {} findings\n",
        end.graphs,
        end.graphs > 0 ? static_cast<double>(end.nodes) / static_cast<double>(end.graphs) : 0.0,
        end.runs, end.seconds, end.graphs > 0 ? end.seconds / static_cast<double>(end.graphs) : 0.0,
        end.refused,
        end.runs > 0 ? 100.0 * static_cast<double>(end.refused) / static_cast<double>(end.runs)
                     : 0.0,
        end.findings.size());
    for (const auto &[reason, refused] : end.refusals) {
        fmt::print("  refused {} times, first {}\n", refused.count, refused.example);
    }
    for (const Finding &finding : end.findings) {
        fmt::print("  seed {}: {} under {}{}\n", finding.seed, finding.end.outcome,
                   finding.end.configuration, finding.model.empty() ? "" : ": " + finding.model);
    }
}

Json to_json(const CampaignEnd &end, const CampaignOptions &options) {
    Json json = {{"seed", options.seed},  {"targets", options.targets}, {"graphs", end.graphs},
                 {"nodes", end.nodes},    {"runs", end.runs},           {"refused", end.refused},
                 {"seconds", end.seconds}};
    json["refusals"] = Json::object();
    for (const auto &[reason, refused] : end.refusals) {
        json["refusals"][reason] = {{"count", refused.count}, {"example", refused.example}};
    }
    for (const GraphKind *kind : all_graph_kinds()) {
        for (const std::string &option : kind->options) {
            json["options"][kind->name][option] = count_of(end.coverage, kind->name, option);
        }
    }
    for (const auto &[key, count] : end.configurations) {
        json["configurations"][key.first][key.second] = count;
    }
    json["findings"] = Json::array();
    for (const Finding &finding : end.findings) {
        json["findings"].push_back({{"seed", finding.seed},
                                    {"configuration", finding.end.configuration},
                                    {"outcome", finding.end.outcome},
                                    {"text", finding.end.text},
                                    {"nodes", finding.nodes},
                                    {"model", finding.model}});
    }
    return json;
}

}  // namespace emulsion::test
