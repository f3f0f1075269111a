#include "fusion/join_plans.h"

#include <algorithm>
#include <set>
#include <string>

namespace emulsion {

namespace {

bool is_inlined(const PlannedMember &member) {
    return std::all_of(member.parts.begin(), member.parts.end(),
                       [](const PlannedPart &part) { return part.placement == Placement::Inline; });
}

template<class T>
void append(std::vector<T> &to, const std::vector<T> &from) {
    to.insert(to.end(), from.begin(), from.end());
}

void add(SearchReport &sum, const SearchReport &part) {
    sum.states += part.states;
    sum.groups += part.groups;
    sum.refused += part.refused;
    sum.bounded += part.bounded;
    sum.attached += part.attached;
    sum.duplication_tries += part.duplication_tries;
    sum.layouts += part.layouts;
    sum.proven_optimal = sum.proven_optimal && part.proven_optimal;
    sum.cycles += part.cycles;
}

}  // namespace

Plan join_plans(std::vector<Plan> parts) {
    Plan joined = std::move(parts.front());
    std::set<std::string> inlined;
    const auto note_inlined = [&](PlannedGroup &group) {
        std::erase_if(group.members, [&](const PlannedMember &member) {
            return is_inlined(member) && !inlined.insert(member.op).second;
        });
    };
    std::for_each(joined.groups.begin(), joined.groups.end(), note_inlined);
    for (size_t i = 1; i < parts.size(); i++) {
        const int first = static_cast<int>(joined.values.size());
        for (PlannedValue &value : parts[i].values) {
            value.alias_of += value.alias_of >= 0 ? first : 0;
        }
        for (PlannedGroup &group : parts[i].groups) {
            for (int &input : group.inputs) {
                input += first;
            }
            group.output += group.output >= 0 ? first : 0;
            note_inlined(group);
        }
        append(joined.implementations, parts[i].implementations);
        append(joined.moves, parts[i].moves);
        append(joined.values, parts[i].values);
        append(joined.groups, parts[i].groups);
        append(joined.refusals, parts[i].refusals);
        append(joined.duplications, parts[i].duplications);
        append(joined.copies, parts[i].copies);
        add(joined.search, parts[i].search);
    }
    return joined;
}

}  // namespace emulsion
