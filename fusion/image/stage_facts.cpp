#include "fusion/image/stage_facts.h"

#include <algorithm>

namespace emulsion {

namespace {

constexpr double kFewElements = 64.0;

}  // namespace

StageFacts::StageFacts(const ImageGraph &graph)
    : graph_(graph),
      has_rows_alone_(std::all_of(graph.stages.begin(), graph.stages.end(),
                                  [](const ImageStage &s) { return s.extents.size() < 2; })) {}

bool StageFacts::is_boundary(int i) const {
    for (const ImageRead &read : stage(i).definitions.front().reads) {
        for (const Tap &tap : read.taps) {
            if (std::any_of(tap.begin(), tap.end(),
                            [](const TapIndex &index) { return !index.other.empty(); })) {
                return true;
            }
        }
    }
    return false;
}

bool StageFacts::sums_larger(int i) const {
    constexpr double kMuchLarger = 8.0;
    for (const Definition &definition : stage(i).definitions) {
        for (const ImageRead &read : definition.reads) {
            if (definition.reduced.empty() || read.producer < 0 ||
                stage(read.producer).is_wrapper) {
                continue;
            }
            double step = 1.0, all = 1.0;
            for (size_t axis = 0; axis < read.all.size(); axis++) {
                step *= read.step[axis].window;
                all *= read.all[axis].window;
            }
            if (all > kMuchLarger * step && elements(read.producer) > kMuchLarger * elements(i) &&
                (!stage(read.producer).is_pure() ||
                 reads_large_update(read.producer, kMuchLarger * elements(i)))) {
                return true;
            }
        }
    }
    return false;
}

bool StageFacts::reads_large_update(int i, double least) const {
    for (const ImageRead &read : stage(i).definitions.front().reads) {
        if (read.producer >= 0 && !stage(read.producer).is_pure() &&
            elements(read.producer) > least) {
            return true;
        }
    }
    return false;
}

double StageFacts::elements(int i) const {
    double count = 1.0;
    for (const int64_t extent : stage(i).extents) {
        count *= static_cast<double>(extent);
    }
    return count;
}

bool StageFacts::is_constant(int i) const {
    const ImageStage &s = stage(i);
    if (!s.extents.empty() || !s.is_pure() || s.is_output || s.is_opaque) {
        return false;
    }
    const auto &reads = s.definitions.front().reads;
    return std::all_of(reads.begin(), reads.end(), [&](const ImageRead &read) {
        return read.producer >= 0 && is_constant(read.producer);
    });
}

bool StageFacts::is_table(int i) const {
    return elements(i) <= kFewElements || (stage(i).extents.size() < 2 && !has_rows_alone_);
}

bool is_own_place(const Tap &tap) {
    for (size_t axis = 0; axis < tap.size(); axis++) {
        if (tap[axis] != TapIndex{static_cast<int>(axis), 1, 0, ""}) {
            return false;
        }
    }
    return true;
}

bool reads(const ImageStage &stage, int producer) {
    return std::any_of(
        stage.definitions.begin(), stage.definitions.end(), [&](const Definition &definition) {
            return std::any_of(definition.reads.begin(), definition.reads.end(),
                               [&](const ImageRead &read) { return read.producer == producer; });
        });
}

}  // namespace emulsion
