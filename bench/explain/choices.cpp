#include "bench/explain/choices.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

namespace emulsion {

std::vector<ChoiceKind> kinds_of_choices(const std::vector<ExplainedChoice> &choices) {
    std::map<std::tuple<std::string, std::string, std::map<std::string, double>>, size_t> known;
    std::vector<ChoiceKind> kinds;
    for (size_t i = 0; i < choices.size(); i++) {
        const ExplainedChoice &choice = choices[i];
        const auto [kind, first] = known.emplace(
            std::tuple(choice.type, choice.implementation, choice.alone_ms), kinds.size());
        if (first) {
            kinds.emplace_back();
        }
        kinds[kind->second].choices.push_back(i);
    }
    return kinds;
}

std::string prices_text(const ExplainedChoice &choice) {
    std::string text;
    for (const auto &[name, ms] : choice.alone_ms) {
        text += fmt::format("{}{} {:.4f} ms", text.empty() ? "" : ", ", name, ms);
    }
    return text;
}

}  // namespace emulsion
