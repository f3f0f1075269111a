#include "bench/cli/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace emulsion {

namespace {

// Levenshtein distance.
size_t distance(const std::string &a, const std::string &b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (size_t i = 1; i <= a.size(); i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); j++) {
            const size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string closest(const std::string &word, std::span<const std::string> known) {
    constexpr size_t kLongest = 64;  // longer ones are no misspelled names
    if (word.size() > kLongest) {
        return "";
    }
    std::string best;
    size_t least = word.size() / 3 + 1;  // a third of the letters may be wrong
    for (const std::string &candidate : known) {
        const size_t here = distance(word, candidate);
        if (here <= least && (best.empty() || here < least)) {
            least = here;
            best = candidate;
        }
    }
    return best;
}

}  // namespace emulsion
