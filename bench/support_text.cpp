#include "bench/support_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace emulsion {

namespace {

constexpr size_t kMostTypes = 20;

std::string where(const ErrorPlace &place) {
    if (place.node.empty()) {
        return place.operator_type.empty() ? "the model" : place.operator_type;
    }
    return fmt::format("node '{}' (#{}, {})", place.node, place.node_index, place.operator_type);
}

// The most frequent types first.
std::string table_of_types(const SupportReport &report) {
    std::vector<std::pair<std::string, int64_t>> types(report.by_operator().begin(),
                                                       report.by_operator().end());
    std::stable_sort(types.begin(), types.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    std::string text = fmt::format("{:>8}  operator\n", "refusals");
    for (size_t i = 0; i < std::min(types.size(), kMostTypes); i++) {
        const std::string &type = types[i].first;
        text += fmt::format("{:>8}  {}\n", types[i].second,
                            type.empty() ? "none: inputs, weights, the whole" : type);
    }
    if (types.size() > kMostTypes) {
        text += fmt::format("{:>8}  and {} more types\n", "", types.size() - kMostTypes);
    }
    return text;
}

}  // namespace

std::string support_text(const SupportReport &report, size_t most) {
    std::string text;
    const std::vector<UnsupportedPart> refusals = report.in_model_order();
    const size_t shown = std::min(refusals.size(), most);
    for (size_t i = 0; i < shown; i++) {
        const UnsupportedPart &refusal = refusals[i];
        text += fmt::format("{}\n    {}\n    to do: {}\n", where(refusal.place), refusal.reason,
                            what_to_do(refusal));
    }
    if (const int64_t rest = report.count() - static_cast<int64_t>(shown); rest > 0) {
        text += fmt::format("and {} more\n", rest);
    }
    return report.clean() ? text : text + "\n" + table_of_types(report);
}

}  // namespace emulsion
