#include "autoscheduler/analysis.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <set>

#include "autoscheduler/mapping.h"
#include "autoscheduler/reach.h"
#include "autoscheduler/templates/template.h"
#include "autoscheduler/work.h"
#include "fusion/cost/placements.h"

namespace emulsion {

namespace {

// A template that comes later has to be cheaper by this much: what the operator is fused with isn't known yet, and the
// special ones, which come first, leave more room for it. The last one, which takes everything, is for what no other
// takes.
constexpr double kClearlyCheaper = 0.5;

// Type of the edge from a tensor to the operator's result: the most complex step of the way through
// the operator's own Funcs.
MappingType edge_type(const std::vector<FuncFacts> &parts, const std::string &tensor,
                      const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    MappingType type = MappingType::OneToOne;
    bool read = false;
    for (size_t i = 0; i < parts.size(); i++) {
        const auto callees = parts[i].callees();
        if (std::find(callees.begin(), callees.end(), tensor) == callees.end()) {
            continue;
        }
        const bool last = i + 1 == parts.size();
        const bool same_rank = parts[i].args.size() == to.size();
        const std::vector<int64_t> &extents = last || same_rank ? to : from;
        type = most_complex(type, mapping_type(parts[i], tensor, from, extents));
        if (!last) {
            type = most_complex(type, edge_type(parts, parts[i].name, extents, to));
        }
        read = true;
    }
    return read ? type : MappingType::OneToOne;
}

// Multiply-adds of a sum of products of two tensors: one for every element and every step of the
// reduction. Parts are taken to have the extents of the result.
double multiply_adds(const FuncFacts &part, const std::vector<int64_t> &extents) {
    if (!part.is_reduction() || part.summed().size() != 2) {
        return 0.0;
    }
    double count = 1.0;
    for (const int64_t extent : extents) {
        count *= static_cast<double>(extent);
    }
    for (const ReductionLoop &loop : part.reduction) {
        count *= static_cast<double>(loop.extent);
    }
    return count > 0.0 ? count : 0.0;
}

// The steps of its sum that several threads may share.
int64_t shared_steps(const NestSubject &subject, const NestOffer &offer) {
    const FuncFacts *sum = subject.single_reduction();
    if (sum == nullptr || sum->updates != 1 || !sum->plain_update ||
        offer.reduction_placement != Placement::Register) {
        return 0;
    }
    int64_t steps = 0;
    for (const ReductionLoop &loop : sum->reduction) {
        steps = std::max(steps, loop.window ? 0 : loop.extent);
    }
    return steps;
}

// Operations on whole vectors: of all definitions, or of all but the reductions where the template has an estimate of
// those.
double vector_operations(const NestSubject &subject, const NestOffer &offer) {
    const double lanes = subject.machine.lanes(subject.result().type.bytes());
    if (offer.operations) {
        return *offer.operations / lanes;
    }
    double count = 0.0;
    for (const FuncFacts &part : subject.parts) {
        if (offer.space.usual().cycles == 0.0 || !part.is_reduction()) {
            count += operation_count(part, subject.result(), subject.extents);
        }
    }
    return count / lanes;
}

NestSubject subject_of(const OperatorSource &source, const std::vector<Value> &values,
                       const Machine &machine) {
    NestSubject subject;
    subject.parts = source.parts;
    subject.extents = source.extents;
    subject.natural_order = source.natural_order;
    subject.machine = machine;
    subject.vector_axis = source.vector_axis;
    subject.sum_block = source.sum_block;
    for (const OperandSource &operand : source.operands) {
        const Value &value = values[static_cast<size_t>(operand.value)];
        subject.tensor_extents[operand.callee] = value.extents;
        if (value.role == ValueRole::Constant) {
            subject.constants.push_back(operand.callee);
        }
    }
    return subject;
}

Operand operand_of(const OperatorSource &source, const OperandSource &operand, const Value &value,
                   const NestOffer &offer) {
    Operand edge;
    edge.value = operand.value;
    edge.type = edge_type(source.parts, operand.callee, value.extents, source.extents);
    edge.reads = read_count(source.parts, operand.callee, source.extents);
    edge.footprint = footprint_of(source.parts, operand.callee, value.extents.size());
    edge.wants_row_major = edge.type == MappingType::Reorganize;
    if (edge.type == MappingType::OneToOne && source.parts.size() == 1) {
        edge.offset = read_offset(source.parts.front(), operand.callee);
    }
    if (const auto it = offer.operand_innermost.find(operand.callee);
        it != offer.operand_innermost.end()) {
        edge.innermost_axis = it->second;
    }
    if (const auto it = offer.constant_layouts.find(operand.callee);
        it != offer.constant_layouts.end()) {
        edge.constant_layout = it->second;
    }
    return edge;
}

// With the nests that a template offers.
ImplementationChoice choice_of(const OperatorSource &source, const std::vector<Value> &values,
                               const NestSubject &subject, const NestOffer &offer) {
    ImplementationChoice choice;
    choice.name = source.implementation;
    choice.exact = source.exact;
    choice.nest = offer.space;
    choice.innermost_axis = offer.innermost_axis;
    choice.copies = subject.parts.size() == 1 && subject.parts.front().copies;
    choice.ends_in_sum = subject.result().is_reduction();
    choice.vector_operations = vector_operations(subject, offer);
    choice.shared_steps = shared_steps(subject, offer);
    for (size_t i = 0; i < subject.parts.size(); i++) {
        const bool kept = subject.parts[i].is_reduction() || offer.kept_parts.count(i) != 0;
        choice.reduces = choice.reduces || kept;
        choice.parts.push_back(
            {source.part_names[i], kept ? offer.reduction_placement : Placement::Inline});
        choice.multiply_adds += multiply_adds(subject.parts[i], subject.extents);
    }
    for (const OperandSource &operand : source.operands) {
        choice.operands.push_back(
            operand_of(source, operand, values[static_cast<size_t>(operand.value)], offer));
    }
    return choice;
}

// What the operator takes by itself, its values as the program lays them out.
double price_alone(const ImplementationChoice &choice, const std::vector<Value> &values,
                   const NestSubject &subject) {
    OperatorGraph graph;
    graph.values.push_back({.name = "", .extents = subject.extents});
    graph.values.back().element_bytes = subject.result().type.bytes();
    PlannerOperator op;
    op.result = 0;
    op.implementation = choice;
    std::map<int, int> number{};  // of the values that it reads
    for (Operand &operand : op.implementation.operands) {
        const auto [known, first] =
            number.emplace(operand.value, static_cast<int>(graph.values.size()));
        if (first) {
            graph.values.push_back(values[static_cast<size_t>(operand.value)]);
        }
        operand.value = known->second;
    }
    graph.operators.push_back(std::move(op));
    const GroupPrice price = best_placement(graph, {0}, subject.machine);
    return price.refused.empty() ? price.cycles : std::numeric_limits<double>::infinity();
}

}  // namespace

ImplementationChoice analyze_implementation(const OperatorSource &source,
                                            const std::vector<Value> &values,
                                            const Machine &machine) {
    const NestSubject subject = subject_of(source, values, machine);
    std::vector<ImplementationChoice> choices;
    for (const NestTemplate *t : ranked_templates(machine.is_gpu())) {
        if (t->takes_everything && !choices.empty()) {
            break;
        }
        if (const auto offer = t->offer(subject)) {
            choices.push_back(choice_of(source, values, subject, *offer));
            choices.back().nest.version = t->version;
            // Counted once for every element of the result, as others would be, its operations are too few.
            if (offer->operations) {
                break;
            }
        }
    }
    assert(!choices.empty() && "the generic template takes everything");
    if (choices.size() == 1) {
        return std::move(choices.front());
    }
    size_t cheapest = 0;
    double least = price_alone(choices.front(), values, subject);
    for (size_t i = 1; i < choices.size(); i++) {
        const double price = price_alone(choices[i], values, subject);
        if (price < least * kClearlyCheaper) {
            least = price;
            cheapest = i;
        }
    }
    return std::move(choices[cheapest]);
}

bool has_loop_nest_of_its_own(const ImplementationChoice &implementation) {
    return !find_template(implementation.nest.template_name).takes_everything;
}

MappingType operator_type(const ImplementationChoice &implementation,
                          const std::vector<Value> &values) {
    MappingType type = MappingType::OneToOne;
    for (const Operand &operand : implementation.operands) {
        if (values[static_cast<size_t>(operand.value)].role != ValueRole::Constant) {
            type = most_complex(type, operand.type);
        }
    }
    return type;
}

}  // namespace emulsion
