// The stages of a plan in words: where each is computed, why, and what it would have cost elsewhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fusion/plan.h"

namespace emulsion {

struct PlacedStage {
    std::string name;
    int group = -1;     // position in Plan::groups
    std::string place;  // "stored", "tiles", "rows", "iterations", "registers", "inlined"
    std::string where;  // "at the rows of out's tiles, of which earlier ones are kept"
    std::string why;    // where there was nothing to choose; else empty
    // Other places, as `place` says, and predicted time of the groups concerned over that of the place taken; cheapest
    // first.
    std::vector<std::pair<std::string, double>> otherwise;
};

// Of all compute groups, in the plan's order.
std::vector<PlacedStage> placed_stages(const Plan &plan);

// "1.40x", and "1.4e+06x" of what nobody would do.
std::string cost_text(double ratio);

// "at the rows of out's tiles, of which earlier ones are kept; stored whole it would cost 1.40x, inlined 2.10x".
std::string sentence(const PlacedStage &stage);

}  // namespace emulsion
