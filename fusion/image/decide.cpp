#include "fusion/image/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "fusion/image/decided_stages.h"
#include "fusion/image/group_price.h"
#include "fusion/image/legal_places.h"
#include "fusion/image/memory_price.h"
#include "fusion/image/own_producers.h"
#include "fusion/image/stage_facts.h"

namespace emulsion {

namespace {

constexpr size_t kMostMembers = 40;
// Readers of a stage with a copy are in so many groups at most; and copies let the graph grow by this factor at most.
constexpr size_t kMostReaders = 8;
constexpr int kMostGrowth = 2;
// Copies are more code, and prices are estimates.
constexpr double kGainOfCopies = 0.97;

class Deciding {
public:
    Deciding(const ImageGraph &graph, const CpuMachine &machine, const WantedPlacements &wanted)
        : stages_(graph), machine_(machine), wanted_(wanted), facts_(stages_.graph()),
          legal_(stages_, facts_, machine) {
        for (int i = 0; i < stages_.size(); i++) {
            const ImageStage &s = stage(i);
            if (s.is_inline_only || facts_.is_constant(i) ||
                (s.is_wrapper && !s.is_opaque && !facts_.is_boundary(i))) {
                placement(i) = Placement::Inline;
            }
        }
    }

    ImageDecisions run() {
        for (int i = stages_.size(); i-- > 0;) {
            if (!placement(i)) {
                decide(i);
            }
        }
        for (auto &[root, group] : stages_.groups()) {
            price(group);
            reconsider(group);
        }
        return stages_.take();
    }

private:
    struct Choice {
        Placement placement;
        double cycles;
        std::vector<ImageGroup> groups;  // as they are then
    };

    // One of the groups that read a stage computes a copy of it elsewhere than the others compute it.
    struct CopyChoice {
        double cycles = std::numeric_limits<double>::infinity();
        std::string root;  // of the group with the copy, by name
        Placement copy = Placement::Panel, original = Placement::Root;
    };

    std::optional<Placement> &placement(int i) { return stages_.placement(i); }
    const ImageStage &stage(int i) const { return stages_.stage(i); }
    ImageGroup &group_at(int root) { return stages_.groups().at(root); }
    static void add_member(ImageGroup &group, int i) {
        group.members.insert(std::upper_bound(group.members.begin(), group.members.end(), i), i);
    }
    void price(ImageGroup &group) {
        price_group(stages_.graph(), stages_.placements(), machine_, group);
    }

    void decide(int i) {
        const StageReaders readers = stages_.stored_readers(i);
        const std::set<int> groups = stages_.groups_of(readers);
        std::vector<Choice> choices{as_root(i, groups)};
        const bool free = legal_.is_free(i) && !readers.empty() && groups.count(-1) == 0;
        if (free && legal_.can_inline(i, readers)) {
            choices.push_back(as_inline(i, groups));
        }
        if (free && groups.size() == 1) {
            for (const Placement place : member_places(i, *groups.begin(), readers)) {
                choices.push_back(as_member(i, *groups.begin(), place));
            }
        }
        double for_copies = 0.0;  // both compute what only this stage reads, or read it
        for (Choice &choice : choices) {
            placement(i) = choice.placement;
            choice.cycles += next_cycles(i, choice);
            if (groups.size() > 1) {
                const double own = own_producers_cycles(stages_.graph(), stages_.placements(),
                                                        machine_, facts_, i, choice.groups);
                choice.cycles += own;
                for_copies = std::max(for_copies, own);
            }
            stages_.choices(i).push_back({choice.placement, choice.cycles});
        }
        const auto best =
            std::min_element(choices.begin(), choices.end(), [&](const Choice &a, const Choice &b) {
                const bool wants_a = is_wanted(i, a);
                return wants_a != is_wanted(i, b) ? wants_a : a.cycles < b.cycles;
            });
        if (free && groups.size() > 1 && wanted_.count(stage(i).name) == 0) {
            const CopyChoice copied = with_copy(i, readers, groups);
            if (copied.cycles + for_copies < kGainOfCopies * best->cycles) {
                take_copy(i, copied, groups);
                return;
            }
        }
        placement(i) = best->placement;
        for (const ImageGroup &group : best->groups) {
            stages_.groups()[group.root] = group;
        }
    }

    bool is_wanted(int i, const Choice &choice) const {
        const auto wanted = wanted_.find(stage(i).name);
        return wanted != wanted_.end() && wanted->second == choice.placement &&
               std::isfinite(choice.cycles);
    }

