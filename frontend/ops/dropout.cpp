// Dropout that drops nothing: at inference, whatever the ratio, and in training with ratio 0. Y = X, and
// the mask is true everywhere. A pass removes it where it can.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/copy.h"

namespace emulsion {

using Halide::Func;

namespace {

constexpr int kRatio = 1;
constexpr int kTrainingMode = 2;
constexpr int kMask = 1;

bool drops_nothing(const OperatorContext &context) {
    const bool inference = !context.has_input(kTrainingMode) ||
                           constant_integers(context, kTrainingMode) == std::vector<int64_t>{0};
    return inference || (context.has_input(kRatio) &&
                         constant_reals(context, kRatio) == std::vector<double>{0.0});
}

void check_dropout(const OperatorContext &context) {
    if (!drops_nothing(context)) {
        refuse(context, "operand training_mode is not false and ratio not 0, which asks for random "
                        "numbers; only inference is supported");
    }
    if (context.result_index() == kMask) {
        // No Func reads the operand, and it may be left out.
        require_result(context,
                       context.has_input(0) ? context.input_shape(0) : context.result_shape(),
                       DataType::Bool);
    } else {
        require_type(context, 0, kFloatTypes);
        check_copy(context);
    }
}

Func build_dropout(OperatorContext &context) {
    if (context.result_index() != kMask) {
        return build_copy(context);
    }
    Func mask = context.func("");
    mask(axes(context.result().rank())) = Halide::Internal::const_true();
    return mask;
}

}  // namespace

const Operator &onnx_dropout() {
    static const Operator dropout = {
        .type = "Dropout",
        .check = check_dropout,
        .implementations = {{.name = "direct", .build = build_dropout}},
        .compile_time_input = [](int index) { return index == kRatio || index == kTrainingMode; },
    };
    return dropout;
}

}  // namespace emulsion
