#include "fusion/image/decide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "fusion/image/group_price.h"
#include "fusion/image/stage_cost.h"
#include "fusion/image/stage_facts.h"

namespace emulsion {

namespace {

constexpr size_t kMostMembers = 40;

class Deciding {
public:
    Deciding(const ImageGraph &graph, const CpuMachine &machine, const WantedPlacements &wanted)
        : graph_(graph), machine_(machine), wanted_(wanted), facts_(graph) {
        decisions_.placements.assign(graph.stages.size(), std::nullopt);
        decisions_.choices.resize(graph.stages.size());
        for (size_t i = 0; i < graph.stages.size(); i++) {
            const ImageStage &s = graph.stages[i];
            if (s.is_inline_only || facts_.is_constant(static_cast<int>(i)) ||
                (s.is_wrapper && !s.is_opaque && !facts_.is_boundary(static_cast<int>(i)))) {
                decisions_.placements[i] = Placement::Inline;
            }
        }
    }

    ImageDecisions run() {
        for (int i = static_cast<int>(graph_.stages.size()); i-- > 0;) {
            if (!placement(i)) {
                decide(i);
            }
        }
        for (auto &[root, group] : groups_) {
            price(group);
            reconsider(group);
            decisions_.groups.push_back(group);
        }
        return std::move(decisions_);
    }

private:
    struct Choice {
        Placement placement;
        double cycles;
        std::vector<ImageGroup> groups;  // as they are then
    };

    std::optional<Placement> &placement(int i) {
        return decisions_.placements[static_cast<size_t>(i)];
    }
    const ImageStage &stage(int i) const { return graph_.stages[static_cast<size_t>(i)]; }
    void price(ImageGroup &group) { price_group(graph_, decisions_.placements, machine_, group); }

