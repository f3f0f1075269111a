#include "fusion/search/search.h"

#include <algorithm>
#include <limits>

#include "fusion/error.h"
#include "fusion/layout.h"
#include "fusion/legality.h"
#include "fusion/search/post_dominators.h"

namespace emulsion {

namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();

class Search {
public:
    Search(const OperatorGraph &graph, const GroupCost &cost, const std::vector<bool> &alone,
           const SearchOptions &options)
        : graph_(graph), cost_(cost), options_(options), consumers_(graph.consumers()),
          producers_(graph.producers()), parents_(post_dominators(graph, alone)),
          best_(graph.operators.size()), least_(graph.operators.size(), 0.0),
          below_(graph.operators.size(), 0.0), in_group_(graph.operators.size(), false) {
        if (options.budget < 1) {
            throw Error("the search budget is " + std::to_string(options.budget) +
                        "; it must be at least 1 group");
        }
        find_attached();
    }

    SearchResult run() {
        for (int op = 0; op < static_cast<int>(parents_.size()); op++) {
            plan(op);
        }
        SearchResult result;
        for (size_t op = parents_.size(); op-- > 0;) {
            if (parents_[op] < 0) {
                report_.cycles += best_[op].cycles;
                collect(static_cast<int>(op), result.groups);
            }
        }
        std::sort(result.groups.begin(), result.groups.end(),
                  [](const auto &a, const auto &b) { return a.back() < b.back(); });
        report_.proven_optimal = report_.groups < options_.budget;
        result.report = report_;
        return result;
    }

private:
    // T(u), and the group that has it.
    struct Best {
        double cycles = kUnreached;
        std::vector<int> members;
    };

    Best &best(int op) { return best_[static_cast<size_t>(op)]; }
    int parent(int op) const { return parents_[static_cast<size_t>(op)]; }
    double &least(int op) { return least_[static_cast<size_t>(op)]; }
    double &below(int op) { return below_[static_cast<size_t>(op)]; }
    const PlannerOperator &at(int op) const { return graph_.operators[static_cast<size_t>(op)]; }
    const ImplementationChoice &choice(int op) const { return at(op).implementation; }
    const Value &result(int op) const { return graph_.values[static_cast<size_t>(at(op).result)]; }
    const std::vector<int> &readers(int op) const {
        return consumers_[static_cast<size_t>(at(op).result)];
    }

    // Whether the operator's only reader reads every element about once. There the operator's arithmetic may
    // hide behind the reader's traffic, which its producer's arithmetic would not let it do.
    bool could_join_its_reader(int op) const {
        constexpr double kAboutOnce = 1.5;
        if (readers(op).size() != 1) {
            return false;
        }
        double reads = 0.0;
        for (const Operand &operand : choice(readers(op).front()).operands) {
            reads += operand.value == at(op).result ? operand.reads : 0.0;
        }
        return reads <= kAboutOnce * static_cast<double>(element_count(result(op).extents));
    }

    // An element-wise operator that has one operand, which nobody else reads, costs next to nothing
    // where that operand is computed, and what it makes is no more to store. Not so where it makes more
    // than it reads (a value concatenated with itself, a cast to a wider type) or less (a slice, which may
    // be read where it lies).
    void find_attached() {
        attached_.assign(parents_.size(), false);
        for (int op = 0; options_.attach && op < static_cast<int>(parents_.size()); op++) {
            if (parent(op) < 0 || readers(op).size() != 1) {
                continue;
            }
            const int reader = readers(op).front();
            int operands = 0;
            bool plain =
                !choice(reader).reduces && result(reader).element_bytes <= result(op).element_bytes;
            for (const Operand &operand : choice(reader).operands) {
                if (graph_.values[static_cast<size_t>(operand.value)].role != ValueRole::Constant) {
                    operands++;
                    plain = plain && operand.halo.empty() &&
                            reads_in_place(graph_, at(reader), operand);
                }
            }
            const bool attached = plain && operands == 1 && !could_join_its_reader(reader);
            attached_[static_cast<size_t>(op)] = attached;
            report_.attached += attached ? 1 : 0;
        }
    }

    void plan(int root) {
        report_.states++;
        least(root) += cost_.least_cycles(root);
        root_ = root;
        rest_ = below(root);
        bound_ = least(root);
        members_ = {root};
        in_group_[static_cast<size_t>(root)] = true;
        std::vector<int> candidates;
        add_candidates(root, candidates);
        if (!exhausted()) {
            grow(std::move(candidates));
        }
        if (best(root).members.empty()) {
            consider();
        }
        in_group_[static_cast<size_t>(root)] = false;
        if (const int above = parent(root); above >= 0) {
            below(above) += best(root).cycles;
            least(above) += least(root);
        }
    }

