#include "fusion/group_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fusion/group_nests.h"

namespace emulsion {

namespace {

// Of the last stages; earlier ones count in the sums over all.
constexpr size_t kMostStages = 4;
constexpr size_t kMostAxes = 4;

double logarithm(double value) { return std::log2(std::max(value, 0.0) + 1.0); }

double elements_of(const Value &value) {
    double elements = 1.0;
    for (const int64_t extent : value.extents) {
        elements *= static_cast<double>(extent);
    }
    return elements;
}

// What a stage's model says of its nests.
constexpr std::array kEstimates{"cycles", "imbalance", "tasks", "reread", "slowdown", "registers"};

std::array<double, kEstimates.size()> numbers_of(const NestEstimate &estimate) {
    return {logarithm(estimate.cycles),
            estimate.imbalance,
            logarithm(estimate.tasks),
            logarithm(estimate.reread_bytes),
            estimate.operation_slowdown,
            estimate.workgroup ? static_cast<double>(estimate.workgroup->registers) : 0.0};
}

class GroupFacts : public PointFacts {
public:
    GroupFacts(const OperatorGraph &graph, const PlannedGroup &group, const Machine &machine)
        : machine_(machine) {
        for (const StageNest &stage : stage_nests(group)) {
            const int op = graph.index_of(stage.op);
            stages_.push_back({stage.prefix, stage.nest.template_name,
                               graph.operators[static_cast<size_t>(op)].implementation.nest.model});
        }
        std::reverse(stages_.begin(), stages_.end());
        stages_.resize(std::min(stages_.size(), kMostStages));
        describe(graph, group);
        for (size_t s = 0; s < stages_.size(); s++) {
            for (const char *name : kEstimates) {
                names_.push_back(name_of(s, name));
            }
        }
        names_.emplace_back("cycles");
    }

    const std::vector<Fact> &of_problem() const override { return facts_; }
    const std::vector<std::string> &names() const override { return names_; }

    std::vector<double> of(const Nest &nest) const override {
        std::vector<double> values;
        double cycles = 0.0;
        for (const Stage &stage : stages_) {
            if (stage.model == nullptr) {
                values.resize(values.size() + kEstimates.size(),
                              std::numeric_limits<double>::quiet_NaN());
                continue;
            }
            const NestEstimate estimate =
                stage.model->estimate(part_of(nest, stage.prefix, stage.template_name), machine_);
            const auto numbers = numbers_of(estimate);
            values.insert(values.end(), numbers.begin(), numbers.end());
            cycles += estimate.cycles * estimate.imbalance;
        }
        values.push_back(logarithm(cycles));
        return values;
    }

private:
    struct Stage {
        std::string prefix;  // of its parameters
        std::string template_name;
        std::shared_ptr<const NestModel> model;  // null: nothing is known of its nests
    };

    static std::string name_of(size_t stage, const std::string &what) {
        return "s" + std::to_string(stage) + "." + what;
    }

    void add(const std::string &name, double value) { facts_.push_back({name, value}); }

    void describe(const OperatorGraph &graph, const PlannedGroup &group) {
        add("cores", logarithm(machine_.cores()));
        add("lanes", logarithm(machine_.lanes(4)));
        add("stages", static_cast<double>(stage_nests(group).size()));
        add("members", static_cast<double>(group.members.size()));
        double multiply_adds = 0.0, operations = 0.0, constants = 0.0, read = 0.0;
        for (const PlannedMember &member : group.members) {
            const int op = graph.index_of(member.op);
            const PlannerOperator &known = graph.operators[static_cast<size_t>(op)];
            multiply_adds += known.implementation.multiply_adds;
            operations += known.implementation.vector_operations;
            for (const Operand &operand : known.implementation.operands) {
                const Value &value = graph.values[static_cast<size_t>(operand.value)];
                (value.role == ValueRole::Constant ? constants : read) +=
                    elements_of(value) * value.element_bytes;
            }
        }
        add("multiply_adds", logarithm(multiply_adds));
        add("operations", logarithm(operations));
        add("constant_bytes", logarithm(constants));
        add("read_bytes", logarithm(read));
        const auto nests = stage_nests(group);
        for (size_t s = 0; s < stages_.size(); s++) {
            const int op = graph.index_of(nests[nests.size() - 1 - s].op);
            describe_stage(graph, graph.operators[static_cast<size_t>(op)], s);
        }
    }

    void describe_stage(const OperatorGraph &graph, const PlannerOperator &op, size_t s) {
        const Value &result = graph.values[static_cast<size_t>(op.result)];
        add(name_of(s, "is_" + stages_[s].template_name), 1.0);
        for (size_t axis = 0; axis < std::min(kMostAxes, result.extents.size()); axis++) {
            add(name_of(s, "extent" + std::to_string(axis)),
                logarithm(static_cast<double>(result.extents[axis])));
        }
        const double elements = elements_of(result);
        add(name_of(s, "elements"), logarithm(elements));
        add(name_of(s, "steps"),
            logarithm(op.implementation.multiply_adds / std::max(elements, 1.0)));
        add(name_of(s, "shared_steps"),
            logarithm(static_cast<double>(op.implementation.shared_steps)));
    }

    const Machine machine_;
    std::vector<Stage> stages_;  // the last one first
    std::vector<Fact> facts_;
    std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<PointFacts> group_facts(const OperatorGraph &graph, const PlannedGroup &group,
                                        const Machine &machine) {
    return std::make_unique<GroupFacts>(graph, group, machine);
}

}  // namespace emulsion
