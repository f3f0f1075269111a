#include "fusion/search/duplication.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "fusion/layout.h"
#include "fusion/legality.h"

namespace emulsion {

namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();
// Sums of the same prices in another order differ by less.
constexpr double kRoundingOfTotals = 1e-9;

// Of a group with copies. Copies have several readers more often than others, and a group has up to 3^n
// placements: a price would take seconds.
constexpr size_t kMostMembersWithCopies = 8;

using Members = std::vector<int>;  // ascending, the root last

bool contains(const Members &group, int op) {
    return std::binary_search(group.begin(), group.end(), op);
}

Members united(const Members &a, const Members &b) {
    Members both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

// Groups that change: by root, their new members, none where the group goes.
struct Change {
    std::map<int, Members> groups;
    double cycles = 0.0;  // after, less before
};

class Duplicator {
public:
    Duplicator(const OperatorGraph &graph, const GroupCost &cost, const std::vector<bool> &alone,
               int64_t tries, SearchResult &found)
        : graph_(graph), cost_(cost), alone_(alone), most_tries_(tries), found_(found),
          consumers_(graph.consumers()), groups_(graph.operators.size()),
          cycles_(graph.operators.size(), 0.0), roots_of_(graph.operators.size()),
          duplicated_(graph.operators.size(), false) {
        for (Members &group : found.groups) {
            const int root = group.back();
            cycles_[static_cast<size_t>(root)] = cost.price(group).cycles;
            set_group(root, std::move(group));
        }
    }

    std::vector<Duplication> run() {
        for (int root = 0; root < static_cast<int>(groups_.size()); root++) {
            if (!group(root).empty() && !is_alone(root)) {
                decide(root);
            }
        }
        drop_unread();
        found_.groups.clear();
        for (Members &group : groups_) {
            if (!group.empty()) {
                found_.groups.push_back(std::move(group));
            }
        }
        drop_single();
        return std::move(duplications_);
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }
    const Value &result(int i) const { return graph_.values[static_cast<size_t>(op(i).result)]; }
    const ImplementationChoice &choice(int i) const { return op(i).implementation; }
    const std::vector<int> &readers(int i) const {
        return consumers_[static_cast<size_t>(op(i).result)];
    }
    const Members &group(int root) const { return groups_[static_cast<size_t>(root)]; }
    double cycles(int root) const { return cycles_[static_cast<size_t>(root)]; }
    bool is_alone(int i) const { return is_marked(alone_, i); }

    void set_group(int root, Members members) {
        Members &group = groups_[static_cast<size_t>(root)];
        for (const int member : group) {
            roots_of_[static_cast<size_t>(member)].erase(root);
        }
        group = std::move(members);
        for (const int member : group) {
            roots_of_[static_cast<size_t>(member)].insert(root);
        }
    }

    // The groups, by root, that read the result of `root` from memory.
    std::set<int> reading_groups(int root) const {
        std::set<int> reading;
        for (const int reader : readers(root)) {
            for (const int other : roots_of_[static_cast<size_t>(reader)]) {
                if (!contains(group(other), root)) {
                    reading.insert(other);
                }
            }
        }
        return reading;
    }

    void decide(int root) {
        std::set<int> reading = reading_groups(root);
        const size_t all = reading.size();
        std::erase_if(reading, [&](int other) { return is_alone(other); });
        const bool stays = result(root).is_output || reading.size() < all;
        if (reading.size() < (stays ? 1U : 2U)) {
            return;
        }
        Change best;
        Members best_cone;
        // The whole cone, then less and less of it.
        std::set<int> excluded;
        for (Members cone = cone_of(root, excluded); !cone.empty() && may_try();
             cone = cone_of(root, excluded)) {
            excluded.insert(cone.front());
            if (!can_win(cone, stays)) {
                continue;
            }
            found_.report.duplication_tries++;
            Change change = with_copies(cone, reading, stays);
            if (change.cycles < best.cycles) {
                best = std::move(change);
                best_cone = cone;
            }
        }
        if (-best.cycles > kRoundingOfTotals * cycles(root)) {
            accept(best, best_cone);
        }
    }

    bool may_try() const { return found_.report.duplication_tries < most_tries_; }

    // Of the group, what leads to its root only: without reductions and what is excluded.
    Members cone_of(int root, const std::set<int> &excluded) const {
        std::set<int> cone;
        const Members &group = this->group(root);
        for (auto member = group.rbegin(); member != group.rend(); ++member) {
            const bool leads_there =
                std::all_of(readers(*member).begin(), readers(*member).end(), [&](int reader) {
                    return cone.count(reader) != 0 || !contains(group, reader);
                });
            if (leads_there && excluded.count(*member) == 0 && !choice(*member).reduces) {
                cone.insert(*member);
            }
        }
        return cone.count(root) != 0 ? Members(cone.begin(), cone.end()) : Members();
    }

    bool can_win(const Members &cone, bool stays) const {
        const bool group_goes = !stays && cone == group(cone.back());
        return group_goes || bytes_read(cone) < bytes(result(cone.back()));
    }

    static double bytes(const Value &value) {
        return static_cast<double>(element_count(value.extents)) * value.element_bytes;
    }

    double bytes_read(const Members &cone) const {
        std::set<int> read;
        for (const int member : cone) {
            for (const Operand &operand : choice(member).operands) {
                read.insert(operand.value);
            }
        }
        for (const int member : cone) {
            read.erase(op(member).result);
        }
        double sum = 0.0;
        for (const int value : read) {
            sum += bytes(graph_.values[static_cast<size_t>(value)]);
        }
        return sum;
    }

    // The better of: all groups of `reading` have the cone, and its result is not stored; or it is, and
    // those have it that get cheaper by it.
    Change with_copies(const Members &cone, const std::set<int> &reading, bool stays) {
        const std::vector<bool> before = duplicated_;
        for (const int member : cone) {
            duplicated_[static_cast<size_t>(member)] = true;
        }
        const int root = cone.back();
        Change all = rest_of(cone), some = all;
        if (some.groups.empty()) {
            some.cycles = 0.0;  // the group stays as it is
        } else {
            add(root, cone, some);
        }
        all.groups[root] = {};
        for (const int other : reading) {
            const Members both = united(group(other), cone);
            const double more = both.size() <= kMostMembersWithCopies
                                    ? cycles_of(both) - cycles(other)
                                    : kImpossible;
            all.cycles += more;
            all.groups[other] = both;
            if (more < 0.0) {
                some.cycles += more;
                some.groups[other] = both;
            }
        }
        duplicated_ = before;
        return stays || some.cycles <= all.cycles ? some : all;
    }

    // What is left of the cone's group: of its results, those that the cone or several of the others read
    // are stored. The cycles are those of the groups that this makes, less those of the one that it was.
    Change rest_of(const Members &cone) const {
        Change rest;
        const int root = cone.back();
        std::map<int, int> root_of;
        for (auto member = group(root).rbegin(); member != group(root).rend(); ++member) {
            if (contains(cone, *member)) {
                continue;
            }
            std::set<int> leads_to;
            for (const int reader : readers(*member)) {
                if (contains(cone, reader)) {
                    leads_to.insert(*member);
                } else if (root_of.count(reader) != 0) {
                    leads_to.insert(root_of.at(reader));
                }
            }
            root_of[*member] = leads_to.size() == 1 ? *leads_to.begin() : *member;
            rest.groups[root_of[*member]].push_back(*member);
        }
        rest.cycles = -cycles(root);
        for (auto &[other, members] : rest.groups) {
            std::reverse(members.begin(), members.end());
            // Stored already, by a group that computes something else as well.
            rest.cycles += group(other).empty() ? cycles_of(members) : kImpossible;
        }
        return rest;
    }

    void add(int root, const Members &members, Change &change) const {
        change.groups[root] = members;
        change.cycles += cycles_of(members);
    }

    // Infinitely many of a group that can't be.
    double cycles_of(const Members &members) const {
        if (!illegal_because(graph_, consumers_, members, duplicated_).empty()) {
            return kImpossible;
        }
        const GroupPrice price = cost_.price(members);
        return price.refused.empty() ? price.cycles : kImpossible;
    }

    void accept(const Change &change, const Members &cone) {
        for (const auto &[root, members] : change.groups) {
            set_group(root, members);
            cycles_[static_cast<size_t>(root)] =
                members.empty() ? 0.0 : cost_.price(members).cycles;
        }
        for (const int member : cone) {
            duplicated_[static_cast<size_t>(member)] = true;
        }
        duplications_.push_back({cone, -change.cycles});
        found_.report.cycles += change.cycles;
    }

    // Groups all of whose readers have come to compute the value themselves.
    void drop_unread() {
        for (auto root = static_cast<int>(groups_.size()); root-- > 0;) {
            if (!group(root).empty() && duplicated_[static_cast<size_t>(root)] &&
                !result(root).is_output && reading_groups(root).empty()) {
                found_.report.cycles -= cycles(root);
                set_group(root, {});
            }
        }
    }

    // Copies may have met in one group after all, when others were made.
    void drop_single() {
        const std::vector<bool> several = duplicated_operators(graph_, found_.groups);
        for (Duplication &duplication : duplications_) {
            std::erase_if(duplication.operators,
                          [&](int op) { return !several[static_cast<size_t>(op)]; });
        }
        std::erase_if(duplications_, [](const Duplication &d) { return d.operators.empty(); });
    }

    const OperatorGraph &graph_;
    const GroupCost &cost_;
    const std::vector<bool> &alone_;
    const int64_t most_tries_;
    SearchResult &found_;
    const std::vector<std::vector<int>> consumers_;
    std::vector<Members> groups_;          // by root; empty: its result is not stored
    std::vector<double> cycles_;           // by root
    std::vector<std::set<int>> roots_of_;  // by operator: of the groups that compute it
    std::vector<bool> duplicated_;         // by operator
    std::vector<Duplication> duplications_;
};

}  // namespace

std::vector<Duplication> duplicate(const OperatorGraph &graph, const GroupCost &cost,
                                   const std::vector<bool> &alone, int64_t tries,
                                   SearchResult &found) {
    return Duplicator(graph, cost, alone, tries, found).run();
}

}  // namespace emulsion
