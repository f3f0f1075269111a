#include "frontend/ops/support/channels.h"

#include <fmt/format.h>

#include "frontend/ops/support/checks.h"

namespace emulsion {

using Halide::Expr;

Expr ChannelGroups::input(const Expr &c, const Expr &ci) const {
    if (group == 1) {
        return ci;
    }
    Expr channel = out_per_group == 1 ? c : c / static_cast<int>(out_per_group);
    if (in_per_group != 1) {
        channel = channel * static_cast<int>(in_per_group);
    }
    // Of a single channel `ci` is 0, or the one loop of a sum that would have none without it.
    return Halide::Internal::is_const_zero(ci) ? channel : channel + ci;
}

Expr ChannelGroups::output_in_group(const Expr &c) const {
    if (group == 1) {
        return c;
    }
    return out_per_group == 1 ? Expr(0) : c % static_cast<int>(out_per_group);
}

int64_t checked_group(const OperatorContext &context, int64_t in, int64_t out) {
    const int64_t group = context.node().integer("group", 1);
    if (group < 1 || in % group != 0 || out % group != 0) {
        refuse(context, fmt::format("attribute group is {}; it must divide the {} input and the {} "
                                    "output channels",
                                    group, in, out));
    }
    return group;
}

std::vector<int64_t> checked_kernel(const OperatorContext &context) {
    const std::vector<int64_t> weight = context.input_shape(1);
    const std::vector<int64_t> kernel(weight.begin() + 2, weight.end());
    if (context.node().integers("kernel_shape", kernel) != kernel) {
        refuse(context, fmt::format("attribute kernel_shape is {}, but the weights have {}",
                                    to_string(context.node().integers("kernel_shape", {})),
                                    to_string(kernel)));
    }
    return kernel;
}

void require_convolution_weights(const OperatorContext &context) {
    const std::vector<int64_t> x = context.input_shape(0);
    std::vector<int64_t> weight = context.input_shape(1);
    weight[1] = x[1] / checked_group(context, x[1], weight[0]);
    require_shape(context, 1, weight,
                  "the second extent is the number of input channels per group");
    if (context.has_input(2)) {
        require_shape(context, 2, {weight[0]}, "there is one bias per output channel");
    }
}

Halide::Func convolution_sum(OperatorContext &context, const std::vector<Halide::Var> &v,
                             const std::vector<Halide::Expr> &bias_at,
                             const Halide::Expr &product) {
    Halide::Func sum = context.func("sum");
    sum(v) = context.has_input(2) ? context.operand(2)(bias_at)
                                  : Halide::Internal::make_zero(halide_type(context.input(0).type));
    sum(v) += product;
    Halide::Func result = context.func("");
    result(v) = sum(v);
    return result;
}

}  // namespace emulsion
