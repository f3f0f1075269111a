#include "pipelines.h"

#include <algorithm>

namespace emulsion {

using namespace Halide;

namespace {

constexpr int kSize = 56;      // of an image at least, in rows and columns
constexpr int kChannels = 64;  // of input and output

// Channels innermost, with a border of `pad`.
template<typename T>
void lay_out(T image, int size, int pad) {
    const int across = size + 2 * pad;
    image.dim(0).set_stride(1).set_bounds(0, kChannels);
    image.dim(1).set_stride(kChannels).set_bounds(-pad, across);
    image.dim(2).set_stride(kChannels * across).set_bounds(-pad, across);
}

Module lower(const Func &out, const std::vector<Argument> &arguments, const std::string &name,
             const std::string &features = "") {
    return Pipeline(out).compile_to_module(arguments, name, opencl_target(features));
}

std::string features_of(const Type &type) {
    return type == Float(16) ? "cl_half" : type == Float(64) ? "cl_doubles" : "";
}

Module convolve(int columns, int rows, const Type &type, bool staged) {
    ImageParam in(type, 3, "in"), weights(type, 4, "weights");
    const int size = std::max(kSize, 4 * columns);
    lay_out(in, size, 1);
    weights.dim(0).set_stride(1).set_bounds(0, kChannels);
    weights.dim(1).set_stride(kChannels).set_bounds(0, kChannels);
    weights.dim(2).set_stride(kChannels * kChannels).set_bounds(0, 3);
    weights.dim(3).set_stride(kChannels * kChannels * 3).set_bounds(0, 3);
    Var c("c"), x("x"), y("y"), ct("ct"), cv("cv"), xb("xb"), xi("xi"), xt("xt"), yb("yb"),
        yt("yt");
    RDom r(0, kChannels, 0, 3, 0, 3, "r");
    Func sum("sum"), out("out");
    sum(c, x, y) = cast(type, 0);
    sum(c, x, y) += in(r[0], x + r[1] - 1, y + r[2] - 1) * weights(c, r[0], r[1], r[2]);
    out(c, x, y) = max(sum(c, x, y), cast(type, 0));
    lay_out(out.output_buffer(), size, 0);
    out.split(c, ct, cv, 4)
        .split(x, xb, xi, 4 * columns, TailStrategy::ShiftInwards)
        .split(xi, xt, xi, columns)
        .split(y, yb, yt, rows, TailStrategy::ShiftInwards)
        .reorder(cv, xi, ct, xt, yt, xb, yb)
        .gpu_blocks(xb, yb)
        .gpu_threads(ct, xt, yt)
        .vectorize(cv)
        .unroll(xi);
    sum.compute_at(out, ct).vectorize(c).unroll(x);
    sum.update().reorder(c, x, r[0], r[1], r[2]).vectorize(c).unroll(x).unroll(r[0], 4);
    if (staged) {
        Func tile = in.in();
        const std::vector<Var> &at = tile.args();
        Var ci("ci"), co("co"), xo("xo");
        tile.compute_at(out, xb)
            .split(at[0], co, ci, 16, TailStrategy::GuardWithIf)
            .split(at[1], xo, xi, 4, TailStrategy::GuardWithIf)
            .reorder(co, xo, at[2], ci, xi)
            .gpu_threads(ci, xi);
    }
    return lower(out, {in, weights}, "convolution", features_of(type));
}

}  // namespace

Target opencl_target(const std::string &features) {
    return Target("x86-64-linux-opencl-no_runtime-user_context-no_asserts-no_bounds_query" +
                  (features.empty() ? "" : "-" + features));
}

Module convolution(int columns, const Type &type) { return convolve(columns, 4, type, false); }

Module staged_convolution(int rows) { return convolve(7, rows, Float(32), true); }

Module scaling(const Type &type) {
    ImageParam in(type, 2, "in");
    Param<float> scale("scale");
    Param<int8_t> shift("shift");
    Param<int64_t> most("most");
    Param<bool> negate("negate");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    Func out("out");
    const Expr scaled = cast<double>(scale) * 1.0f;
    Expr value =
        in(x, y) * cast(type, type == Float(64) ? scaled : cast(type, scale)) + cast(type, shift);
    value = min(value, cast(type, most));
    out(x, y) = select(negate, -value, value);
    out.gpu_tile(x, y, xi, yi, 32, 8, TailStrategy::GuardWithIf);
    return lower(out, {in, scale, shift, most, negate}, "scaling", features_of(type));
}

Module integers(const Type &type) {
    ImageParam in(type, 2, "in");
    Var x("x"), y("y"), xi("xi"), yi("yi"), v("v");
    Func out("out");
    const Expr clamped = clamp(in(x, y), cast(type, 3), cast(type, 100));
    out(x, y) =
        max(clamped, in(x + 1, y)) + min(in(x, y + 1), cast(type, 7)) + absd(in(x, y), clamped);
    out.bound(x, 0, 256).bound(y, 0, 64).vectorize(x, 4).gpu_tile(x, y, xi, yi, 16, 16);
    return lower(out, {in}, "integers");
}

Module mathematics() {
    ImageParam in(Float(32), 1, "in");
    Var x("x"), xi("xi");
    Func out("out");
    Expr e = in(x);
    e = exp(e) + log(e) + tanh(e) + sqrt(e) + pow(e, 1.5f) + floor(e) + round(e) + erf(e);
    out(x) = select(is_nan(e), 0.0f, fast_inverse(e) + fast_inverse_sqrt(e) + fast_exp(e));
    out.gpu_tile(x, xi, 64);
    return lower(out, {in}, "mathematics");
}

Module matrix_product(int columns) {
    ImageParam a(Float(32), 2, "a"), b(Float(32), 2, "b");
    Var x("x"), y("y"), xi("xi"), yi("yi"), yt("yt");
    RDom k(0, 256, "k");
    Func sum("sum"), out("out");
    sum(x, y) += a(k, y) * b(x, k);
    out(x, y) = max(sum(x, y), 0.0f);
    out.bound(x, 0, 256).bound(y, 0, 256);
    out.split(x, x, xi, columns)
        .split(y, y, yt, 32)
        .split(yt, yt, yi, 8)
        .reorder(yi, xi, yt, x, y)
        .unroll(yi)
        .gpu_blocks(x, y)
        .gpu_threads(xi, yt);
    sum.compute_at(out, xi).unroll(y).update().reorder(y, k).unroll(y).unroll(k, 4);
    return lower(out, {a, b}, "matrix_product");
}

Module byte_matrix_product() {
    ImageParam a(Int(8), 2, "a"), b(Int(8), 2, "b");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    RDom k(0, 256, "k");
    Func sum("sum"), out("out");
    sum(x, y) += cast<int32_t>(a(k, y)) * cast<int32_t>(b(x, k));
    out(x, y) = cast<int8_t>(clamp(sum(x, y) >> 8, -128, 127));
    out.bound(x, 0, 128).bound(y, 0, 128).gpu_tile(x, y, xi, yi, 16, 16);
    sum.compute_at(out, xi);
    return lower(out, {a, b}, "byte_matrix_product");
}

Module row_normalisation() {
    ImageParam in(Float(32), 2, "in");
    constexpr int kThreads = 64, kPerThread = 8;
    Var i("i"), t("t"), row("row"), io("io"), ii("ii");
    RDom r(0, kPerThread, "r"), all(0, kThreads, "all");
    Func partial("partial"), total("total"), out("out");
    partial(t, row) += in(t + kThreads * r, row);
    total(row) += partial(all, row);
    out(i, row) = in(i, row) / total(row);
    out.bound(i, 0, kThreads * kPerThread)
        .split(i, io, ii, kThreads)
        .reorder(io, ii, row)
        .gpu_blocks(row)
        .gpu_threads(ii);
    total.compute_at(out, row);
    partial.compute_at(out, row).gpu_threads(t).update().gpu_threads(t);
    return lower(out, {in}, "row_normalisation");
}

Module three_stages() {
    ImageParam in(Float(32), 2, "in");
    Param<float> offset("offset");
    Var x("x"), y("y"), xi("xi"), yi("yi");
    Func first("first"), second("second"), out("out");
    first(x, y) = in(x, y) + offset;
    second(x, y) = first(x, y) + first(x + 1, y);
    out(x, y) = exp(second(x, y)) + second(x, y + 1);
    first.compute_root().gpu_tile(x, y, xi, yi, 16, 16);
    second.compute_root().gpu_tile(x, y, xi, yi, 32, 4);
    out.gpu_tile(x, y, xi, yi, 64, 1);
    return lower(out, {in, offset}, "three_stages");
}

Module moving_sum() {
    ImageParam in(Float(32), 1, "in");
    Param<int> length("length");
    Var x("x"), xb("xb"), xi("xi"), so("so"), si("si");
    RDom r(0, length, "r");
    Func tile("tile"), sum("sum"), out("out");
    tile(x) = in(x)*0.5f;
    sum(x) += tile(x + r);
    out(x) = sum(x);
    out.bound(x, 0, 1024).split(x, xb, xi, 64).gpu_blocks(xb).gpu_threads(xi);
    tile.compute_at(out, xb)
        .store_in(MemoryType::GPUShared)
        .split(x, so, si, 64, TailStrategy::GuardWithIf)
        .gpu_threads(si)
        .reorder(so, si);
    sum.compute_at(out, xi);
    return lower(out, {in, length}, "moving_sum");
}

Module on_the_cpu() {
    ImageParam in(Float(32), 1, "in");
    Var x("x");
    Func out("out");
    out(x) = in(x) + 1.0f;
    return lower(out, {in}, "on_the_cpu");
}

std::vector<NamedModule> all_pipelines() {
    return {{"convolution", convolution()},
            {"staged convolution", staged_convolution()},
            {"convolution of halves", convolution(4, Float(16))},
            {"scaling", scaling()},
            {"scaling of halves", scaling(Float(16))},
            {"scaling of doubles", scaling(Float(64))},
            {"bytes", integers(UInt(8))},
            {"shorts", integers(Int(16))},
            {"long integers", integers(Int(64))},
            {"mathematics", mathematics()},
            {"matrix product", matrix_product(64)},
            {"product of bytes", byte_matrix_product()},
            {"row normalisation", row_normalisation()},
            {"three stages", three_stages()}};
}

std::string_view device_text(const Module &module) {
    const Buffer<> text = module.get_device_code_buffer();
    return {static_cast<const char *>(static_cast<const void *>(text.data())),
            text.size_in_bytes()};
}

}  // namespace emulsion
