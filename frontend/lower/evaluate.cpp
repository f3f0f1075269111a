#include "frontend/lower/evaluate.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "frontend/lower/few_elements.h"
#include "frontend/lower/graph_json.h"
#include "frontend/lower/group_funcs.h"
#include "frontend/lower/halide_errors.h"

namespace emulsion {

namespace {

// A row-major buffer over `data`, dimension i = axis i.
Halide::Buffer<> wrap(const Tensor &tensor, void *data) {
    std::vector<halide_dimension_t> dims;
    for (const BufferDimension &d : buffer_dimensions(tensor.extents(), row_major(tensor.rank()))) {
        dims.emplace_back(static_cast<int>(d.min), static_cast<int>(d.extent),
                          static_cast<int>(d.stride));
    }
    return Halide::Buffer<>(halide_type(tensor.type), data, static_cast<int>(dims.size()),
                            dims.data());
}

// `node` alone, as a graph whose buffers are its operands. Names are our own: a model's may be ones
// that Halide uses itself or does not accept. Only the node's own tensors are copied: a model may have
// thousands of nodes to fold.
class SingleNode {
public:
    SingleNode(const Graph &graph, const Node &node) : from_(graph) {
        single_.opset = graph.opset;
        Node copy = node;
        copy.name = "folded_op";
        const Operator *op = find_operator(node.domain, node.operator_type);
        for (size_t i = 0; i < node.inputs.size(); i++) {
            copy.inputs[i] = tensor(node.inputs[i]);
            const bool read = op == nullptr || !op->compile_time_input ||
                              !op->compile_time_input(static_cast<int>(i));
            if (copy.inputs[i] != kNoTensor && read && !is_number(single_.tensor(copy.inputs[i]))) {
                add(single_.inputs, copy.inputs[i]);
            }
        }
        for (TensorId &id : copy.outputs) {
            id = tensor(id);
            if (id != kNoTensor) {
                single_.outputs.push_back(id);
            }
        }
        single_.nodes = {std::move(copy)};
    }

    const Graph &graph() const { return single_; }

    // Equal for nodes that compute the same: bytes. Empty where there is too much to compare.
    std::string key() const {
        for (const Tensor &tensor : single_.tensors) {
            if (tensor.constant && tensor.constant->size > kFewBytes) {
                return "";
            }
        }
        std::string bytes;
        nlohmann::json::to_cbor(graph_to_json(single_), bytes);
        return bytes;
    }

private:
    static constexpr size_t kFewBytes = 4096;

    static void add(std::vector<TensorId> &list, TensorId id) {
        if (std::find(list.begin(), list.end(), id) == list.end()) {
            list.push_back(id);
        }
    }

    TensorId tensor(TensorId id) {
        if (id == kNoTensor) {
            return kNoTensor;
        }
        const auto [known, is_new] =
            copies_.emplace(id, static_cast<TensorId>(single_.tensors.size()));
        if (is_new) {
            Tensor copy = from_.tensor(id);
            copy.name = "tensor" + std::to_string(single_.tensors.size()) + "_data";
            single_.add_tensor(std::move(copy));
        }
        return known->second;
    }

    const Graph &from_;
    Graph single_;
    std::map<TensorId, TensorId> copies_;
};

constexpr int64_t kMany = std::numeric_limits<int64_t>::max() / 2;

int64_t product_up_to_many(int64_t a, int64_t b) {
    int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kMany : std::min(product, kMany);
}

// By default a reduction is computed anew for every element that reads it.
void compute_reductions_once(const GroupFuncs &group) {
    for (const Halide::Func &output : group.outputs) {
        for (const auto &[name, function] :
             Halide::Internal::find_transitive_calls(output.function())) {
            if (function.has_update_definition() && name != output.name()) {
                Halide::Func(function).compute_root();
            }
        }
    }
}

// Iterations of the reduction that `function` is; 1 if it is none.
int64_t iterations(const Halide::Internal::Function &function) {
    int64_t count = 1;
    for (const Halide::Internal::Definition &update : function.updates()) {
        for (const Halide::Internal::ReductionVariable &r : update.schedule().rvars()) {
            const auto extent = Halide::Internal::as_const_int(r.extent);
            count = product_up_to_many(count, extent ? *extent : kMany);
        }
    }
    return count;
}

// How often the iterations of `reduction` take place: for every place that its update names by a
// variable. Such a variable has the extent of the result's axis of that name; if the result has none,
// the extent is not known, and taken to be as large as the whole result.
int64_t places(const Halide::Internal::Function &reduction,
               const Halide::Internal::Function &output, const std::vector<int64_t> &extents) {
    int64_t count = 1;
    for (const Halide::Expr &at : reduction.update(0).args()) {
        const auto *const variable = at.as<Halide::Internal::Variable>();
        if (variable == nullptr || variable->reduction_domain.defined()) {
            continue;  // a place that the iterations say
        }
        const auto axis = std::find(output.args().begin(), output.args().end(), variable->name);
        if (axis != output.args().end()) {
            count = product_up_to_many(count,
                                       extents[static_cast<size_t>(axis - output.args().begin())]);
        } else {
            for (const int64_t extent : extents) {
                count = product_up_to_many(count, extent);
            }
        }
    }
    return count;
}

// `node`'s Funcs, ready to be computed.
class Evaluation {
public:
    Evaluation(const Graph &graph, const Node &node, const SingleNode &single) : copy_(single) {
        // Under the model's names, for what is refused.
        const std::map<TensorId, TensorSource> no_sources;
        checked_implementation(LoweringContext(graph, node, "checked_op", no_sources));
        std::vector<Layout> layouts;
        for (const auto *list : {&copy_.graph().inputs, &copy_.graph().outputs}) {
            for (const TensorId id : *list) {
                layouts.push_back(row_major(copy_.graph().tensor(id).rank()));
            }
        }
        group_ = build_group(copy_.graph(), layouts);
        compute_reductions_once(group_);
    }

