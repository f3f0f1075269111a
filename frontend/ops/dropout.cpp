// Dropout at inference: Y = X, whatever the ratio. A pass removes it where it can.
#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/copy.h"

namespace emulsion {

namespace {

constexpr int kRatio = 1;
constexpr int kTrainingMode = 2;

void check(const OperatorContext &context) {
    require_type(context, 0, kFloatTypes);
    if (context.has_input(kTrainingMode) &&
        constant_integers(context, kTrainingMode) != std::vector<int64_t>{0}) {
        refuse(context, "operand training_mode is not false; only inference is supported");
    }
    require_unused_output(context, 1, "mask");
    check_copy(context);
}

}  // namespace

const Operator &onnx_dropout() {
    static const Operator dropout = {
        .type = "Dropout",
        .check = check,
        .implementations = {{.name = "direct", .build = build_copy}},
        .compile_time_input = [](int index) { return index == kRatio || index == kTrainingMode; },
    };
    return dropout;
}

}  // namespace emulsion
