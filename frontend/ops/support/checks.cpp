#include "frontend/ops/support/checks.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace emulsion {

void refuse(const OperatorContext &context, const std::string &message) {
    throw Error(message, context.node().place());
}

std::string to_string(const std::vector<int64_t> &values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string describe_input(const OperatorContext &context, int index) {
    return fmt::format("operand {} ('{}')", index, context.input(index).name);
}

void require_type(const OperatorContext &context, int index,
                  std::initializer_list<DataType> accepted) {
    require_type(context, index, std::vector<DataType>(accepted));
}

void require_type(const OperatorContext &context, int index,
                  const std::vector<DataType> &accepted) {
    if (!context.has_input(index)) {
        refuse(context, fmt::format("operand {} is missing", index));
    }
    const DataType type = context.input(index).type;
    if (std::find(accepted.begin(), accepted.end(), type) != accepted.end()) {
        return;
    }
    std::vector<std::string_view> names;
    for (const DataType each : accepted) {
        names.push_back(to_string(each));
    }
    refuse(context, fmt::format("{} has type {}; accepted: {}", describe_input(context, index),
                                to_string(type), fmt::join(names, ", ")));
}

void require_rank(const OperatorContext &context, int index, int rank) {
    if (!context.has_input(index)) {
        refuse(context, fmt::format("operand {} is missing", index));
    }
    if (context.input(index).rank() != rank) {
        refuse(context,
               fmt::format("{} has rank {}; only rank {} is supported",
                           describe_input(context, index), context.input(index).rank(), rank));
    }
}

void require_type_of_first(const OperatorContext &context, std::initializer_list<int> indices) {
    for (const int index : indices) {
        if (context.has_input(index)) {
            require_type(context, index, {context.input(0).type});
        }
    }
}

void require_shape(const OperatorContext &context, int index, const std::vector<int64_t> &expected,
                   const std::string &why) {
    const std::vector<int64_t> shape = context.input_shape(index);
    if (shape != expected) {
        refuse(context,
               fmt::format("{} has shape {} instead of {}: {}", describe_input(context, index),
                           to_string(shape), to_string(expected), why));
    }
}

namespace {

// Halide's coordinates and strides are 32-bit, and its buffers and reductions are not meant to be empty.
void require_extents(const OperatorContext &context, const Tensor &tensor) {
    const std::vector<int64_t> shape = tensor.extents();
    for (const int64_t extent : shape) {
        if (extent < 1 || extent > std::numeric_limits<int32_t>::max()) {
            refuse(context, fmt::format("'{}' has shape {}; extents from 1 to 2^31-1 are supported",
                                        tensor.name, to_string(shape)));
        }
    }
    if (count_elements(context, shape) > std::numeric_limits<int32_t>::max()) {
        refuse(context, fmt::format("'{}' has shape {}; at most 2^31-1 elements are supported",
                                    tensor.name, to_string(shape)));
    }
}

}  // namespace

void require_result(const OperatorContext &context, const std::vector<int64_t> &expected,
                    DataType type) {
    const Tensor &output = context.result();
    const Operator *op = find_operator(context.node().domain, context.node().operator_type);
    for (int index = 0; index < static_cast<int>(context.node().inputs.size()); index++) {
        // What no Func reads may be empty: it then stands for an absent operand (Resize's `roi`).
        const bool compile_time =
            op != nullptr && op->compile_time_input && op->compile_time_input(index);
        if (context.has_input(index) && !compile_time) {
            require_extents(context, context.input(index));
        }
    }
    require_extents(context, output);
    if (output.type != type) {
        refuse(context, fmt::format("result '{}' has type {} instead of {}", output.name,
                                    to_string(output.type), to_string(type)));
    }
    const std::vector<int64_t> shape = context.result_shape();
    if (shape != expected) {
        refuse(context,
               fmt::format("result '{}' has shape {} instead of {}, which operands and attributes "
                           "give",
                           output.name, to_string(shape), to_string(expected)));
    }
}

void require_output(const OperatorContext &context, const std::vector<int64_t> &expected) {
    require_result(context, expected, context.input(0).type);
}

void require_unused_output(const OperatorContext &context, int index, std::string_view name) {
    const std::vector<TensorId> &outputs = context.node().outputs;
    const auto position = static_cast<size_t>(index);
    if (position < outputs.size() && outputs[position] != kNoTensor) {
        refuse(context, fmt::format("the optional result {} ('{}') is not supported", index, name));
    }
}

int normalize_axis(const OperatorContext &context, int64_t axis, int rank,
                   const std::string &what) {
    if (axis < -rank || axis >= rank) {
        refuse(context, fmt::format("{} is {}; for rank {} it must be in [{}, {})", what, axis,
                                    rank, -rank, rank));
    }
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

int64_t count_elements(const OperatorContext &context, const std::vector<int64_t> &shape) {
    int64_t count = 1;
    for (const int64_t extent : shape) {
        if (__builtin_mul_overflow(count, extent, &count)) {
            refuse(context,
                   fmt::format("shape {} has more than 2^63-1 elements", to_string(shape)));
        }
    }
    return count;
}

bool can_broadcast(const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    if (from.size() > to.size()) {
        return false;
    }
    return std::equal(from.rbegin(), from.rend(), to.rbegin(),
                      [](int64_t f, int64_t t) { return f == t || f == 1; });
}

std::vector<int64_t> broadcast_shape(const OperatorContext &context, const std::vector<int64_t> &a,
                                     const std::vector<int64_t> &b) {
    std::vector<int64_t> result = a.size() > b.size() ? a : b;
    for (size_t back = 1; back <= std::min(a.size(), b.size()); back++) {
        const int64_t x = a[a.size() - back];
        const int64_t y = b[b.size() - back];
        result[result.size() - back] = x == 1 ? y : x;
    }
    if (!can_broadcast(a, result) || !can_broadcast(b, result)) {
        refuse(context, fmt::format("shapes {} and {} can't be broadcast to each other",
                                    to_string(a), to_string(b)));
    }
    return result;
}

}  // namespace emulsion
