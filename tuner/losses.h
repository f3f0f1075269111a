// What boosted trees are fitted to.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/boosted_trees.h"

namespace emulsion {

// Squared distance from `labels`, each times its weight (Ansor, section 5.2: the weight is the label, since what is fast
// matters).
LossFunction squared_error(std::vector<float> labels, std::vector<float> weights);

// The same of throughputs over that of the fastest, each its own weight; what failed, 0, has a little, so that it is known as slow.
LossFunction throughput_error(std::vector<float> labels);

// Of labels 0 and 1, for scores that are logarithms of odds.
LossFunction logistic_error(std::vector<float> labels);
// The probability that such a score says.
double probability(double score);

// Of pairs of one group (`group`, by program, ascending) with different labels, the logistic loss of their scores' difference:
// the one with the higher label should have the higher score (C. Burges et al., RankNet, ICML 2005). A pair counts as much as its
// labels differ.
LossFunction ranking_error(std::vector<float> labels, std::vector<size_t> group);

}  // namespace emulsion
