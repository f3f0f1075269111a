#include "frontend/ops/support/flattened_axes.h"

#include <algorithm>

namespace emulsion {

namespace {

// Several axes that are more than one element long, and all behind the first of them.
bool are_the_last(const std::vector<int> &axes, const std::vector<int64_t> &shape) {
    if (axes.empty()) {
        return false;
    }
    int64_t longer = 0;
    for (int axis = axes.front(); axis < static_cast<int>(shape.size()); axis++) {
        const bool reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
        const bool is_longer = shape[static_cast<size_t>(axis)] > 1;
        if (is_longer && !reduced) {
            return false;
        }
        longer += is_longer ? 1 : 0;
    }
    return longer > 1;
}

}  // namespace

Implementation
flattened_reduction(const std::function<std::vector<int>(const OperatorContext &)> &axes,
                    const std::function<void(Node &, int last)> &reduces_last) {
    const auto applies = [axes](const OperatorContext &context) {
        return are_the_last(axes(context), context.input_shape(0));
    };
    const auto expand = [axes, reduces_last](const OperatorContext &context,
                                             SubgraphBuilder &builder) {
        const int first = axes(context).front();
        const std::vector<int64_t> shape = context.input_shape(0);
        std::vector<int64_t> flat(shape.begin(), shape.begin() + first);
        std::vector<int64_t> kept = flat;
        flat.push_back(1);
        kept.push_back(1);
        std::for_each(shape.begin() + first, shape.end(),
                      [&](int64_t extent) { flat.back() *= extent; });
        Node total = builder.node();
        total.inputs = {builder.reshape("flat", builder.input(0), flat)};
        reduces_last(total, first);
        builder.result_reshaped("kept", builder.add("total", total, kept));
    };
    return {.name = "flattened_axes", .applies = applies, .build = {}, .expand = expand};
}

}  // namespace emulsion
