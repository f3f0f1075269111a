// What a search believed, how right it was, and where its fast points came from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/tuning/tune_network.h"

namespace emulsion {

// Of trials with one origin (Proposal::origin).
struct OriginFigures {
    std::string origin;
    int trials = 0, ok = 0;
    int improved =
        0;  // were faster than all trials of their group before, and than the planned nest
    double median_ratio = 0.0;  // of those that are ok; 0: there are none
};

struct SearchExplanation {
    std::vector<OriginFigures> origins;  // the most frequent first
    // Of trials that a model has proposed, and that ran: how many; Spearman's rank correlation of predicted and measured
    // throughput within a group, the mean over groups, each with the weight of its trials.
    int predicted = 0;
    double rank_correlation = 0.0;
    std::vector<std::pair<std::string, double>> importances;  // the first ones of TunedNetwork's
};

SearchExplanation explain_search(const TunedNetwork &tuned);

// As text.
void print_explanation(const SearchExplanation &explanation);

}  // namespace emulsion
