// Programs that were drawn at random, for models of code.
#pragma once

#include <cstdint>
#include <vector>

#include "fusion/code_features.h"
#include "tuner/code_model.h"

namespace emulsion {

constexpr size_t kToyRow = 5;  // length of a node's row

// Trees of 4 to 12 nodes of kinds 1 to 4, with two numbers each; of every node a statement has the first of these, and whether a loop is right
// above.
std::vector<CodeFeatures> toy_programs(size_t count, uint64_t seed);

// Their scores where loops (kind 1) make what is right below them cost more: nodes by themselves do not tell.
std::vector<float> toy_scores(const std::vector<CodeFeatures> &programs);

}  // namespace emulsion
