// The stages of an image graph while they are decided, from the outputs to the inputs: what is known of their
// places, the groups so far, and copies of stages that some groups compute for themselves.
#pragma once

#include <map>
#include <set>
#include <string>

#include "fusion/image/decisions.h"

namespace emulsion {

// By stage, its definitions that read something.
using StageReaders = std::map<int, std::set<int>>;

class DecidedStages {
public:
    explicit DecidedStages(ImageGraph graph);

    const ImageGraph &graph() const { return graph_; }
    const ImageStage &stage(int i) const { return graph_.stages[static_cast<size_t>(i)]; }
    int size() const { return static_cast<int>(graph_.stages.size()); }

    const StagePlacements &placements() const { return placements_; }
    std::optional<Placement> &placement(int i) { return placements_[static_cast<size_t>(i)]; }
    std::optional<Placement> placement(int i) const { return placements_[static_cast<size_t>(i)]; }
    std::vector<StageChoice> &choices(int i) { return choices_[static_cast<size_t>(i)]; }
    std::map<int, ImageGroup> &groups() { return groups_; }  // by root
    const std::map<int, ImageGroup> &groups() const { return groups_; }

    int find(const std::string &name) const;
    // The root of the group that a stored stage belongs to, -1 if it isn't decided.
    int group_of(int i) const;
    // Stored stages that read `producer`, perhaps through inlined ones.
    StageReaders stored_readers(int producer) const;
    // The roots of their groups.
    std::set<int> groups_of(const StageReaders &readers) const;
    std::set<int> groups_reading(int producer) const { return groups_of(stored_readers(producer)); }

    // Whether copy_for() may be asked: Halide makes one copy of a Func, and none for one that is cut into parts.
    bool can_copy(int i, int root) const;
    // Gives the group of `root` a copy of stage `i`, and of the inlined stages between them that other groups read
    // too. The copy comes right behind the stage, so that all later stages move: roots are known by name. Returns the
    // copy, which has no place yet.
    int copy_for(int i, const std::string &root);

    ImageDecisions take();

private:
    bool is_for_alone(int reader, int root) const;
    bool wants_copy(int reader, int i, int root) const;

    ImageGraph graph_;
    StagePlacements placements_;
    std::vector<std::vector<StageChoice>> choices_;
    std::map<int, ImageGroup> groups_;
};

}  // namespace emulsion
