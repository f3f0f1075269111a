#include "frontend/ops/support/reduce.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"
#include "frontend/ops/support/convert.h"
#include "frontend/ops/support/flattened_axes.h"
#include "frontend/ops/support/reduction.h"
#include "fusion/layout.h"

namespace emulsion {

using Halide::Expr;
using Halide::Func;

namespace {

constexpr int kReduceAxes = 1;

Func build_rule(OperatorContext &context, const ReduceRule &rule, const std::vector<int> &axes_of,
                bool keep) {
    const Access x = context.operand(0);
    const ReducedAxes reduced(context.input_shape(0), axes_of);
    const Halide::Type type = halide_type(context.input(0).type);
    const Halide::Type accumulator = rule.accumulator ? rule.accumulator(type) : type;
    const std::vector<Halide::Var> v = axes(context.result().rank());
    std::vector<Expr> kept = to_exprs(keep ? reduced.kept(v) : v);
    // One number, without axes even where the result has some.
    std::vector<Halide::Var> axes_of_total = v;
    if (element_count(context.result_shape()) == 1) {
        axes_of_total.clear();
        std::fill(kept.begin(), kept.end(), Expr(0));
    }
    const auto element = [&](const std::vector<Expr> &at) {
        const Expr value = Halide::cast(accumulator, x(at));
        return rule.element ? rule.element(value) : value;
    };
    Expr total;
    if (reduced.none()) {
        total = element(kept);
    } else {
        Func combined = context.func("total");
        combined(axes_of_total) = rule.initial(accumulator);
        combined(axes_of_total) =
            rule.combine(combined(axes_of_total), element(reduced.coordinates(kept)));
        total = combined(axes_of_total);
    }
    Func result = context.func("");
    result(v) = convert(rule.finish ? rule.finish(total, reduced.count()) : total, type);
    return result;
}

// Of a node that reduces these axes.
void set_axes(Node &node, const std::vector<int> &axes) {
    node.attributes.erase("noop_with_empty_axes");
    node.attributes["axes"] = std::vector<int64_t>(axes.begin(), axes.end());
    node.attributes["keepdims"] = int64_t{1};
}

std::vector<int> axes_behind_channels(const OperatorContext &context) {
    return axes_from(2, context.input(0).rank());
}

}  // namespace

std::vector<int> reduced_axes(const OperatorContext &context) {
    const int rank = context.input(0).rank();
    const bool has_operand = context.has_input(kReduceAxes);
    if (has_operand && context.node().has("axes")) {
        refuse(context, "axes is both an operand and an attribute; one of them is accepted");
    }
    const std::string what = has_operand ? "operand axes" : "attribute axes";
    std::vector<int> result;
    for (const int64_t axis : has_operand ? constant_integers(context, kReduceAxes)
                                          : context.node().integers("axes", {})) {
        result.push_back(normalize_axis(context, axis, rank, "an element of " + what));
    }
    if (result.empty() && context.node().integer("noop_with_empty_axes", 0) == 0) {
        return axes_from(0, rank);
    }
    std::sort(result.begin(), result.end());
    if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
        refuse(context, what + " names an axis twice");
    }
    return result;
}

bool keeps_axes(const OperatorContext &context) {
    return context.node().integer("keepdims", 1) != 0;
}

Operator reduce_operator(const std::string &type, std::initializer_list<DataType> types,
                         const std::function<Func(OperatorContext &)> &build) {
    std::vector<Implementation> implementations = {
        {.name = "direct", .build = build},
        flattened_reduction(reduced_axes, [](Node &node, int last) { set_axes(node, {last}); })};
    for (Implementation &planar : planar_reductions(reduced_axes, build, set_axes)) {
        implementations.push_back(std::move(planar));
    }
    return {
        .type = type,
        .check =
            [types](const OperatorContext &context) {
                require_type(context, 0, types);
                const ReducedAxes reduced(context.input_shape(0), reduced_axes(context));
                require_output(context, reduced.result_shape(keeps_axes(context)));
            },
        .implementations = std::move(implementations),
        .compile_time_input = [](int index) { return index == kReduceAxes; },
    };
}

