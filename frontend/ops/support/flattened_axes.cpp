#include "frontend/ops/support/flattened_axes.h"

#include <algorithm>

#include "frontend/ops/support/padded_planes.h"

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

// Neighbouring axes that are all reduced, or all kept, as one.
struct MergedAxes {
    std::vector<int64_t> shape;
    std::vector<int> reduced;

    bool keeps_last() const {
        return reduced.empty() || reduced.back() + 1 < static_cast<int>(shape.size());
    }
    // The shape of the result, where reduced axes stay.
    std::vector<int64_t> kept() const {
        std::vector<int64_t> result = shape;
        for (const int axis : reduced) {
            result[static_cast<size_t>(axis)] = 1;
        }
        return result;
    }
};

MergedAxes merged(const std::vector<int64_t> &shape, const std::vector<int> &axes) {
    MergedAxes result;
    bool was_reduced = false;
    for (size_t axis = 0; axis < shape.size(); axis++) {
        const bool reduced =
            std::find(axes.begin(), axes.end(), static_cast<int>(axis)) != axes.end();
        if (axis > 0 && reduced == was_reduced) {
            result.shape.back() *= shape[axis];
            continue;
        }
        was_reduced = reduced;
        result.shape.push_back(shape[axis]);
        if (reduced) {
            result.reduced.push_back(static_cast<int>(result.shape.size()) - 1);
        }
    }
    return result;
}

// Empty where there is nothing that vectors could run along.
MergedAxes merged_columns(const OperatorContext &context, const AxesOf &axes) {
    const std::vector<int> reduced = axes(context);
    const MergedAxes found = merged(context.input_shape(0), reduced);
    const bool has_columns = !reduced.empty() && !found.shape.empty() && found.keeps_last() &&
                             found.shape.back() >= kFewestColumns;
    return has_columns ? found : MergedAxes();
}

}  // namespace

Implementation flattened_reduction(const AxesOf &axes,
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

std::vector<Implementation>
planar_reductions(const AxesOf &axes, const std::function<Halide::Func(OperatorContext &)> &build,
                  const std::function<void(Node &, const std::vector<int> &axes)> &reduces) {
    const auto is_merged = [axes](const OperatorContext &context) {
        return merged_columns(context, axes).shape == context.input_shape(0);
    };
    const auto can_merge = [axes](const OperatorContext &context) {
        const MergedAxes found = merged_columns(context, axes);
        return !found.shape.empty() && found.shape != context.input_shape(0);
    };
    const auto expand = [axes, reduces](const OperatorContext &context, SubgraphBuilder &builder) {
        const MergedAxes merged = merged_columns(context, axes);
        Node total = builder.node();
        total.inputs = {builder.reshape("flat", builder.input(0), merged.shape)};
        reduces(total, merged.reduced);
        builder.result_reshaped("kept", builder.add("total", total, merged.kept()));
    };
    return {
        {.name = "planar", .applies = is_merged, .build = build, .planar = true, .cpu_only = true},
        {.name = "flattened_planes",
         .applies = can_merge,
         .build = {},
         .expand = expand,
         .planar = true,
         .cpu_only = true}};
}

}  // namespace emulsion
