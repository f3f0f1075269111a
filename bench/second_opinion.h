// Whether a result or its reference is the one that is far from what exact arithmetic gives.
#pragma once

#include <string>
#include <vector>

#include "bench/compare.h"
#include "bench/json_file.h"
#include "bench/reference.h"

namespace emulsion {

// How far the network's results and ONNX Runtime's are from those in double precision, on one input.
struct SecondOpinion {
    Difference network, onnxruntime;
    std::string unknown;  // why it isn't known, or ""

    // ONNX Runtime is above the bound too, and the network no more than twice as far.
    bool reference_is_as_far() const;
};

// What the network made of its inputs, and what the reference did.
struct ComparedRun {
    std::vector<Array> inputs, outputs, expected;
};

// The reference of `run` was engine `judge`; the other engine is asked. Never throws for what an engine can't do.
SecondOpinion second_opinion(PythonReference::Engine judge, const std::string &model,
                             const std::string &python, const Artifact &network,
                             const ComparedRun &run);

// One sentence.
std::string describe(const SecondOpinion &opinion);
Json to_json(const SecondOpinion &opinion);

}  // namespace emulsion
