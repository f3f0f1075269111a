#include "fusion/cost/placements.h"

#include <algorithm>

#include "fusion/cost/placement_model.h"
#include "fusion/cost/tiles.h"
#include "fusion/layout.h"

namespace emulsion {

namespace {

// How the members of a group read the result of one of them.
struct Readers {
    int count = 0;
    size_t last = 0;    // position of one
    bool plain = true;  // element-wise, at the same places
};

Readers readers_of(const OperatorGraph &graph, const std::vector<int> &members, size_t position) {
    Readers readers;
    const int result = graph.operators[static_cast<size_t>(members[position])].result;
    for (size_t j = position + 1; j < members.size(); j++) {
        const PlannerOperator &other = graph.operators[static_cast<size_t>(members[j])];
        for (const Operand &operand : other.implementation.operands) {
            if (operand.value == result) {
                readers.count++;
                readers.last = j;
                readers.plain = readers.plain && !other.implementation.reduces &&
                                operand.halo.empty() && reads_in_place(graph, other, operand);
            }
        }
    }
    return readers;
}

// A group has up to three to the power of its members. All of them are tried up to the first number; up to the second,
// the members change places one after the other.
constexpr double kMostTried = 200.0, kMostPlacements = 20000.0;

// Places that the model would refuse in every placement are not worth a try.
struct Places {
    bool where_read = true, panel = true, whole = true;
};

class Placements {
public:
    Placements(const OperatorGraph &graph, const std::vector<int> &members, const Machine &machine)
        : graph_(graph), model_(placement_model(graph, machine)) {
        group_.members = members;
        const std::vector<bool> cut =
            model_->cuts_panels() ? ever_cut() : std::vector<bool>(members.size(), true);
        for (size_t i = 0; i + 1 < members.size(); i++) {
            const Readers readers = readers_of(graph, members, i);
            Places places;
            places.where_read = !choice(members[i]).reduces || readers.plain;
            places.panel = cut[i];
            places.whole = model_->may_keep_whole(kept_bytes(i));
            places_.push_back(places);
        }
    }

    // `open` says of which members, by position, all places are tried.
    GroupPrice best(const std::vector<bool> &open) {
        if (count(open) > kMostPlacements) {
            return {"too many of its values have several readers inside of the group", 0.0, {}};
        }
        best_ = {"the group has no placement", 0.0, {}};
        if (count(open) > kMostTried) {
            improve(open);
        } else {
            place(0, open);
        }
        return best_;
    }

private:
    enum class Place { WhereRead, Panel, Whole };

    // From everything kept whole, or else where it may be: a member at a time goes where the group is cheapest, until
    // none does.
    void improve(const std::vector<bool> &open) {
        std::vector<std::vector<Place>> choices;
        std::vector<Place> at;
        for (size_t i = 0; i < places_.size(); i++) {
            choices.push_back(choices_of(i, open[i]));
            if (choices.back().empty()) {
                return;
            }
            at.push_back(choices.back().back());
        }
        consider(at);
        for (bool improves = true; improves;) {
            improves = false;
            for (size_t i = 0; i < at.size(); i++) {
                const Place before = at[i];
                Place cheapest = before;
                for (const Place place : choices[i]) {
                    at[i] = place;
                    if (place != before && consider(at)) {
                        cheapest = place;
                        improves = true;
                    }
                }
                at[i] = cheapest;
            }
        }
    }

    std::vector<Place> choices_of(size_t i, bool is_open) const {
        std::vector<Place> choices;
        if (places_[i].where_read) {
            choices.push_back(Place::WhereRead);
        }
        if (is_open && places_[i].panel) {
            choices.push_back(Place::Panel);
        }
        if (is_open && places_[i].whole) {
            choices.push_back(Place::Whole);
        }
        return choices;
    }

    // Whether it is the best so far.
    bool consider(const std::vector<Place> &at) {
        group_.placement.panels.clear();
        group_.placement.wholes.clear();
        for (size_t i = 0; i < at.size(); i++) {
            if (at[i] != Place::WhereRead) {
                (at[i] == Place::Panel ? group_.placement.panels : group_.placement.wholes)
                    .push_back(group_.members[i]);
            }
        }
        return consider();
    }

    const ImplementationChoice &choice(int member) const {
        return graph_.operators[static_cast<size_t>(member)].implementation;
    }