    // In the loops of the group of `root`, of whose stages `readers` are.
    std::vector<Placement> member_places(int i, int root, const StageReaders &readers) const {
        const ImageGroup &group = stages_.groups().at(root);
        if (stage(root).has_own_loops || stage(root).definitions.empty() ||
            group.members.size() >= kMostMembers) {
            return {};
        }
        return legal_.fits_registers(i, readers)
                   ? std::vector{Placement::Panel, Placement::Register}
                   : std::vector{Placement::Panel};
    }

    // What a place for a stage costs each of the groups that read it: cycles of the group.
    struct GroupCosts {
        double stored = 0.0, inlined = std::numeric_limits<double>::infinity();
        Choice own{
            Placement::Root, std::numeric_limits<double>::infinity(), {}};  // cheapest but stored
    };

    CopyChoice with_copy(int i, const StageReaders &readers, const std::set<int> &groups) {
        CopyChoice best;
        const bool any_is_external = std::any_of(groups.begin(), groups.end(), [&](int root) {
            return stage(root).definitions.empty();
        });
        if (groups.size() > kMostReaders || stages_.size() >= most_stages_ || any_is_external) {
            return best;
        }
        Choice stored = as_root(i, {});
        stored.cycles += next_cycles(i, stored);
        std::map<int, GroupCosts> costs;
        double all_stored = stored.cycles, all_inlined = 0.0;
        for (const int root : groups) {
            costs[root] = costs_in(i, root, readers);
            all_stored += costs[root].stored;
            all_inlined += costs[root].inlined;
        }
        const double exposed = exposed_cycles(i, 0);
        const auto offer = [&](int root, Placement original, double others) {
            const Choice &own = costs[root].own;
            const double cycles = own.cycles + others + exposed;
            if (own.placement != original && cycles < best.cycles && stages_.can_copy(i, root)) {
                best = {cycles, stage(root).name, own.placement, original};
            }
        };
        for (const int root : groups) {
            offer(root, Placement::Root, all_stored - costs[root].stored);
            offer(root, Placement::Inline, all_inlined - costs[root].inlined);
        }
        return best;
    }

    GroupCosts costs_in(int i, int root, const StageReaders &all_readers) {
        StageReaders readers;
        for (const auto &[reader, definitions] : all_readers) {
            if (stages_.group_of(reader) == root) {
                readers[reader] = definitions;
            }
        }
        GroupCosts costs;
        const auto offer = [&](Choice choice) {
            placement(i) = choice.placement;
            choice.cycles += next_cycles(i, choice);
            if (choice.cycles < costs.own.cycles) {
                costs.own = std::move(choice);
            }
        };
        if (legal_.can_inline(i, readers)) {
            const Choice inlined = as_inline(i, {root});
            costs.inlined = inlined.cycles;
            offer(inlined);
        }
        for (const Placement place : member_places(i, root, readers)) {
            offer(as_member(i, root, place));
        }
        placement(i) = Placement::Root;
        ImageGroup reading = group_at(root);
        price(reading);
        costs.stored = reading.cycles;
        return costs;
    }

    void take_copy(int i, const CopyChoice &copied, const std::set<int> &groups) {
        std::set<std::string> roots;  // stages move
        for (const int root : groups) {
            roots.insert(stage(root).name);
        }
        placement(i) = copied.original;
        const int copy = stages_.copy_for(i, copied.root);
        facts_ = StageFacts(stages_.graph());
        placement(copy) = copied.copy;
        if (copied.copy != Placement::Inline) {
            add_member(group_at(stages_.find(copied.root)), copy);
        }
        stages_.choices(copy) = stages_.choices(i);
        for (const auto &[taken, place] :
             {std::pair(i, copied.original), std::pair(copy, copied.copy)}) {
            std::erase_if(stages_.choices(taken), [&, place = place](const StageChoice &choice) {
                return choice.placement == place;
            });
            stages_.choices(taken).push_back({place, copied.cycles});
        }
        if (copied.original == Placement::Root) {
            stages_.groups()[i] = as_root(i, {}).groups.back();
        }
        for (const std::string &root : roots) {
            price(group_at(stages_.find(root)));
        }
    }

    // Perhaps through inlined stages.
    bool reads_registers(int i) {
        std::set<int> open{i};
        while (!open.empty()) {
            const int reader = *open.rbegin();
            open.erase(reader);
            for (const ImageRead &read : stage(reader).definitions.front().reads) {
                const auto place = read.producer < 0 ? std::nullopt : placement(read.producer);
                if (place == Placement::Register) {
                    return true;
                }
                if (place == Placement::Inline) {
                    open.insert(read.producer);
                }
            }
        }
        return false;
    }

