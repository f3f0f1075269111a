#include "fusion/policies/support/join_stages.h"

#include <algorithm>
#include <set>
#include <string>

#include "fusion/core_model.h"
#include "fusion/layout.h"
#include "fusion/legality.h"
#include "fusion/panels.h"
#include "fusion/policies/support/group_size.h"

namespace emulsion {

namespace {

// Rows at the end of an image that no panel has whole are computed twice.
constexpr double kMostRecompute = 1.2;
// Of a core, to start a kernel on all cores.
constexpr double kKernelCycles = 6000.0;

class Joiner {
public:
    Joiner(const OperatorGraph &graph, const Machine &machine, Partition partition)
        : graph_(graph), machine_(machine), consumers_(graph.consumers()),
          producers_(graph.producers()), partition_(std::move(partition)),
          group_of_(graph.operators.size(), -1) {
        for (size_t g = 0; g < partition_.groups.size(); g++) {
            take(static_cast<int>(g));
        }
    }

    Partition run() {
        for (size_t g = 0; g < partition_.groups.size(); g++) {
            while (join_one(static_cast<int>(g))) {
            }
        }
        std::erase_if(partition_.groups,
                      [](const ChosenGroup &group) { return group.members.empty(); });
        std::erase_if(partition_.refusals,
                      [&](const Refusal &r) { return joined_.count(r.producer); });
        return std::move(partition_);
    }

private:
    ChosenGroup &group(int g) { return partition_.groups[static_cast<size_t>(g)]; }
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }

    void take(int g) {
        for (const int member : group(g).members) {
            group_of_[static_cast<size_t>(member)] = g;
        }
    }

    // Joins one producer to group `g`; false if none can be.
    bool join_one(int g) {
        for (const int member : group(g).members) {
            for (const Operand &operand : op(member).implementations.front().operands) {
                const int producer = producers_[static_cast<size_t>(operand.value)];
                const int from = producer < 0 ? -1 : group_of_[static_cast<size_t>(producer)];
                if (from >= 0 && from != g && try_join(from, g)) {
                    return true;
                }
            }
        }
        return false;
    }

    bool try_join(int from, int into) {
        if (!is_stage(group(from)) || !reads_plainly(op(group(from).members.back()).result, into)) {
            return false;
        }
        ChosenGroup both = group(into);
        both.members.insert(both.members.end(), group(from).members.begin(),
                            group(from).members.end());
        both.panels.insert(both.panels.end(), group(from).panels.begin(), group(from).panels.end());
        both.panels.push_back(group(from).members.back());
        std::sort(both.members.begin(), both.members.end());
        std::sort(both.panels.begin(), both.panels.end());
        if (both.members.size() > kMostMembers ||
            group_inputs(graph_, both.members) > kMostInputs ||
            both.members.back() != group(into).members.back() ||
            !illegal_because(graph_, consumers_, both.members).empty()) {
            return false;
        }
        const Panel panel = best_panel(graph_, both, machine_);
        if (!panel.refused.empty() || panel.recompute > kMostRecompute ||
            panel.overhead > storing_cycles(group(from).members.back())) {
            return false;
        }
        joined_.insert(op(group(from).members.back()).name);
        group(into) = std::move(both);
        group(from) = {};
        take(into);
        return true;
    }

    // What a core spends on storing a value whole, reading it again, and starting one more kernel.
    double storing_cycles(int member) const {
        const Value &value = graph_.values[static_cast<size_t>(op(member).result)];
        const auto bytes = static_cast<double>(element_count(value.extents) * value.element_bytes);
        return kKernelCycles + 2.0 * bytes / kSharedCacheBytesPerCycle / machine_.threads;
    }

    // Worth a loop nest of its own: a reduction.
    bool is_stage(const ChosenGroup &group) const {
        return std::any_of(group.members.begin(), group.members.end(),
                           [&](int member) { return op(member).type == MappingType::ManyToMany; });
    }

    // Whether group `into` reads all of `value` where it lies: around it there is nothing in a panel.
    bool reads_plainly(int value, int into) const {
        for (const int reader : consumers_[static_cast<size_t>(value)]) {
            if (group_of_[static_cast<size_t>(reader)] != into ||
                op(reader).concatenation.axis >= 0) {
                return false;
            }
            for (const Operand &operand : op(reader).implementations.front().operands) {
                if (operand.value == value && !operand.halo.empty()) {
                    return false;
                }
            }
        }
        return true;
    }

    const OperatorGraph &graph_;
    const Machine &machine_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> producers_;
    Partition partition_;
    std::vector<int> group_of_;  // per operator
    std::set<std::string> joined_;
};

}  // namespace

Partition join_stages(const OperatorGraph &graph, const Machine &machine, Partition partition) {
    return Joiner(graph, machine, std::move(partition)).run();
}

}  // namespace emulsion
