#include "autoscheduler/templates/template.h"

#include <algorithm>

#include "fusion/error.h"

namespace emulsion {

const FuncFacts *NestSubject::single_reduction() const {
    const FuncFacts *found = nullptr;
    for (const FuncFacts &part : parts) {
        if (!part.is_reduction()) {
            continue;
        }
        if (found != nullptr || part.updates > 1) {
            return nullptr;
        }
        found = &part;
    }
    return found;
}

bool NestSubject::is_constant(const std::string &tensor) const {
    return std::find(constants.begin(), constants.end(), tensor) != constants.end();
}

std::vector<const NestTemplate *> ranked_templates(bool for_gpu) {
    std::vector<const NestTemplate *> ranked;
    for (const NestTemplate *t : all_templates()) {
        if (t->for_gpu == for_gpu) {
            ranked.push_back(t);
        }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto *a, const auto *b) { return a->rank < b->rank; });
    return ranked;
}

const NestTemplate &find_template(const std::string &name) {
    std::string known;
    for (const NestTemplate *t : all_templates()) {
        if (t->name == name) {
            return *t;
        }
        known += (known.empty() ? "" : ", ") + t->name;
    }
    throw Error("unknown loop nest '" + name + "'; known are " + known);
}

}  // namespace emulsion
