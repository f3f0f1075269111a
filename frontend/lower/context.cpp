#include "frontend/lower/context.h"

#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "frontend/graph/remedies.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

Expr fill_value(double value, Halide::Type type) {
    if (value == -std::numeric_limits<double>::infinity()) {
        return type.is_float() ? Halide::cast(type, Expr(-std::numeric_limits<float>::infinity()))
                               : type.min();
    }
    return Halide::cast(type, Expr(value));
}

Expr number_of(const Tensor &tensor) {
    return with_element_type(tensor.type, [&](auto sample) {
        std::memcpy(&sample, tensor.constant->bytes, sizeof(sample));
        return Halide::Internal::make_const(halide_type(tensor.type), sample);
    });
}

bool has_finite_value(const Expr &number) {
    const auto *real = number.as<Halide::Internal::FloatImm>();
    return real == nullptr || std::isfinite(real->value);
}

}  // namespace

bool is_number(const Tensor &tensor) {
    return tensor.constant && tensor.constant->size == static_cast<size_t>(size_of(tensor.type)) &&
           has_finite_value(number_of(tensor));
}

TensorSource TensorSource::func(Func func) {
    TensorSource source;
    source.func_ = std::move(func);
    return source;
}

TensorSource TensorSource::buffer(const Tensor &tensor, const std::string &name,
                                  std::optional<Layout> layout) {
    TensorSource source;
    const bool blocked = layout && layout->block_axis >= 0;
    source.parameter_ =
        Halide::Parameter(halide_type(tensor.type), true, tensor.rank() + (blocked ? 1 : 0), name);
    source.layout_ = std::move(layout);
    return source;
}

TensorSource TensorSource::number(const Tensor &tensor) {
    TensorSource source;
    source.number_ = number_of(tensor);
    return source;
}

Expr TensorSource::at(const std::vector<Expr> &coordinates) const {
    if (number_.defined()) {
        return number_;
    }
    if (func_.defined()) {
        return func_(coordinates);
    }
    std::vector<Expr> args = coordinates;
    if (layout_ && layout_->block_axis >= 0) {
        const auto axis = static_cast<size_t>(layout_->block_axis);
        const auto block = static_cast<int>(layout_->block);
        args.push_back(args[axis] % block);
        args[axis] = args[axis] / block;
    }
    return Halide::Internal::Call::make(parameter_, args);
}

bool TensorSource::holds(const Padding &padding) const {
    bool any = false;
    for (const Margin &m : padding.margin) {
        any = any || m.before != 0 || m.after != 0;
    }
    if (!any) {
        return true;
    }
    if (func_.defined() || number_.defined()) {
        return false;
    }
    if (!layout_) {
        return true;
    }
    if (!layout_->has_halo() || layout_->fill != padding.value) {
        return false;
    }
    for (size_t axis = 0; axis < padding.margin.size(); axis++) {
        const Margin have = layout_->margin(static_cast<int>(axis));
        if (have.before < padding.margin[axis].before || have.after < padding.margin[axis].after) {
            return false;
        }
    }
    return true;
}

std::string TensorSource::name() const {
    return func_.defined() ? func_.name() : parameter_.defined() ? parameter_.name() : "";
}

LoweringContext::LoweringContext(const Graph &graph, const Node &node, std::string func_prefix,
                                 const std::map<TensorId, TensorSource> &sources)
    : graph_(graph), node_(node), prefix_(std::move(func_prefix)), sources_(sources) {}

bool LoweringContext::has_input(int index) const {
    return index >= 0 && static_cast<size_t>(index) < node_.inputs.size() &&
           node_.inputs[static_cast<size_t>(index)] != kNoTensor;
}

const Tensor &LoweringContext::input(int index) const {
    if (!has_input(index)) {
        throw Error("operand " + std::to_string(index) + " is missing", node_.place());
    }
    return graph_.tensor(node_.inputs[static_cast<size_t>(index)]);
}

const TensorSource &LoweringContext::source(int index) const {
    const auto it = sources_.find(node_.inputs.at(static_cast<size_t>(index)));
    assert(it != sources_.end() && "a compile-time operand is read by a Func");
    return it->second;
}

Access LoweringContext::operand(int index) {
    const TensorSource &from = source(index);
    return [&from](const std::vector<Expr> &coordinates) { return from.at(coordinates); };
}

Access LoweringContext::padded_operand(int index, const Padding &padding) {
    assert(paddings_.count(index) == 0 || paddings_.at(index).margin == padding.margin);
    paddings_[index] = padding;
    const TensorSource &from = source(index);
    if (from.holds(padding)) {
        return operand(index);
    }
    const std::vector<int64_t> extents = input_shape(index);
    const Expr outside_value = fill_value(padding.value, halide_type(input(index).type));
    return [&from, extents, padding, outside_value](const std::vector<Expr> &coordinates) {
        std::vector<Expr> clamped = coordinates;
        Expr inside = Halide::Internal::const_true();
        for (size_t axis = 0; axis < coordinates.size(); axis++) {
            const Margin margin = axis < padding.margin.size() ? padding.margin[axis] : Margin{};
            const int last = static_cast<int>(extents[axis]) - 1;
            if (margin.before != 0) {
                inside = inside && coordinates[axis] >= 0;
            }
            if (margin.after != 0) {
                inside = inside && coordinates[axis] <= last;
            }
            if (margin.before != 0 || margin.after != 0) {
                clamped[axis] = Halide::clamp(Halide::likely(coordinates[axis]), 0, last);
            }
        }
        // Loops are split where they reach the edges: inside nothing is asked.
        return Halide::select(Halide::likely(inside), from.at(clamped), outside_value);
    };
}

Func LoweringContext::func(const std::string &part) {
    // A Function keeps the name that plans know; a Func would change one that this process used before.
    Func made(Halide::Internal::Function(part.empty() ? prefix_ : prefix_ + "_" + part));
    parts_.emplace_back(part, made);
    return made;
}

std::map<TensorId, TensorSource> buffer_sources(const Graph &graph, const Node &node) {
    std::map<TensorId, TensorSource> sources;
    for (TensorId id : node.inputs) {
        if (id == kNoTensor || sources.count(id) != 0) {
            continue;
        }
        const Tensor &tensor = graph.tensor(id);
        sources.emplace(
            id, is_number(tensor)
                    ? TensorSource::number(tensor)
                    : TensorSource::buffer(tensor, "tensor" + std::to_string(id) + "_data", {}));
    }
    return sources;
}

const Implementation &checked_implementation(const OperatorContext &context,
                                             const std::string &name) {
    const Node &node = context.node();
    const Operator *op = find_operator(node.domain, node.operator_type);
    if (op == nullptr) {
        throw unsupported_operator(node.domain, node.operator_type, node.place());
    }
    try {
        if (op->check) {
            op->check(context);
        }
    } catch (const Error &e) {
        throw e.with_place(node.place());
    }
    for (const Implementation &implementation : op->implementations) {
        if ((name.empty() || name == implementation.name) &&
            (!implementation.applies || implementation.applies(context))) {
            return implementation;
        }
    }
    throw Error(name.empty() ? "no implementation applies"
                             : "implementation '" + name + "' does not apply",
                node.place());
}

}  // namespace emulsion
