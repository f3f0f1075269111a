#include "bench/explain/reasons.h"

#include <algorithm>
#include <map>

namespace emulsion {

std::vector<ReasonCount> count_reasons(const Explanation &explanation) {
    std::map<std::string, int> counts;
    for (const ExplainedEdge &edge : explanation.edges) {
        if (edge.between_groups()) {
            counts[edge.reason]++;
        }
    }
    std::vector<ReasonCount> result;
    for (const auto &[reason, edges] : counts) {
        result.push_back({reason, edges});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const ReasonCount &a, const ReasonCount &b) { return a.edges > b.edges; });
    return result;
}

}  // namespace emulsion
