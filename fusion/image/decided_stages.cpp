#include "fusion/image/decided_stages.h"

#include <algorithm>
#include <utility>

#include "fusion/image/insert_copy.h"
#include "fusion/image/stage_facts.h"

namespace emulsion {

DecidedStages::DecidedStages(ImageGraph graph)
    : graph_(std::move(graph)), placements_(graph_.stages.size()), choices_(graph_.stages.size()) {}

int DecidedStages::group_of(int i) const {
    for (const auto &[root, group] : groups_) {
        if (root == i || std::binary_search(group.members.begin(), group.members.end(), i)) {
            return root;
        }
    }
    return -1;
}

StageReaders DecidedStages::stored_readers(int producer) const {
    StageReaders readers;
    std::set<int> through{producer};
    for (int i = producer + 1; i < size(); i++) {
        for (size_t d = 0; d < stage(i).definitions.size(); d++) {
            for (const ImageRead &read : stage(i).definitions[d].reads) {
                if (through.count(read.producer) == 0) {
                    continue;
                }
                if (placement(i) == Placement::Inline) {
                    through.insert(i);
                } else {
                    readers[i].insert(static_cast<int>(d));
                }
            }
        }
    }
    return readers;
}

std::set<int> DecidedStages::groups_of(const StageReaders &readers) const {
    std::set<int> roots;
    for (const auto &[reader, definitions] : readers) {
        roots.insert(group_of(reader));
    }
    return roots;
}

// Whether nobody but the group of `root` computes it.
bool DecidedStages::is_for_alone(int reader, int root) const {
    return placement(reader) == Placement::Inline ? groups_reading(reader) == std::set<int>{root}
                                                  : group_of(reader) == root;
}

// Whether it is inlined into the group of `root` and others, and reads stage `i`.
bool DecidedStages::wants_copy(int reader, int i, int root) const {
    return placement(reader) == Placement::Inline && reads(stage(reader), i) &&
           !is_for_alone(reader, root) && groups_reading(reader).count(root) != 0;
}

bool DecidedStages::can_copy(int i, int root) const {
    // The readers of either may leave a value of a tuple unread (ImageStage::has_unread_value).
    if (!stage(i).copy_of.empty() || stage(i).is_tuple ||
        std::any_of(graph_.stages.begin(), graph_.stages.end(),
                    [&](const ImageStage &s) { return s.copy_of == stage(i).name; })) {
        return false;
    }
    for (int reader = i + 1; reader < size(); reader++) {
        if (wants_copy(reader, i, root) && !can_copy(reader, root)) {
            return false;
        }
        // Whose parts another Func adds up, which would read the stage itself. (Updates of single places have none where
        // they read a copy.)
        if (reads(stage(reader), i) && group_of(reader) == root && !stage(reader).is_pure() &&
            stage(reader).definitions.back().adds_up &&
            stage(reader).definitions.back().is_free()) {
            return false;
        }
    }
    return true;
}

int DecidedStages::copy_for(int i, const std::string &root) {
    // Each turn takes the group from what one inlined reader is computed for.
    for (int reader = size(); --reader > i;) {
        if (wants_copy(reader, i, find(root))) {
            const int copy = copy_for(reader, root);
            placement(copy) = Placement::Inline;
            choices(copy) = choices(reader);
        }
    }
    const int group = find(root);
    std::set<int> readers;
    for (int reader = i + 1; reader < size(); reader++) {
        if (reads(stage(reader), i) && is_for_alone(reader, group)) {
            readers.insert(reader);
        }
    }
    const int copy = insert_copy(graph_, i, readers, root);
    placements_.insert(placements_.begin() + copy, std::nullopt);
    choices_.insert(choices_.begin() + copy, std::vector<StageChoice>());
    const auto moved = [&](int index) { return index >= copy ? index + 1 : index; };
    std::map<int, ImageGroup> groups;
    for (auto &[index, moving] : groups_) {
        moving.root = moved(index);
        std::transform(moving.members.begin(), moving.members.end(), moving.members.begin(), moved);
        groups[moving.root] = std::move(moving);
    }
    groups_ = std::move(groups);
    return copy;
}

int DecidedStages::find(const std::string &name) const {
    const auto found = std::find_if(graph_.stages.begin(), graph_.stages.end(),
                                    [&](const ImageStage &s) { return s.name == name; });
    return static_cast<int>(found - graph_.stages.begin());
}

ImageDecisions DecidedStages::take() {
    ImageDecisions decisions{std::move(graph_), std::move(placements_), std::move(choices_), {}};
    for (auto &[root, group] : groups_) {
        decisions.groups.push_back(std::move(group));
    }
    return decisions;
}

}  // namespace emulsion