    // Elements that are computed or summed up, or more than that.
    int64_t steps() const {
        int64_t sum = 0;
        for (size_t i = 0; i < group_.outputs.size(); i++) {
            const Tensor &result = copy_.graph().tensor(copy_.graph().outputs[i]);
            const Halide::Func &output = group_.outputs[i];
            sum = std::min(kMany, sum + result.element_count());
            for (const auto &[name, function] :
                 Halide::Internal::find_transitive_calls(output.function())) {
                if (function.has_update_definition()) {
                    const int64_t each = places(function, output.function(), result.extents());
                    sum = std::min(kMany, sum + product_up_to_many(each, iterations(function)));
                }
            }
        }
        return sum;
    }

    std::vector<ConstantData> run() {
        const Graph &single = copy_.graph();
        for (size_t i = 0; i < group_.inputs.size(); i++) {
            const Tensor &tensor = single.tensor(single.inputs[i]);
            assert(tensor.constant);
            // Halide's buffers are not const; inputs are only read.
            group_.inputs[i].set_buffer(
                wrap(tensor, const_cast<std::byte *>(tensor.constant->bytes)));
        }
        std::vector<ConstantData> results;
        for (size_t i = 0; i < group_.outputs.size(); i++) {
            const Tensor &tensor = single.tensor(single.outputs[i]);
            if (auto elements = few_elements(group_.outputs[i], tensor.extents())) {
                results.push_back(make_constant(std::move(*elements)));
                continue;
            }
            std::vector<std::byte> data(static_cast<size_t>(tensor.element_count()) *
                                        static_cast<size_t>(size_of(tensor.type)));
            if (!data.empty()) {
                Halide::Buffer<> out = wrap(tensor, data.data());
                group_.outputs[i].realize(Halide::Pipeline::RealizationArg(out));
            }
            results.push_back(make_constant(std::move(data)));
        }
        return results;
    }

private:
    const SingleNode &copy_;
    GroupFuncs group_;
};

}  // namespace

bool is_constant_node(const Graph &graph, const Node &node) {
    const Operator *op = find_operator(node.domain, node.operator_type);
    bool known = true;
    for (size_t i = 0; i < node.inputs.size(); i++) {
        if (node.inputs[i] != kNoTensor && !graph.tensor(node.inputs[i]).is_constant()) {
            if (op == nullptr || !op->compile_time_input ||
                !op->compile_time_input(static_cast<int>(i))) {
                return false;
            }
            known = false;
        }
    }
    if (known) {
        return true;
    }
    try {
        // Shape needs no more than extents; Reshape says here that it does.
        op->check(LoweringContext(graph, node, "checked_op", {}));
        return true;
    } catch (const Error &) {
        return false;
    }
}

std::vector<ConstantData> evaluate(const Graph &graph, const Node &node) {
    if (const Operator *op = find_operator(node.domain, node.operator_type); op && op->compute) {
        const std::map<TensorId, TensorSource> no_sources;
        const LoweringContext context(graph, node, "computed_op", no_sources);
        op->check(context);
        return {make_constant(op->compute(context))};
    }
    return without_halide_errors(node, [&] {
        const SingleNode single(graph, node);
        return Evaluation(graph, node, single).run();
    });
}

std::optional<ConstantData> Evaluator::value(const Graph &graph, const Node &node) {
    return without_halide_errors(node, [&]() -> std::optional<ConstantData> {
        const Tensor &result = graph.tensor(node.result());
        int64_t bytes = 0;
        if (left_.nodes < 1 ||
            __builtin_mul_overflow(result.element_count(), size_of(result.type), &bytes) ||
            bytes > left_.bytes) {
            return {};
        }
        const SingleNode single(graph, node);
        const std::string key = single.key();
        if (const auto known = known_.find(key); known != known_.end()) {
            return known->second;
        }
        Evaluation evaluation(graph, node, single);
        const int64_t steps = evaluation.steps();
        if (steps > left_.steps) {
            return {};
        }
        left_.nodes--;
        left_.bytes -= bytes;
        left_.steps -= steps;
        ConstantData made = evaluation.run().at(0);
        if (!key.empty()) {
            known_.emplace(key, made);
        }
        return made;
    });
}

}  // namespace emulsion
