#include "tests/pipelines/named_pipelines.h"

namespace emulsion::test {

using Halide::Func;
using Halide::Var;

NamedPipeline convolutions(const std::vector<std::string> &prefixes) {
    const Var c("c"), x("x"), y("y");
    Halide::ImageParam image(Halide::Float(32), 3, "image"), first(Halide::Float(32), 4, "first"),
        second(Halide::Float(32), 4, "second");
    image.set_estimates({{0, 32}, {0, 58}, {0, 58}});
    first.set_estimates({{0, 64}, {0, 32}, {0, 3}, {0, 3}});
    second.set_estimates({{0, 64}, {0, 64}, {0, 1}, {0, 1}});
    NamedPipeline made;
    const std::vector<std::string> stages = {"sum", "relu", "mix", "added"};
    std::vector<Func> funcs;
    for (size_t i = 0; i < stages.size(); i++) {
        funcs.emplace_back(prefixes[i] + stages[i]);
        made.names[prefixes[i] + stages[i]] = stages[i];
    }
    const Halide::RDom r(0, 32, 0, 3, 0, 3, "r"), q(0, 64, "q");
    funcs[0](c, x, y) = 0.0f;
    funcs[0](c, x, y) += image(r.x, x + r.y, y + r.z) * first(c, r.x, r.y, r.z);
    funcs[1](c, x, y) = max(funcs[0](c, x, y), 0.0f);
    funcs[2](c, x, y) = 0.0f;
    funcs[2](c, x, y) += funcs[1](q, x, y) * second(c, q, 0, 0);
    funcs[3](c, x, y) = funcs[2](c, x, y) + funcs[1](c, x, y);
    funcs[3].set_estimates({{0, 64}, {0, 56}, {0, 56}});
    made.outputs = {funcs[3]};
    return made;
}

}  // namespace emulsion::test
