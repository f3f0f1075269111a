#include "bench/explain/reasons.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace emulsion {

namespace {

constexpr const char *kAnOperator = "an operator";

// A reason in pieces: what stands between its numbers, and these as they are written.
struct Pieces {
    std::vector<std::string> texts;  // one more than numbers
    std::vector<std::string> numbers;
};

// What stands for a quoted name after the text before: names of loop nests say something, those of operators are
// examples.
std::string without_name(const Pieces &pieces, const std::string &quoted) {
    const std::string &before = pieces.texts.back();
    if (before.ends_with("loop nest ")) {
        return quoted;
    }
    if (before.ends_with("constant ")) {
        return "of some operand";
    }
    const bool is_first =
        std::none_of(pieces.texts.begin(), pieces.texts.end(), [](const std::string &text) {
            return text.find(kAnOperator) != std::string::npos;
        });
    return is_first ? kAnOperator : "another";
}

Pieces pieces_of(const std::string &reason) {
    Pieces pieces{{""}, {}};
    for (size_t at = 0; at < reason.size();) {
        size_t end = at + 1;
        const size_t quote = reason[at] == '\'' ? reason.find('\'', at + 1) : std::string::npos;
        // "can't" has no name in it
        const bool begins_a_name =
            at == 0 || std::isalnum(static_cast<unsigned char>(reason[at - 1])) == 0;
        if (quote != std::string::npos && begins_a_name) {
            end = quote + 1;
            pieces.texts.back() += without_name(pieces, reason.substr(at, end - at));
        } else if (std::isdigit(static_cast<unsigned char>(reason[at])) != 0) {
            while (end < reason.size() &&
                   std::isdigit(static_cast<unsigned char>(reason[end])) != 0) {
                end++;
            }
            pieces.numbers.push_back(reason.substr(at, end - at));
            pieces.texts.emplace_back();
        } else {
            pieces.texts.back() += reason[at];
        }
        at = end;
    }
    return pieces;
}

// Numbers without leading zeros, by their value: of more digits, or of as many and later in the alphabet.
bool is_less(const std::string &a, const std::string &b) {
    return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
}

struct Range {
    std::string least, most;
    std::string text() const { return least == most ? least : least + " to " + most; }
};

}  // namespace

std::vector<ReasonKind> kinds_of_reasons(const std::vector<Refusal> &refusals) {
    struct Kind {
        std::vector<Range> ranges;
        std::vector<size_t> refusals;
    };
    std::map<std::vector<std::string>, Kind> kinds;
    for (size_t i = 0; i < refusals.size(); i++) {
        const Pieces pieces = pieces_of(refusals[i].reason);
        Kind &kind = kinds[pieces.texts];
        for (size_t n = 0; n < pieces.numbers.size(); n++) {
            const std::string &number = pieces.numbers[n];
            if (kind.refusals.empty()) {
                kind.ranges.push_back({number, number});
            } else {
                kind.ranges[n].least = std::min(kind.ranges[n].least, number, is_less);
                kind.ranges[n].most = std::max(kind.ranges[n].most, number, is_less);
            }
        }
        kind.refusals.push_back(i);
    }
    std::vector<ReasonKind> result;
    for (auto &[texts, kind] : kinds) {
        std::string text = texts.front();
        for (size_t n = 0; n < kind.ranges.size(); n++) {
            text += kind.ranges[n].text() + texts[n + 1];
        }
        if (kind.refusals.size() == 1) {
            text = refusals[kind.refusals.front()].reason;
        }
        result.push_back({text, std::move(kind.refusals)});
    }
    std::stable_sort(result.begin(), result.end(), [](const ReasonKind &a, const ReasonKind &b) {
        return a.refusals.size() > b.refusals.size();
    });
    return result;
}

std::vector<Refusal> refusals_of_edges(const Explanation &explanation) {
    const auto name = [&](int op) {
        return op < 0 ? "" : explanation.operators[static_cast<size_t>(op)].name;
    };
    std::vector<Refusal> refusals;
    for (const ExplainedEdge &edge : explanation.edges) {
        if (edge.between_groups()) {
            refusals.push_back({name(edge.producer), name(edge.consumer), edge.reason});
        }
    }
    return refusals;
}

}  // namespace emulsion