Operator reduce_operator(const std::string &type, const ReduceRule &rule) {
    return reduce_operator(type, rule.types, [rule](OperatorContext &context) {
        return build_rule(context, rule, reduced_axes(context), keeps_axes(context));
    });
}

Operator global_pool_operator(const std::string &type,
                              const std::function<ReduceRule(const OperatorContext &)> &rule) {
    const auto check = [rule](const OperatorContext &context) {
        require_type(context, 0, kFloatTypes);
        const int rank = context.input(0).rank();
        if (rank < 3) {
            refuse(context, "operand 0 has no axis behind the channels; rank 3 or more is needed");
        }
        rule(context);  // refuses attributes
        const ReducedAxes reduced(context.input_shape(0), axes_behind_channels(context));
        require_output(context, reduced.result_shape(true));
    };
    const auto build = [rule](OperatorContext &context) {
        return build_rule(context, rule(context), axes_behind_channels(context), true);
    };
    return {
        .type = type,
        .check = check,
        .implementations = {{.name = "direct", .build = build},
                            flattened_reduction(axes_behind_channels, [](Node &, int) {})},
    };
}

Halide::Type real_accumulator(Halide::Type type) {
    return type.is_float() ? type : Halide::Float(64);
}

Expr absolute(const Expr &x) {
    return x.type().is_uint() ? x : Halide::cast(x.type(), Halide::abs(x));
}

ReduceRule sum_rule() {
    return {.types = kReduceTypes,
            .initial = [](Halide::Type type) { return Halide::Internal::make_zero(type); },
            .combine = [](const Expr &total, const Expr &x) { return total + x; }};
}

ReduceRule mean_rule() {
    ReduceRule rule = sum_rule();
    rule.finish = [](const Expr &total, int64_t count) {
        const Halide::Type type = total.type();
        if (type.is_float()) {
            return total * Halide::Internal::make_const(type, 1.0 / static_cast<double>(count));
        }
        // Towards zero, as ONNX Runtime divides. A count beyond the type is more than any total.
        return type.can_represent(count)
                   ? Halide::div_round_to_zero(total, Halide::Internal::make_const(type, count))
                   : Halide::Internal::make_zero(type);
    };
    return rule;
}

ReduceRule max_rule() {
    return {
        .types = kExtremeTypes,
        .accumulator = [](Halide::Type type) { return type.is_bool() ? Halide::UInt(8) : type; },
        .initial = [](Halide::Type type) { return type.min(); },
        .combine = [](const Expr &total, const Expr &x) { return Halide::max(total, x); }};
}

int64_t norm_power(const OperatorContext &context) {
    const int64_t p = context.node().integer("p", 2);
    if (p < 1 || p > std::numeric_limits<int32_t>::max()) {
        refuse(context, fmt::format("attribute p is {}; 1 to 2^31-1 are accepted", p));
    }
    return p;
}

Expr power_of(const Expr &x, int64_t p) {
    if (p == 1) {
        return absolute(x);
    }
    return p == 2 ? x * x
                  : Halide::pow(absolute(x),
                                Halide::Internal::make_const(x.type(), static_cast<double>(p)));
}

Expr root_of(const Expr &total, int64_t p) {
    if (p == 1) {
        return total;
    }
    return p == 2 ? Halide::sqrt(total)
                  : Halide::pow(total, Halide::Internal::make_const(total.type(),
                                                                    1.0 / static_cast<double>(p)));
}

ReduceRule norm_rule(int64_t p) {
    ReduceRule rule = sum_rule();
    rule.element = [p](const Expr &x) { return power_of(x, p); };
    if (p != 1) {
        rule.accumulator = real_accumulator;
        rule.finish = [p](const Expr &total, int64_t) { return root_of(total, p); };
    }
    return rule;
}

}  // namespace emulsion