    bool exhausted() const { return report_.groups >= options_.budget; }

    // Producers of `member` that may follow it into the group.
    void add_candidates(int member, std::vector<int> &candidates) const {
        for (const Operand &operand : choice(member).operands) {
            const int producer = producers_[static_cast<size_t>(operand.value)];
            if (producer < 0 || parent(producer) < 0 ||
                std::find(candidates.begin(), candidates.end(), producer) != candidates.end()) {
                continue;
            }
            const auto &all = readers(producer);
            if (std::all_of(all.begin(), all.end(),
                            [&](int reader) { return in_group_[static_cast<size_t>(reader)]; })) {
                candidates.push_back(producer);
            }
        }
        // Late operators first: every set of them is met once, whatever the order.
        std::sort(candidates.begin(), candidates.end());
    }

    // Looks at the group as it is and at all that `candidates` and what they lead to can make of it.
    // Returns whether one of them can be computed.
    bool grow(std::vector<int> candidates) {
        const double bound = bound_;
        bool any = false;
        const auto attached = std::find_if(candidates.begin(), candidates.end(), [&](int op) {
            return attached_[static_cast<size_t>(op)];
        });
        if (attached != candidates.end()) {
            const int op = *attached;
            candidates.erase(attached);
            any = include(op, candidates);
            if (!any) {
                exclude(op);
                any = grow(std::move(candidates));
            }
            bound_ = bound;
            return any;
        }
        any = consider();
        while (!candidates.empty() && !exhausted()) {
            if (options_.bound && bound_ >= best(root_).cycles) {
                report_.bounded++;
                break;
            }
            const int op = candidates.back();
            candidates.pop_back();
            any = include(op, candidates) || any;
            exclude(op);
        }
        bound_ = bound;
        return any;
    }

    void exclude(int op) { bound_ += best(op).cycles - least(op); }

    bool include(int op, std::vector<int> candidates) {
        if (members_.size() == kMostMembers || exhausted()) {
            return false;
        }
        const double rest = rest_;
        members_.push_back(op);
        in_group_[static_cast<size_t>(op)] = true;
        rest_ += below(op) - best(op).cycles;
        add_candidates(op, candidates);
        const bool any = grow(std::move(candidates));
        rest_ = rest;
        in_group_[static_cast<size_t>(op)] = false;
        members_.pop_back();
        return any;
    }

    // The group as it is; returns whether it can be computed.
    bool consider() {
        report_.groups++;
        std::vector<int> group = members_;
        std::sort(group.begin(), group.end());
        double cycles = kUnreached;
        if (illegal_because(graph_, consumers_, group).empty()) {
            const GroupPrice price = cost_.price(group);
            cycles = price.refused.empty() ? price.cycles + rest_ : kUnreached;
        }
        if (cycles == kUnreached) {
            report_.refused++;
            return false;
        }
        if (cycles < best(root_).cycles) {
            best(root_) = {cycles, std::move(group)};
        }
        return true;
    }

    void collect(int root, std::vector<std::vector<int>> &groups) {
        std::vector<int> roots{root};
        while (!roots.empty()) {
            const std::vector<int> &group = best(roots.back()).members;
            roots.pop_back();
            groups.push_back(group);
            for (const int member : group) {
                for (const int child : children(member)) {
                    if (!std::binary_search(group.begin(), group.end(), child)) {
                        roots.push_back(child);
                    }
                }
            }
        }
    }

    const std::vector<int> &children(int op) {
        if (children_.empty()) {
            children_.resize(parents_.size());
            for (size_t child = 0; child < parents_.size(); child++) {
                if (parents_[child] >= 0) {
                    children_[static_cast<size_t>(parents_[child])].push_back(
                        static_cast<int>(child));
                }
            }
        }
        return children_[static_cast<size_t>(op)];
    }

    const OperatorGraph &graph_;
    const GroupCost &cost_;
    SearchOptions options_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> producers_, parents_;
    std::vector<std::vector<int>> children_;
    std::vector<bool> attached_;  // by operator: to its reader
    std::vector<Best> best_;
    std::vector<double> least_;  // by operator: a bound from below for all that it post-dominates
    std::vector<double> below_;  // by operator: sum of T over its children
    SearchReport report_;

    // The group that is being made.
    int root_ = -1;
    std::vector<int> members_;
    std::vector<bool> in_group_;
    double rest_ = 0.0;   // sum of T over what the group leaves to others
    double bound_ = 0.0;  // from below, for every group without the operators excluded so far
};

}  // namespace

SearchResult search_groups(const OperatorGraph &graph, const GroupCost &cost,
                           const std::vector<bool> &alone, const SearchOptions &options) {
    return Search(graph, cost, alone, options).run();
}

}  // namespace emulsion