    // Stored stages that read `producer`, perhaps through inlined ones: by stage, its definitions.
    std::map<int, std::set<int>> stored_readers(int producer) {
        std::map<int, std::set<int>> readers;
        std::set<int> through{producer};
        for (int i = producer + 1; i < static_cast<int>(graph_.stages.size()); i++) {
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

    int group_of(int i) const {
        for (const auto &[root, group] : groups_) {
            if (root == i || std::binary_search(group.members.begin(), group.members.end(), i)) {
                return root;
            }
        }
        return -1;
    }

    void decide(int i) {
        const std::map<int, std::set<int>> readers = stored_readers(i);
        std::set<int> groups;
        for (const auto &[reader, definitions] : readers) {
            groups.insert(group_of(reader));
        }
        std::vector<Choice> choices{as_root(i, groups)};
        const bool free = is_free(i) && !readers.empty() && groups.count(-1) == 0;
        if (free && can_inline(i, readers)) {
            choices.push_back(as_inline(i, groups));
        }
        if (free && groups.size() == 1 && !stage(*groups.begin()).has_own_loops &&
            groups_.at(*groups.begin()).members.size() < kMostMembers) {
            choices.push_back(as_member(i, *groups.begin(), Placement::Panel));
            if (fits_registers(i, readers)) {
                choices.push_back(as_member(i, *groups.begin(), Placement::Register));
            }
        }
        for (Choice &choice : choices) {
            placement(i) = choice.placement;
            choice.cycles += next_cycles(i, choice);
            decisions_.choices[static_cast<size_t>(i)].push_back({choice.placement, choice.cycles});
        }
        const auto best =
            std::min_element(choices.begin(), choices.end(), [&](const Choice &a, const Choice &b) {
                const bool wants_a = is_wanted(i, a);
                return wants_a != is_wanted(i, b) ? wants_a : a.cycles < b.cycles;
            });
        placement(i) = best->placement;
        for (const ImageGroup &group : best->groups) {
            groups_[group.root] = group;
        }
    }

    bool is_wanted(int i, const Choice &choice) const {
        const auto wanted = wanted_.find(i);
        return wanted != wanted_.end() && wanted->second == choice.placement &&
               std::isfinite(choice.cycles);
    }

    // It may be computed elsewhere than whole and once.
    bool is_free(int i) const {
        return !stage(i).is_output && !stage(i).is_opaque &&
               (stage(i).is_wrapper || (!facts_.is_table(i) && !facts_.sums_larger(i)));
    }

    bool can_inline(int i, const std::map<int, std::set<int>> &readers) {
        return is_free(i) && stage(i).is_pure() && !stage(i).has_unread_value &&
               !turns_updates(i, readers) && !bounds_updates(i, readers);
    }

    bool reads_registers(int i) {
        const auto &reads = stage(i).definitions.front().reads;
        return std::any_of(reads.begin(), reads.end(), [&](const ImageRead &read) {
            return read.producer >= 0 && placement(read.producer) == Placement::Register;
        });
    }

    // Panels that were decided before others of their group were known may cost more than they save: those that only
    // this group reads are inlined where that is cheaper.
    void reconsider(ImageGroup &group) {
        for (const int member : std::vector<int>(group.members)) {
            if (placement(member) != Placement::Panel || wanted_.count(member) != 0 ||
                !can_inline(member, stored_readers(member)) || reads_registers(member)) {
                continue;
            }
            ImageGroup without = group;
            std::erase(without.members, member);
            placement(member) = Placement::Inline;
            price(without);
            if (without.cycles < group.cycles) {
                decisions_.choices[static_cast<size_t>(member)] = {
                    {Placement::Panel, group.cycles}, {Placement::Inline, without.cycles}};
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
            choice.cycles += exposed_cycles(i);
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
                    joined.members.insert(joined.members.begin(), read.producer);
                    std::sort(joined.members.begin(), joined.members.end());
                    price(joined);
                    best = std::min(best, joined.cycles - host->cycles);
                }
                placement(read.producer) = std::nullopt;
                sum += best;
            }
        }
        return sum;
    }

    // What stage `i` reads at several places would be computed at its rows, if it were stored; inlined
    // into several groups, it makes them store that.
    double exposed_cycles(int i) const {
        double sum = 0.0;
        for (const ImageRead &read : stage(i).definitions.front().reads) {
            const bool open =
                read.producer >= 0 && !decisions_.placements[static_cast<size_t>(read.producer)];
            if (open && read.taps.size() > 1 && !facts_.is_table(read.producer)) {
                sum += storing_cycles(stage(read.producer), machine_);
            }
        }
        return sum;
    }

    Choice as_member(int i, int root, Placement how) {
        Choice choice{how, 0.0, {groups_.at(root)}};
        placement(i) = how;
        ImageGroup &group = choice.groups.back();
        group.members.insert(group.members.begin(), i);
        std::sort(group.members.begin(), group.members.end());
        price(group);
        choice.cycles = group.cycles;
        return choice;
    }

    void add_repriced(const std::set<int> &groups, Choice &choice) {
        for (const int root : groups) {
            if (root >= 0 && !stage(root).definitions.empty()) {
                ImageGroup group = groups_.at(root);
                price(group);
                choice.cycles += group.cycles;
                choice.groups.push_back(group);
            }
        }
    }

    // A boundary condition, read by an update: inside of reduction loops nobody takes the test for the boundary out
    // of the loop along the columns, and vectors are gathered.
    bool bounds_updates(int i, const std::map<int, std::set<int>> &readers) const {
        return stage(i).is_wrapper && facts_.is_boundary(i) &&
               std::any_of(readers.begin(), readers.end(), [&](const auto &reader) {
                   return std::any_of(reader.second.begin(), reader.second.end(), [&](int d) {
                       const Definition &definition =
                           stage(reader.first).definitions[static_cast<size_t>(d)];
                       return !definition.reduced.empty() && !definition.free.empty() &&
                              definition.free.front();
                   });
               });
    }

    // The transpose of a stage, read by an update: only a pure definition can be cut along both axes.
    bool turns_updates(int i, const std::map<int, std::set<int>> &readers) {
        const bool by_updates = std::any_of(readers.begin(), readers.end(), [](const auto &reader) {
            return reader.second.count(0) == 0 || reader.second.size() > 1;
        });
        return by_updates &&
               stage_costs(graph_, decisions_.placements, i, machine_).front().transposes &&
               is_turned_inside(i, readers);
    }

    // Inlined into its readers; a reduction may walk along the other axis itself.
    bool is_turned_inside(int i, const std::map<int, std::set<int>> &readers) {
        const std::optional<Placement> before = std::exchange(placement(i), Placement::Inline);
        bool turned = false;
        for (const auto &[reader, definitions] : readers) {
            const auto costs = stage_costs(graph_, decisions_.placements, reader, machine_);
            for (const int d : definitions) {
                turned = turned || costs[static_cast<size_t>(d)].transposes;
            }
        }
        placement(i) = before;
        return turned;
    }

    // A reduction that a single pure stage reads at its own place.
    bool fits_registers(int i, const std::map<int, std::set<int>> &readers) {
        const ImageStage &s = stage(i);
        if (s.definitions.size() != 2 || readers.size() != 1 || s.extents.empty()) {
            return false;
        }
        const Definition &update = s.definitions.back();
        const ImageStage &reader = stage(readers.begin()->first);
        if (!reader.is_pure() || reader.extents.size() != s.extents.size() ||
            placement(readers.begin()->first) == Placement::Register || update.reduced.empty() ||
            std::count(update.free.begin(), update.free.end(), false) > 0 ||
            is_read_by_inlined(i)) {
            return false;
        }
        for (const ImageRead &read : reader.definitions.front().reads) {
            if (read.producer == i) {
                return read.taps.size() == 1 && is_own_place(read.taps.front());
            }
        }
        return false;
    }

    // Perhaps elsewhere than at the place of the stage that it is inlined into.
    bool is_read_by_inlined(int producer) const {
        for (size_t i = 0; i < graph_.stages.size(); i++) {
            for (const Definition &definition : graph_.stages[i].definitions) {
                for (const ImageRead &read : definition.reads) {
                    if (read.producer == producer &&
                        decisions_.placements[i] == Placement::Inline) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    const ImageGraph &graph_;
    const CpuMachine &machine_;
    const WantedPlacements &wanted_;
    const StageFacts facts_;
    ImageDecisions decisions_;
    std::map<int, ImageGroup> groups_;  // by root
};

}  // namespace

ImageDecisions decide_images(const ImageGraph &graph, const CpuMachine &machine,
                             const WantedPlacements &wanted) {
    return Deciding(graph, machine, wanted).run();
}

}  // namespace emulsion
