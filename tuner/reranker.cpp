#include "tuner/reranker.h"

#include <algorithm>
#include <numeric>

namespace emulsion {

namespace {

// The positions of proposals, those to measure first.
std::vector<size_t> order_of(const std::vector<Proposal> &proposals,
                             const std::vector<double> &scores, size_t most) {
    std::vector<size_t> order(proposals.size());
    std::iota(order.begin(), order.end(), size_t{0});
    if (scores.empty()) {
        return order;
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return scores[a] > scores[b]; });
    const auto is_random = [&](size_t i) { return proposals[i].origin == "random"; };
    const auto all = static_cast<size_t>(std::count_if(order.begin(), order.end(), is_random));
    const size_t share = (all * most + proposals.size() - 1) / proposals.size();
    // The first of each kind, then the rest of both.
    size_t random = 0, others = 0;
    std::stable_partition(order.begin(), order.end(), [&](size_t i) {
        return is_random(i) ? random++ < share : others++ < most - share;
    });
    return order;
}

}  // namespace

Reranker::Choice Reranker::choose(const TuningTask &task, std::vector<Proposal> proposals,
                                  size_t most) {
    std::vector<CodeFeatures> code = measurer_.code(task, nests_of(proposals));
    code.resize(proposals.size());
    const bool chooses = proposals.size() > most;
    const std::vector<size_t> order =
        order_of(proposals, chooses ? learner_.scores(code) : std::vector<double>(), most);
    Choice choice;
    for (const size_t i : order) {
        if (choice.proposals.size() < most) {
            choice.proposals.push_back(std::move(proposals[i]));
            choice.code.push_back(std::move(code[i]));
        } else {
            choice.left.push_back(proposals[i].nest);
        }
    }
    return choice;
}

}  // namespace emulsion
