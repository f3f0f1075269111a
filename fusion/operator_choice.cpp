#include "fusion/operator_choice.h"

#include <cstddef>

namespace emulsion {

std::vector<OperatorChoice> choices_of(const Problem &problem, const PlannedProblem &planned) {
    std::vector<OperatorChoice> choices;
    for (size_t i = 0; i < problem.operators.size(); i++) {
        const auto &alternatives = problem.operators[i].alternatives;
        if (alternatives.size() < 2) {
            continue;
        }
        const auto choice = static_cast<size_t>(taken(planned.decisions, i));
        OperatorChoice &made = choices.emplace_back();
        made.name = problem.operators[i].name;
        made.type = alternatives.front().operators.back().origin;
        made.implementation = alternatives[choice].name;
        for (size_t a = 0; a < alternatives.size(); a++) {
            made.alone[alternatives[a].name] = planned.alone[i][a];
        }
    }
    return choices;
}

}  // namespace emulsion
