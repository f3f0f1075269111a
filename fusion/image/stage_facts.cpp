#include "fusion/image/stage_facts.h"

#include <algorithm>

namespace emulsion {

namespace {

constexpr double kFewElements = 64.0;

}  // namespace

StageFacts::StageFacts(const ImageGraph &graph)
    : graph_(&graph),
      has_rows_alone_(std::all_of(graph.stages.begin(), graph.stages.end(),
                                  [](const ImageStage &s) { return s.extents.size() < 2; })),
      axes_of_values_(graph.stages.size(), -1) {
    for (size_t i = graph.stages.size(); i-- > 0;) {  // readers first
        axes_of_values_[i] = find_axis_of_values(static_cast<int>(i));
    }
}

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
    return axis_of_values(i) < 0 &&
           (elements(i) <= kFewElements || (stage(i).extents.size() < 2 && !has_rows_alone_));
}

int StageFacts::find_axis_of_values(int i) const {
    int axis = -1;
    if (stage(i).extents.size() != 1) {
        return axis;
    }
    for (size_t reader = static_cast<size_t>(i) + 1; reader < graph_->stages.size(); reader++) {
        for (const Definition &definition : graph_->stages[reader].definitions) {
            for (const ImageRead &read : definition.reads) {
                for (const Tap &tap : read.taps) {
                    if (read.producer != i) {
                        continue;
                    }
                    const TapIndex &at = tap.front();
                    if (at != TapIndex{at.axis, 1, 0, ""} || at.axis < 0 ||
                        (axis > 0 && at.axis > 0 && at.axis != axis)) {
                        return -1;
                    }
                    const bool of_image = graph_->stages[reader].extents.size() > 1;
                    const int through =
                        of_image ? at.axis : axis_of_values(static_cast<int>(reader));
                    axis = std::max({axis, through, 0});
                }
            }
        }
    }
    return axis;
}

std::vector<int> readers_of(const ImageGraph &graph, int producer) {
    std::vector<int> readers;
    for (int i = producer + 1; i < static_cast<int>(graph.stages.size()); i++) {
        if (reads(graph.stages[static_cast<size_t>(i)], producer)) {
            readers.push_back(i);
        }
    }
    return readers;
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
