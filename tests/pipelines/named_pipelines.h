// Pipelines whose Funcs may be called otherwise.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

namespace emulsion::test {

struct NamedPipeline {
    std::vector<Halide::Func> outputs;
    std::map<std::string, std::string> names;  // what Funcs are called elsewhere
};

// Two convolutions with what follows them: planned as a network. `prefixes`: of the names of its four stages, which
// decide their alphabetical order.
NamedPipeline convolutions(const std::vector<std::string> &prefixes);

}  // namespace emulsion::test