    // Panels that were decided before others of their group were known may cost more than they save: those that only
    // this group reads are inlined where that is cheaper.
    void reconsider(ImageGroup &group) {
        for (const int member : std::vector<int>(group.members)) {
            if (placement(member) != Placement::Panel || wanted_.count(stage(member).name) != 0 ||
                !legal_.can_inline(member, stages_.stored_readers(member)) ||
                reads_registers(member)) {
                continue;
            }
            ImageGroup without = group;
            std::erase(without.members, member);
            placement(member) = Placement::Inline;
            price(without);
            if (without.cycles < group.cycles) {
                stages_.choices(member) = {{Placement::Panel, group.cycles},
                                           {Placement::Inline, without.cycles}};
                group = without;
            } else {
                placement(member) = Placement::Panel;
            }
        }
    }

    Choice as_root(int i, const std::set<int> &groups) {
        Choice choice{Placement::Root, 0.0, {}};
        placement(i) = Placement::Root;
        add_repriced(groups, choice);
        choice.groups.push_back({i, {}, {}, 0.0});
        if (stage(i).definitions.empty()) {
            choice.groups.back().shape.block.assign(stage(i).extents.size(), 0);
        } else {
            price(choice.groups.back());
        }
        choice.cycles += choice.groups.back().cycles;
        return choice;
    }

    Choice as_inline(int i, const std::set<int> &groups) {
        Choice choice{Placement::Inline, 0.0, {}};
        placement(i) = Placement::Inline;
        add_repriced(groups, choice);
        if (groups.size() > 1) {
            choice.cycles += exposed_cycles(i, 1);
        }
        return choice;
    }

    // What the updates that stage `i` reads will cost under a choice: in the tiles of its group, or stored.
    // (Of pure stages there is always a cheap way.)
    double next_cycles(int i, const Choice &choice) {
        const ImageGroup *host = choice.placement == Placement::Root ? &choice.groups.back()
                                 : choice.groups.size() == 1         ? &choice.groups.front()
                                                                     : nullptr;
        double sum = 0.0;
        if (stage(i).has_own_loops) {
            return sum;
        }
        for (const Definition &definition : stage(i).definitions) {
            for (const ImageRead &read : definition.reads) {
                if (read.producer < 0 || placement(read.producer) ||
                    stage(read.producer).is_pure() || stage(read.producer).is_opaque ||
                    facts_.is_table(read.producer)) {
                    continue;
                }
                placement(read.producer) = Placement::Root;
                ImageGroup alone{read.producer, {}, {}, 0.0};
                price(alone);
                double best = alone.cycles;
                if (host != nullptr) {
                    placement(read.producer) = Placement::Panel;
                    ImageGroup joined = *host;
                    add_member(joined, read.producer);
                    price(joined);
                    best = std::min(best, joined.cycles - host->cycles);
                }
                placement(read.producer) = std::nullopt;
                sum += best;
            }
        }
        return sum;
    }

    // What stage `i` reads at more places would be computed at its rows, if it were stored; computed in several groups,
    // it makes them store that.
    double exposed_cycles(int i, size_t places) const {
        double sum = 0.0;
        for (const Definition &definition : stage(i).definitions) {
            for (const ImageRead &read : definition.reads) {
                const bool open = read.producer >= 0 && !stages_.placement(read.producer);
                if (open && read.taps.size() > places && !facts_.is_table(read.producer)) {
                    sum += storing_cycles(stage(read.producer), machine_);
                }
            }
        }
        return sum;
    }

    Choice as_member(int i, int root, Placement how) {
        Choice choice{how, 0.0, {group_at(root)}};
        placement(i) = how;
        ImageGroup &group = choice.groups.back();
        add_member(group, i);
        price(group);
        choice.cycles = group.cycles;
        return choice;
    }

    void add_repriced(const std::set<int> &groups, Choice &choice) {
        for (const int root : groups) {
            if (root >= 0 && !stage(root).definitions.empty()) {
                ImageGroup group = group_at(root);
                price(group);
                choice.cycles += group.cycles;
                choice.groups.push_back(group);
            }
        }
    }

    DecidedStages stages_;
    const CpuMachine &machine_;
    const WantedPlacements &wanted_;
    StageFacts facts_;
    LegalPlaces legal_;
    const int most_stages_ = kMostGrowth * stages_.size();
};

}  // namespace

ImageDecisions decide_images(const ImageGraph &graph, const CpuMachine &machine,
                             const WantedPlacements &wanted) {
    return Deciding(graph, machine, wanted).run();
}

}  // namespace emulsion
