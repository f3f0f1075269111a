// A pipeline that tests of lowered code look at.
#pragma once

#include <Halide.h>

#include "autoscheduler/lowered/keep_statement.h"

namespace emulsion::test {

// Sums of 8 products of 32 x 16 elements, of which the result takes what is above 0.
struct Product {
    Halide::Var x{"x"}, y{"y"};
    Halide::RDom k{0, 8, "k"};
    Halide::ImageParam a{Halide::Float(32), 2, "a"}, b{Halide::Float(32), 2, "b"};
    Halide::Func sum{"sum"}, out{"out"};

    Product() {
        a.dim(0).set_bounds(0, 8).dim(1).set_bounds(0, 16).set_stride(8);
        b.dim(0).set_bounds(0, 32).dim(1).set_bounds(0, 8).set_stride(32);
        sum(x, y) += a(k, y) * b(x, k);
        out(x, y) = Halide::max(sum(x, y), 0.0f);
        out.output_buffer().dim(0).set_bounds(0, 32);
        out.output_buffer().dim(1).set_bounds(0, 16).set_stride(32);
    }

    Halide::Internal::Stmt lowered() {
        Halide::Pipeline pipeline(out);
        const KeptStatement kept(pipeline);
        const Halide::Target plain("x86-64-linux-no_asserts-no_bounds_query-no_runtime");
        pipeline.compile_to_module({a, b}, "product", plain);
        return kept.statement();
    }
};

}  // namespace emulsion::test
