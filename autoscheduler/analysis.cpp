#include "autoscheduler/analysis.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "autoscheduler/mapping.h"
#include "autoscheduler/reach.h"
#include "autoscheduler/templates/template.h"
#include "autoscheduler/work.h"

namespace emulsion {

namespace {

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
    std::set<std::string> factors;
    for (const TensorAccess &access : part.accesses) {
        if (access.in_update && access.callee != part.name) {
            factors.insert(access.callee);
        }
    }
    if (!part.is_reduction() || factors.size() != 2) {
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

// Operations on whole vectors: of all definitions, or of all but the reductions where the template has an estimate of
// those.
double vector_operations(const NestSubject &subject, const NestSpace &nest) {
    const Machine &machine = subject.machine;
    const double lanes =
        machine.lanes(std::min(subject.result().element_bytes, machine.vector_bytes));
    std::vector<FuncFacts> counted;
    for (const FuncFacts &part : subject.parts) {
        if (nest.cycles == 0.0 || !part.is_reduction()) {
            counted.push_back(part);
        }
    }
    return operation_count(counted, subject.extents) / lanes;
}

NestOffer best_offer(const NestSubject &subject) {
    for (const NestTemplate *t : ranked_templates(subject.machine.is_gpu())) {
        if (auto offer = t->offer(subject)) {
            return *offer;
        }
    }
    assert(false && "the generic template takes everything");
    return {};
}

}  // namespace

ImplementationChoice analyze_implementation(const OperatorSource &source,
                                            const std::vector<Value> &values,
                                            const Machine &machine) {
    NestSubject subject;
    subject.parts = source.parts;
    subject.extents = source.extents;
    subject.natural_order = source.natural_order;
    subject.machine = machine;
    for (const OperandSource &operand : source.operands) {
        const Value &value = values[static_cast<size_t>(operand.value)];
        subject.tensor_extents[operand.callee] = value.extents;
        if (value.role == ValueRole::Constant) {
            subject.constants.push_back(operand.callee);
        }
    }
    NestOffer offer = best_offer(subject);

    ImplementationChoice choice;
    choice.name = source.implementation;
    choice.exact = source.exact;
    choice.nest = std::move(offer.space);
    choice.innermost_axis = offer.innermost_axis;
    choice.copies = subject.parts.size() == 1 && subject.parts.front().copies;
    choice.ends_in_sum = subject.result().is_reduction();
    choice.vector_operations = vector_operations(subject, choice.nest);
    for (size_t i = 0; i < subject.parts.size(); i++) {
        choice.reduces = choice.reduces || subject.parts[i].is_reduction();
        choice.parts.push_back({source.part_names[i], subject.parts[i].is_reduction()
                                                          ? offer.reduction_placement
                                                          : Placement::Inline});
        choice.multiply_adds += multiply_adds(subject.parts[i], subject.extents);
    }
    for (const OperandSource &operand : source.operands) {
        const Value &value = values[static_cast<size_t>(operand.value)];
        Operand edge;
        edge.value = operand.value;
        edge.type = edge_type(subject.parts, operand.callee, value.extents, source.extents);
        edge.reads = read_count(subject.parts, operand.callee, source.extents);
        edge.footprint = footprint_of(subject.parts, operand.callee, value.extents.size());
        edge.wants_row_major = edge.type == MappingType::Reorganize;
        if (edge.type == MappingType::OneToOne && subject.parts.size() == 1) {
            edge.offset = read_offset(subject.parts.front(), operand.callee);
        }
        if (const auto it = offer.operand_innermost.find(operand.callee);
            it != offer.operand_innermost.end()) {
            edge.innermost_axis = it->second;
        }
        if (const auto it = offer.constant_layouts.find(operand.callee);
            it != offer.constant_layouts.end()) {
            edge.constant_layout = it->second;
        }
        choice.operands.push_back(edge);
    }
    return choice;
}

bool has_loop_nest_of_its_own(const ImplementationChoice &implementation, const Machine &machine) {
    return implementation.nest.template_name != ranked_templates(machine.is_gpu()).back()->name;
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
