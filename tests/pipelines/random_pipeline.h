// Pipelines made at random of what Halide's language has: right in types and bounds by construction.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace emulsion::test {

struct PipelineSize {
    int fewest_stages = 1, most_stages = 40;  // about: some kinds add two
    int64_t most_elements = 12'000;           // of an output, about
};

struct RandomPipeline {
    std::vector<Halide::Func> outputs;
    std::vector<std::vector<int>> extents;  // of the outputs: not always as estimated
    std::map<std::string, Halide::JITExtern> externs;
    std::vector<Halide::Param<int>> parameters;  // set
    std::vector<Halide::ImageParam> inputs;      // set
    std::map<std::string, int> kinds;            // how often each was added
    std::vector<std::string> funcs;              // all that stages may read, inputs excepted

    int stages() const;
};

// What the Funcs are called: by their kind and number.
using PipelineNames = std::function<std::string(const std::string &kind, int number)>;

// Equal seeds make equal pipelines, anew each time; without `names`, a Func is called KIND_NUMBER.
RandomPipeline random_pipeline(uint64_t seed, const PipelineSize &size = {},
                               const PipelineNames &names = {});

}  // namespace emulsion::test
