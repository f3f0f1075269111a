#include "frontend/lower/analyze_node.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "autoscheduler/analysis.h"
#include "frontend/lower/context.h"
#include "frontend/lower/copy_graph.h"

namespace emulsion {

namespace {

bool has_margin(const Padding &padding) {
    return std::any_of(padding.margin.begin(), padding.margin.end(),
                       [](const Margin &m) { return m.before != 0 || m.after != 0; });
}

// The result last, the other parts in the order they were made.
void collect_parts(const LoweringContext &context, OperatorSource &source) {
    for (bool result : {false, true}) {
        for (const auto &[part, func] : context.parts()) {
            if (part.empty() == result) {
                source.parts.push_back(func_facts(func.function()));
                source.part_names.push_back(part);
            }
        }
    }
}

bool is_read(const OperatorSource &source, const std::string &name) {
    return !name.empty() &&
           std::any_of(source.parts.begin(), source.parts.end(), [&](const FuncFacts &part) {
               const auto callees = part.callees();
               return std::find(callees.begin(), callees.end(), name) != callees.end();
           });
}

template<typename T>
void write(std::string &out, const std::vector<T> &list) {
    for (const T &item : list) {
        if constexpr (std::is_same_v<T, std::string>) {
            out += std::to_string(item.size()) + ":" + item + " ";
        } else {
            out += fmt::format("{} ", item);
        }
    }
}

void write(std::string &out, const Attribute &attribute) {
    out += std::to_string(attribute.index()) + "=";
    std::visit(
        [&](const auto &value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double> ||
                          std::is_same_v<T, std::string>) {
                write(out, std::vector<T>{value});
            } else {
                write(out, value);
            }
        },
        attribute);
    out += ';';
}

// Constants of so many bytes may be parameters, whose elements matter.
constexpr size_t kFewBytes = 256;

// Everything that the analysis of a node may depend on.
std::string description(const NodeToAnalyze &subject) {
    const Node &node = subject.node;
    const Operator &op = *find_operator(node.domain, node.operator_type);
    std::string text =
        node.domain + "." + node.operator_type + "/" + subject.implementation.name + "|";
    for (const auto &[key, attribute] : node.attributes) {
        text += key;
        write(text, attribute);
    }
    const auto add = [&](const Tensor &tensor) {
        text += "|" + std::to_string(static_cast<int>(tensor.type)) + "[";
        write(text, tensor.extents());
    };
    add(subject.graph.tensor(node.result()));
    text += std::to_string(node.result_index());
    for (size_t i = 0; i < node.inputs.size(); i++) {
        const TensorId id = node.inputs[i];
        if (id == kNoTensor) {
            text += "|-";
            continue;
        }
        const Tensor &tensor = subject.graph.tensor(id);
        add(tensor);
        text += std::to_string(std::find(node.inputs.begin(), node.inputs.end(), id) -
                               node.inputs.begin());
        const bool compile_time =
            op.compile_time_input && op.compile_time_input(static_cast<int>(i));
        if (tensor.is_constant()) {
            text += 'c';
            if (compile_time || tensor.constant->size <= kFewBytes) {
                text.append(tensor.constant->as<char>(), tensor.constant->size);
            }
        }
    }
    return text;
}

ImplementationChoice analyzed(const NodeToAnalyze &subject, const Machine &machine,
                              const std::vector<Value> &values,
                              const std::function<int(TensorId)> &value) {
    const Node &node = subject.node;
    const Implementation &implementation = subject.implementation;
    const std::map<TensorId, TensorSource> sources = buffer_sources(subject.graph, node);
    LoweringContext context(subject.graph, node, subject.name, sources);
    implementation.build(context);

    OperatorSource source;
    source.implementation = implementation.name;
    source.exact = implementation.exact;
    source.extents = subject.graph.tensor(node.result()).extents();
    source.natural_order.resize(source.extents.size());
    std::iota(source.natural_order.begin(), source.natural_order.end(), 0);
    source.vector_axis = implementation.planar ? static_cast<int>(source.extents.size()) - 1 : -1;
    source.sum_block = implementation.sum_block;
    collect_parts(context, source);

    std::set<TensorId> listed;
    for (const TensorId id : node.inputs) {
        if (id != kNoTensor && listed.insert(id).second && is_read(source, sources.at(id).name())) {
            source.operands.push_back({sources.at(id).name(), value(id)});
        }
    }
    ImplementationChoice choice = analyze_implementation(source, values, machine);
    for (const auto &[index, padding] : context.paddings()) {
        const int padded = value(node.inputs[static_cast<size_t>(index)]);
        for (Operand &operand : choice.operands) {
            if (operand.value == padded && has_margin(padding)) {
                operand.halo = padding.margin;
                operand.fill = padding.value;
            }
        }
    }
    return choice;
}

}  // namespace

ImplementationChoice NodeAnalyzer::analyze(const NodeToAnalyze &subject,
                                           const std::vector<Value> &values,
                                           const std::function<int(TensorId)> &value) {
    const std::vector<TensorId> &inputs = subject.node.inputs;
    std::string key = description(subject);
    for (const TensorId id :
         inputs) {  // constants of which there is no data yet show in their value only
        key += id != kNoTensor && values[static_cast<size_t>(value(id))].role == ValueRole::Constant
                   ? 'c'
                   : 'v';
    }
    if (const auto known = known_.find(key); known != known_.end()) {
        ImplementationChoice choice = known->second;
        for (Operand &operand : choice.operands) {
            operand.value = value(inputs[static_cast<size_t>(operand.value)]);
        }
        return choice;
    }
    ImplementationChoice choice = analyzed(subject, machine_, values, value);
    ImplementationChoice &kept = known_[std::move(key)] = choice;
    for (Operand &operand : kept.operands) {
        const auto input = std::find_if(inputs.begin(), inputs.end(), [&](TensorId id) {
            return id != kNoTensor && value(id) == operand.value;
        });
        operand.value = static_cast<int>(input - inputs.begin());
    }
    return choice;
}

ImplementationChoice NodeAnalyzer::analyze_copy(const Tensor &tensor, const Value &copied) {
    const Graph graph = copy_graph(tensor);
    const Node &node = graph.nodes.front();
    Value value = copied;
    value.role = ValueRole::Input;
    const Implementation &direct =
        find_operator(node.domain, node.operator_type)->implementations.front();
    return analyze({graph, node, "copy_op", direct}, {value}, [](TensorId) { return 0; });
}

}  // namespace emulsion
