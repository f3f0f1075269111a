#include "frontend/graph/value_bounds.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>

namespace emulsion {

namespace {

// Operators whose result has no elements but those of their data operand (Concat, Max and their like: of all
// operands), or a fill value.
const std::set<std::string> kMoving = {
    "Cast",      "Clip",     "DepthToSpace",   "Dropout",         "Expand", "Flatten",
    "Gather",    "GatherND", "GatherElements", "Identity",        "Pad",    "ReduceMax",
    "ReduceMin", "Reshape",  "Resize",         "ReverseSequence", "Slice",  "SpaceToDepth",
    "Split",     "Squeeze",  "Tile",           "Transpose",       "Trilu",  "Unsqueeze"};
const std::set<std::string> kMerging = {"Concat", "Max", "Min"};
const std::set<std::string> kScattering = {"ScatterElements",
                                           "ScatterND"};  // data, indices, updates

template<typename T>
ValueBounds range_of_elements(const ConstantData &data) {
    ValueBounds range{.low = std::numeric_limits<int64_t>::max(),
                      .high = std::numeric_limits<int64_t>::min()};
    for (size_t i = 0; i < data.size / sizeof(T); i++) {
        T value;  // the bytes may be unaligned
        std::memcpy(&value, data.bytes + i * sizeof(T), sizeof(T));
        range.low = std::min(range.low, static_cast<int64_t>(value));
        range.high = std::max(range.high, static_cast<int64_t>(value));
    }
    return range;
}

// Of an integer constant that has elements.
std::optional<ValueBounds> constant_range(const Tensor &tensor) {
    if (!tensor.is_constant() || tensor.constant->size == 0) {
        return {};
    }
    const ElementType element = traits_of(tensor.type).element;
    const bool is_bool = tensor.type == DataType::Bool;
    if (is_float(tensor.type) || is_bool || element == ElementType{ElementKind::UInt, 64}) {
        return {};
    }
    return with_element_type(tensor.type, [&](auto zero) {
        return range_of_elements<decltype(zero)>(*tensor.constant);
    });
}

int64_t floor_divided(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
int64_t ceil_divided(int64_t a, int64_t b) { return -floor_divided(-a, b); }

int64_t saturating_sum(int64_t a, int64_t b) {
    int64_t sum = 0;
    return !__builtin_add_overflow(a, b, &sum) ? sum
           : b < 0                             ? std::numeric_limits<int64_t>::min()
                                               : std::numeric_limits<int64_t>::max();
}
int64_t negated(int64_t a) { return saturating_sum(~a, 1); }

int64_t saturating_product(int64_t a, int64_t b) {
    int64_t product = 0;
    return !__builtin_mul_overflow(a, b, &product) ? product
           : (a < 0) != (b < 0)                    ? std::numeric_limits<int64_t>::min()
                                                   : std::numeric_limits<int64_t>::max();
}

ValueBounds negated(const ValueBounds &bounds) {
    ValueBounds result;
    if (bounds.has_high()) {
        result.low = negated(bounds.high);
    }
    if (bounds.has_low()) {
        result.high = negated(bounds.low);
    }
    return result;
}

// The interval whose ends `of_low` and `of_high` make of those that are there.
template<typename Low, typename High>
ValueBounds map_ends(const ValueBounds &bounds, Low of_low, High of_high) {
    ValueBounds mapped;
    if (bounds.has_low()) {
        mapped.low = of_low(bounds.low);
    }
    if (bounds.has_high()) {
        mapped.high = of_high(bounds.high);
    }
    return mapped;
}

// Of x, where x + c is inside `sum` for every c of `constant`.
ValueBounds bounds_of_summand(const ValueBounds &sum, const ValueBounds &constant) {
    return map_ends(
        sum, [&](int64_t low) { return saturating_sum(low, negated(constant.low)); },
        [&](int64_t high) { return saturating_sum(high, negated(constant.high)); });
}

// Of x, where x * c is inside `product` for every c of `constant`, all of them positive.
ValueBounds bounds_of_factor(const ValueBounds &product, const ValueBounds &constant) {
    return map_ends(
        product,
        [&](int64_t low) { return ceil_divided(low, low < 0 ? constant.high : constant.low); },
        [&](int64_t high) { return floor_divided(high, high < 0 ? constant.low : constant.high); });
}

// Of x, where x / c is inside `quotient` for every c of `constant`, all of them positive.
ValueBounds bounds_of_dividend(const ValueBounds &quotient, const ValueBounds &constant) {
    return map_ends(
        quotient,
        [&](int64_t low) {
            return saturating_product(low, low < 0 ? constant.low : constant.high);
        },
        [&](int64_t high) {
            return saturating_product(high, high < 0 ? constant.high : constant.low);
        });
}

// Of two, whose sum is inside `sum` then.
ValueBounds half_of(const ValueBounds &sum) {
    return map_ends(
        sum, [](int64_t low) { return ceil_divided(low, 2); },
        [](int64_t high) { return floor_divided(high, 2); });
}

class BoundsAnalyzer {
public:
    explicit BoundsAnalyzer(const Graph &graph) : graph_(graph), bounds_(graph.tensors.size()) {}

    std::vector<ValueBounds> run() {
        for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
            ValueBounds result;
            for (const TensorId id : node->outputs) {
                if (id != kNoTensor) {
                    result = intersection(result, bounds_[static_cast<size_t>(id)]);
                }
            }
            visit(*node, result);
        }
        return std::move(bounds_);
    }

private:
    static ValueBounds intersection(const ValueBounds &a, const ValueBounds &b) {
        return {.low = std::max(a.low, b.low), .high = std::min(a.high, b.high)};
    }

    static TensorId operand(const Node &node, size_t index) {
        return index < node.inputs.size() ? node.inputs[index] : kNoTensor;
    }

    void restrict(const Node &node, size_t index, const ValueBounds &bounds) {
        if (const TensorId id = operand(node, index); id != kNoTensor) {
            ValueBounds &known = bounds_[static_cast<size_t>(id)];
            known = intersection(known, bounds);
        }
    }

    // Extent of an axis of an operand, counted from the end where negative; at least 1.
    int64_t extent(const Node &node, size_t index, int64_t axis) const {
        const Tensor &tensor = graph_.tensor(operand(node, index));
        const int64_t at = axis < 0 ? axis + tensor.rank() : axis;
        return at >= 0 && at < tensor.rank() ? tensor.extents()[static_cast<size_t>(at)] : 1;
    }

    static ValueBounds indices_into(int64_t extent) { return {.low = 0, .high = extent - 1}; }

    // Indices of several axes: the last axis of the operand that has them counts the axes.
    ValueBounds indices_into_leading_axes(const Node &node, size_t indices, int64_t first) const {
        ValueBounds bounds;
        for (int64_t i = 0; i < extent(node, indices, -1); i++) {
            bounds = intersection(bounds, indices_into(extent(node, 0, first + i)));
        }
        return bounds;
    }

    void visit(const Node &node, const ValueBounds &result) {
        if (!node.domain.empty()) {
            return;
        }
        restrict_indices(node);
        const std::string &type = node.operator_type;
        if (kMoving.count(type) != 0) {
            restrict(node, 0, result);
        } else if (kMerging.count(type) != 0) {
            for (size_t i = 0; i < node.inputs.size(); i++) {
                restrict(node, i, result);
            }
        } else if (kScattering.count(type) != 0) {
            restrict(node, 0, result);
            restrict(node, 2, result);
        } else if (type == "Where") {
            restrict(node, 1, result);
            restrict(node, 2, result);
        } else {
            restrict_operands(node, result);
        }
    }

    void restrict_indices(const Node &node) {
        const std::string &type = node.operator_type;
        if (type == "Gather" || type == "GatherElements" || type == "ScatterElements") {
            restrict(node, 1, indices_into(extent(node, 0, node.integer("axis", 0))));
        } else if (type == "GatherND") {
            restrict(node, 1, indices_into_leading_axes(node, 1, node.integer("batch_dims", 0)));
        } else if (type == "ScatterND") {
            restrict(node, 1, indices_into_leading_axes(node, 1, 0));
        } else if (type == "OneHot") {
            const auto depth = constant_range(graph_.tensor(operand(node, 1)));
            restrict(node, 0, depth ? indices_into(depth->low) : ValueBounds());
        } else if (type == "ReverseSequence") {
            restrict(node, 1, {.low = 1, .high = extent(node, 0, node.integer("time_axis", 0))});
        }
    }

    void restrict_operands(const Node &node, const ValueBounds &result) {
        const std::string &type = node.operator_type;
        if (operand(node, 0) == kNoTensor || is_float(graph_.tensor(operand(node, 0)).type)) {
            return;
        }
        if (type == "Div" || type == "Mod") {
            restrict(node, 1, {.low = 1});
        } else if (type == "BitShift") {
            restrict(node, 1, indices_into(8 * size_of(graph_.tensor(operand(node, 0)).type)));
        } else if (type == "Neg") {
            restrict(node, 0, negated(result));
        } else if (type == "Abs") {
            restrict(node, 0, {.low = std::max<int64_t>(result.low, 0), .high = result.high});
        }
        if (result == ValueBounds() || node.inputs.size() != 2 || operand(node, 1) == kNoTensor) {
            return;
        }
        const auto first = constant_range(graph_.tensor(node.inputs[0]));
        const auto second = constant_range(graph_.tensor(node.inputs[1]));
        if (first && !second) {
            restrict_beside(node, 1, *first, result);
        } else if (second) {
            restrict_beside(node, 0, *second, result);
        } else if (type == "Add") {
            restrict(node, 0, half_of(result));
            restrict(node, 1, half_of(result));
        }
    }

    // Operand `index` of an operator whose other operand is constant.
    void restrict_beside(const Node &node, size_t index, const ValueBounds &constant,
                         const ValueBounds &result) {
        const std::string &type = node.operator_type;
        if (type == "Add") {
            restrict(node, index, bounds_of_summand(result, constant));
        } else if (type == "Sub") {
            restrict(node, index,
                     index == 0 ? bounds_of_summand(result, negated(constant))
                                : negated(bounds_of_summand(result, constant)));
        } else if (type == "Mul" && constant.low > 0) {
            restrict(node, index, bounds_of_factor(result, constant));
        } else if (type == "Div" && index == 0 && constant.low > 0) {
            restrict(node, index, bounds_of_dividend(result, constant));
        }
    }

    const Graph &graph_;
    std::vector<ValueBounds> bounds_;
};

}  // namespace

std::vector<ValueBounds> value_bounds(const Graph &graph) { return BoundsAnalyzer(graph).run(); }

}  // namespace emulsion