    // By position: whether some loop nest of the group, were it the root's, would cut the member's result
    // into panels.
    std::vector<bool> ever_cut() const {
        std::vector<bool> cut(group_.members.size(), false);
        const Value &result = value(group_.members.size() - 1);
        for (const int member : group_.members) {
            const PanelLoops &loops = choice(member).nest.panels;
            if (!hosts_panels(result, loops)) {
                continue;
            }
            const auto tiles = tiles_of(graph_, group_, panel_of(result, loops, 1));
            for (size_t i = 0; i < tiles.size(); i++) {
                cut[i] = cut[i] || tiles[i] != value(i).extents;
            }
        }
        return cut;
    }

    const Value &value(size_t i) const {
        const int result = graph_.operators[static_cast<size_t>(group_.members[i])].result;
        return graph_.values[static_cast<size_t>(result)];
    }

    double kept_bytes(size_t i) const {
        return static_cast<double>(element_count(value(i).extents)) * value(i).element_bytes;
    }

    // Placements that would be tried.
    double count(const std::vector<bool> &open) const {
        double all = 1.0;
        for (size_t i = 0; i < places_.size(); i++) {
            all *= static_cast<double>(choices_of(i, open[i]).size());
        }
        return all;
    }

    void place(size_t i, const std::vector<bool> &open) {
        if (i + 1 == group_.members.size()) {
            consider();
            return;
        }
        for (const Place at : choices_of(i, open[i])) {
            if (at == Place::WhereRead) {
                place(i + 1, open);
                continue;
            }
            std::vector<int> &kept =
                at == Place::Panel ? group_.placement.panels : group_.placement.wholes;
            kept.push_back(group_.members[i]);
            place(i + 1, open);
            kept.pop_back();
        }
    }

    // Whether it is the best so far.
    bool consider() {
        GroupPrice price = model_->price(group_);
        const bool better =
            price.refused.empty() && (!best_.refused.empty() || price.cycles < best_.cycles);
        if (better || (!best_.refused.empty() && !price.refused.empty())) {
            best_ = std::move(price);
        }
        return better;
    }

    const OperatorGraph &graph_;
    std::unique_ptr<PlacementModel> model_;
    PlacedGroup group_;
    std::vector<Places> places_;  // by position
    GroupPrice best_;
};

int element_bytes(const OperatorGraph &graph, int member) {
    const int result = graph.operators[static_cast<size_t>(member)].result;
    return graph.values[static_cast<size_t>(result)].element_bytes;
}

// By position: whether keeping the member's result may be better than computing it where it is read.
std::vector<bool> worth_keeping(const OperatorGraph &graph, const std::vector<int> &members) {
    std::vector<bool> open(members.size(), true);
    // Sums that the loop nest of the member at this position is occupied by: how many.
    std::vector<int> sums(members.size(), 0);
    for (size_t i = 0; i + 1 < members.size(); i++) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(members[i])];
        sums[i] += op.implementation.reduces ? 1 : 0;
        const Readers readers = readers_of(graph, members, i);
        if (readers.count == 1 && readers.plain) {
            // What the reader makes can be kept instead, if it is no larger.
            open[i] =
                element_bytes(graph, members[readers.last]) > element_bytes(graph, members[i]);
            sums[readers.last] += sums[i];
        }
    }
    // Where two sums meet in one element-wise member, one of them has to be kept.
    for (size_t i = members.size(); i-- > 0;) {
        const PlannerOperator &op = graph.operators[static_cast<size_t>(members[i])];
        if (sums[i] < 2) {
            continue;
        }
        for (size_t j = 0; j < i; j++) {
            const PlannerOperator &producer = graph.operators[static_cast<size_t>(members[j])];
            for (const Operand &operand : op.implementation.operands) {
                open[j] = open[j] || (operand.value == producer.result && sums[j] > 0);
            }
        }
    }
    return open;
}

}  // namespace

GroupPrice best_placement(const OperatorGraph &graph, const std::vector<int> &members,
                          const Machine &machine) {
    return Placements(graph, members, machine).best(worth_keeping(graph, members));
}

GroupPrice best_placement_of_all(const OperatorGraph &graph, const std::vector<int> &members,
                                 const Machine &machine) {
    return Placements(graph, members, machine).best(std::vector<bool>(members.size(), true));
}

}  // namespace emulsion
