// DNNFusion (Niu et al., PLDI 2021, section 4.3): groups grow from seeds, One-to-One operators by rising
// size of their results; first along the readers of the group's result, then along the producers of its
// operands. Pairs that its table of mapping types calls always worth it are fused, those that it leaves
// open are fused if the cost model finds them faster, the others never are.
#include <algorithm>

#include "fusion/fusion_rules.h"
#include "fusion/layout.h"
#include "fusion/legality.h"
#include "fusion/policies/support/refusals.h"
#include "fusion/policy.h"

namespace emulsion {

namespace {

class Growth {
public:
    explicit Growth(const PolicyInput &input)
        : input_(input), graph_(input.graph), consumers_(graph_.consumers()),
          producers_(graph_.producers()), taken_(graph_.operators.size(), false) {}

    Partition run() {
        std::vector<std::vector<int>> groups;
        for (const int seed : seeds()) {
            if (taken(seed)) {
                continue;
            }
            std::vector<int> group{seed};
            grow(group, [&](const std::vector<int> &members) { return readers(members); });
            grow(group, [&](const std::vector<int> &members) { return sources(members); });
            take(group, groups);
        }
        for (int op = 0; op < static_cast<int>(taken_.size()); op++) {
            if (!taken(op)) {
                take({op}, groups);
            }
        }
        return partition_into(input_, std::move(groups));
    }

private:
    const PlannerOperator &op(int i) const { return graph_.operators[static_cast<size_t>(i)]; }
    bool taken(int i) const { return taken_[static_cast<size_t>(i)]; }

    std::vector<int> seeds() const {
        std::vector<std::pair<int64_t, int>> sized;
        for (int i = 0; i < static_cast<int>(taken_.size()); i++) {
            const Value &result = graph_.values[static_cast<size_t>(op(i).result)];
            if (op(i).type == MappingType::OneToOne) {
                sized.emplace_back(element_count(result.extents) * result.element_bytes, i);
            }
        }
        std::sort(sized.begin(), sized.end());
        std::vector<int> seeds;
        for (const auto &[bytes, i] : sized) {
            seeds.push_back(i);
        }
        return seeds;
    }

    void take(const std::vector<int> &group, std::vector<std::vector<int>> &groups) {
        for (const int member : group) {
            taken_[static_cast<size_t>(member)] = true;
        }
        groups.push_back(group);
    }

    // Adds the first of the neighbours that may join, until none does.
    template<typename Neighbours>
    void grow(std::vector<int> &group, Neighbours neighbours) {
        for (bool grown = true; grown;) {
            grown = false;
            for (const int next : neighbours(group)) {
                if (!taken(next) && joins(group, next)) {
                    group.insert(std::lower_bound(group.begin(), group.end(), next), next);
                    grown = true;
                    break;
                }
            }
        }
    }

    std::vector<int> readers(const std::vector<int> &group) const {
        return consumers_[static_cast<size_t>(op(group.back()).result)];
    }

    std::vector<int> sources(const std::vector<int> &group) const {
        std::vector<int> sources;
        for (const int member : group) {
            for (const Operand &operand : op(member).implementation.operands) {
                const int producer = producers_[static_cast<size_t>(operand.value)];
                if (producer >= 0 && !std::binary_search(group.begin(), group.end(), producer)) {
                    sources.push_back(producer);
                }
            }
        }
        return sources;
    }

    bool joins(const std::vector<int> &group, int next) const {
        std::vector<int> both = group;
        both.insert(std::lower_bound(both.begin(), both.end(), next), next);
        const Verdict verdict = worst(group, next);
        if (verdict == Verdict::Never || !illegal_because(graph_, consumers_, both).empty()) {
            return false;
        }
        const GroupPrice joined = input_.cost.price(both);
        return joined.refused.empty() &&
               (verdict == Verdict::Fuse ||
                joined.cycles < input_.cost.price(group).cycles + input_.cost.price({next}).cycles);
    }

    // Of the edges between the group and `next`.
    Verdict worst(const std::vector<int> &group, int next) const {
        Verdict verdict = Verdict::Fuse;
        const auto look = [&](int reader, int producer) {
            for (const Operand &operand : op(reader).implementation.operands) {
                if (producers_[static_cast<size_t>(operand.value)] == producer) {
                    verdict =
                        std::max(verdict, fusion_rule(op(producer).type, operand.type).verdict);
                }
            }
        };
        for (const int member : group) {
            look(member, next);
            look(next, member);
        }
        return verdict;
    }

    const PolicyInput &input_;
    const OperatorGraph &graph_;
    std::vector<std::vector<int>> consumers_;
    std::vector<int> producers_;
    std::vector<bool> taken_;  // by operator
};

}  // namespace

const Policy &fusion_policy_dnnfusion() {
    static const Policy policy{
        .name = "dnnfusion",
        .description = "DNNFusion's seeds that grow by mapping types",
        .partition = [](const PolicyInput &input) { return Growth(input).run(); }};
    return policy;
}

}  // namespace emulsion
