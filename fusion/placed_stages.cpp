#include "fusion/placed_stages.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace emulsion {

namespace {

int64_t parameter(const Nest &nest, const std::string &name, int64_t otherwise) {
    const auto found = nest.parameters.find(name);
    return found == nest.parameters.end() ? otherwise : found->second;
}

class GroupInWords {
public:
    explicit GroupInWords(const PlannedGroup &group) : group_(group), root_(group.members.back()) {}

    PlacedStage stage(const PlannedMember &member) const {
        PlacedStage stage;
        stage.name = member.op;
        stage.why = member.reasons.why;
        const Placement placement =
            member.parts.empty() ? Placement::Inline : member.parts.front().placement;
        stage.place = place(placement);
        stage.where = where(placement, member);
        double taken = 0.0;
        for (const PlannedChoice &choice : member.reasons.choices) {
            taken = choice.placement == placement ? choice.cycles : taken;
        }
        for (const PlannedChoice &choice : member.reasons.choices) {
            if (choice.placement != placement && taken > 0.0) {
                stage.otherwise.emplace_back(place(choice.placement), choice.cycles / taken);
            }
        }
        std::stable_sort(stage.otherwise.begin(), stage.otherwise.end(),
                         [](const auto &a, const auto &b) { return a.second < b.second; });
        return stage;
    }

private:
    bool slides() const { return parameter(root_.nest, "slide_axis", -1) >= 0; }
    bool sweeps() const { return parameter(root_.nest, "sweep", 0) != 0; }

    std::string place(Placement placement) const {
        switch (placement) {
        case Placement::Inline: return "inlined";
        case Placement::Register: return "registers";
        case Placement::Whole: return "before the tiles";
        case Placement::Root: return "stored";
        case Placement::Panel: break;
        }
        return slides() ? "rows" : sweeps() ? "iterations" : "tiles";
    }

    std::string where(Placement placement, const PlannedMember &member) const {
        switch (placement) {
        case Placement::Inline: return "inlined into what reads it";
        case Placement::Register: return "in registers, for a few vectors of " + anchor(member);
        case Placement::Whole: return "whole, before the tiles of " + root_.op;
        case Placement::Root: return "stored" + tiles(member);
        case Placement::Panel: break;
        }
        return slides() ? "at the rows of " + root_.op + "'s tiles, of which earlier ones are kept"
               : sweeps() ? "in every iteration of " + root_.op + "'s reduction loops"
                          : "in the tiles of " + root_.op;
    }

    // Whose loop nest the member is computed in.
    const std::string &anchor(const PlannedMember &member) const {
        for (const PlannedMember &other : group_.members) {
            if (&other != &member && other.stage == member.stage && !other.nest.empty()) {
                return other.op;
            }
        }
        return root_.op;
    }

    // ", in tiles of 256 x 32 in parallel", innermost axis first; nothing of other loop nests.
    static std::string tiles(const PlannedMember &member) {
        std::string sizes;
        bool cut = false;
        for (int axis = 0;; axis++) {
            const int64_t block = parameter(member.nest, "block" + std::to_string(axis), -1);
            if (block < 0) {
                break;
            }
            cut = cut || block > 0;
            sizes += (sizes.empty() ? "" : " x ") + (block > 0 ? std::to_string(block) : "all");
        }
        return cut ? ", in tiles of " + sizes + " in parallel" : "";
    }

    const PlannedGroup &group_;
    const PlannedMember &root_;
};

}  // namespace

std::string cost_text(double ratio) {
    constexpr double kLarge = 1000.0;
    std::ostringstream text;
    if (ratio < kLarge) {
        text << std::fixed << std::setprecision(2);
    } else {
        text << std::scientific << std::setprecision(1);
    }
    text << ratio << "x";
    return text.str();
}

std::vector<PlacedStage> placed_stages(const Plan &plan) {
    std::vector<PlacedStage> stages;
    for (size_t g = 0; g < plan.groups.size(); g++) {
        const PlannedGroup &group = plan.groups[g];
        if (group.kind != GroupKind::Compute || group.members.empty()) {
            continue;
        }
        const GroupInWords words(group);
        for (const PlannedMember &member : group.members) {
            stages.push_back(words.stage(member));
            stages.back().group = static_cast<int>(g);
        }
    }
    return stages;
}

std::string sentence(const PlacedStage &stage) {
    std::string text = stage.where;
    if (!stage.why.empty()) {
        return text + ": " + stage.why;
    }
    for (size_t i = 0; i < stage.otherwise.size(); i++) {
        const auto &[place, ratio] = stage.otherwise[i];
        text += (i == 0 ? "; " : ", ") +
                std::string(place == "stored"    ? "stored whole"
                            : place == "inlined" ? "inlined"
                                                 : "in " + place) +
                (i == 0 ? " it would cost " : " ") + cost_text(ratio);
    }
    return text;
}

}  // namespace emulsion
