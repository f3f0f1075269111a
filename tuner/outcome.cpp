#include "tuner/outcome.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr std::array<std::pair<Outcome, const char *>, 6> kNames{
    {{Outcome::Ok, "ok"},
     {Outcome::Refused, "refused"},
     {Outcome::FailedToCompile, "failed_to_compile"},
     {Outcome::TimedOut, "timed_out"},
     {Outcome::Crashed, "crashed"},
     {Outcome::Wrong, "wrong"}}};

}  // namespace

std::string name_of(Outcome outcome) {
    return std::find_if(kNames.begin(), kNames.end(),
                        [&](const auto &known) { return known.first == outcome; })
        ->second;
}

Outcome outcome_from(const std::string &name) {
    for (const auto &[outcome, known] : kNames) {
        if (name == known) {
            return outcome;
        }
    }
    throw Error("a measurement's outcome is '" + name + "', which is none");
}

}  // namespace emulsion
