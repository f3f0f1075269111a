// Einsum: sums of products of operands that are addressed by the letters of attribute equation. Two
// operands are one contraction, more are one after the other (support/equation.h).
#include <limits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/equation.h"
#include "frontend/ops/support/reduction.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

void check_einsum(const OperatorContext &context) {
    require_type(context, 0, kNumericTypes);
    for (int index = 1; index < static_cast<int>(context.node().inputs.size()); index++) {
        require_type(context, index, {context.input(0).type});
    }
    const Equation equation = parse_equation(context);
    require_output(context, equation.extents_of(equation.result));
    // Products that are stored on the way.
    for (const Contraction &product : contractions(equation)) {
        const std::vector<int64_t> shape = equation.extents_of(product.kept);
        if (count_elements(context, shape) > std::numeric_limits<int32_t>::max()) {
            refuse(context, fmt::format("attribute equation needs a product of shape {}; at most "
                                        "2^31-1 elements are supported",
                                        to_string(shape)));
        }
    }
}

using Coordinates = std::map<Label, Expr>;  // a coordinate for every label

// The element of a factor at the coordinates of its labels.
using Factor = std::function<Expr(const Coordinates &)>;

Factor operand_factor(OperatorContext &context, const Equation &equation, int index) {
    const std::vector<Label> &labels = equation.operands[static_cast<size_t>(index)];
    const std::vector<int64_t> shape = context.input_shape(index);
    return [x = context.operand(index), labels, shape, &equation](const Coordinates &at) {
        std::vector<Expr> coordinates;
        for (size_t axis = 0; axis < labels.size(); axis++) {
            const bool broadcast = shape[axis] != equation.extents.at(labels[axis]);
            coordinates.push_back(broadcast ? Expr(0) : at.at(labels[axis]));
        }
        return x(coordinates);
    };
}

// Names of the axes of a product: those of the result where it has the label.
std::vector<Halide::Var> axes_of(const std::vector<Label> &labels, const Equation &equation) {
    const std::vector<Halide::Var> v = axes(static_cast<int>(equation.result.size()));
    std::vector<Halide::Var> result;
    for (const Label label : labels) {
        const auto found = std::find(equation.result.begin(), equation.result.end(), label);
        if (found != equation.result.end()) {
            result.push_back(v[static_cast<size_t>(found - equation.result.begin())]);
        } else {
            result.emplace_back(label < 0 ? "e" + std::to_string(-label) + "_"
                                          : std::string("k_") + static_cast<char>(label));
        }
    }
    return result;
}

// The product of `factors`, over the labels that it keeps; with a Func `part` if it sums.
Expr contract(OperatorContext &context, const std::string &part, const Contraction &product,
              const Equation &equation, const std::vector<Factor> &factors) {
    const std::vector<Halide::Var> v = axes_of(product.kept, equation);
    Coordinates at;
    for (size_t i = 0; i < v.size(); i++) {
        at[product.kept[i]] = v[i];
    }
    if (!product.summed.empty()) {
        const std::vector<Expr> r = row_major_reduction(equation.extents_of(product.summed));
        for (size_t i = 0; i < r.size(); i++) {
            at[product.summed[i]] = r[i];
        }
    }
    Expr value = factors[0](at);
    for (size_t i = 1; i < factors.size(); i++) {
        value = value * factors[i](at);
    }
    return product.summed.empty() ? value : Expr(sum_over(context, part, v, value)(v));
}

Func build_einsum(OperatorContext &context) {
    const Equation equation = parse_equation(context);
    const std::vector<Contraction> products = contractions(equation);
    std::vector<Factor> factors;
    for (int i = 0; i < static_cast<int>(equation.operands.size()); i++) {
        factors.push_back(operand_factor(context, equation, i));
    }
    Expr value;
    for (size_t i = 0; i < products.size(); i++) {
        const bool last = i + 1 == products.size();
        // A name must not end in a digit.
        const std::string part = last ? "sum" : "product" + std::to_string(i) + "_";
        std::vector<Factor> both = {factors[0]};
        if (factors.size() > 1) {
            both.push_back(factors[1]);
            factors.erase(factors.begin());
        }
        value = contract(context, part, products[i], equation, both);
        if (last) {
            break;
        }
        Func product = context.func("stored" + std::to_string(i) + "_");
        const std::vector<Label> kept = products[i].kept;
        product(axes_of(kept, equation)) = value;
        factors[0] = [product, kept](const Coordinates &at) {
            std::vector<Expr> coordinates;
            for (const Label label : kept) {
                coordinates.push_back(at.at(label));
            }
            return product(coordinates);
        };
    }
    Func result = context.func("");
    result(axes(static_cast<int>(equation.result.size()))) = value;
    return result;
}

}  // namespace

const Operator &onnx_einsum() {
    static const Operator einsum = {
        .type = "Einsum",
        .check = check_einsum,
        .implementations = {{.name = "direct", .build = build_einsum}},
    };
    return einsum;
}

}  // namespace emulsion
