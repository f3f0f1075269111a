#include "tests/graphs/halide_runtime.h"

namespace emulsion::test {

void compile_halide_runtime(const Halide::Target &target) {
    Halide::Func nothing("nothing");
    nothing() = 0;
    nothing.compile_jit(target);
}

}  // namespace emulsion::test
