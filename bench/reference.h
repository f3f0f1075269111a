// Results to verify against.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/artifact_reader.h"
#include "bench/npy.h"

namespace emulsion {

struct Reference {
    std::string source;                       // "ONNX Runtime 1.31.1"
    std::vector<std::vector<Array>> outputs;  // [run][output], types and shapes as the network's
    std::map<std::string, Array> values;      // inner values of the first run
    std::vector<std::string> skipped;         // values that were asked for and the model lacks
};

// What ONNX Runtime makes of `inputs` ([run][input]) with `model`, in a Python process of its own.
// `values` names inner values that are wanted of the first run. Throws Error (failed) when ONNX
// Runtime is not there or fails, or when the model's outputs are not the network's.
Reference run_onnxruntime(const std::string &model, const std::string &python,
                          const Artifact &network, const std::vector<std::vector<Array>> &inputs,
                          const std::vector<std::string> &values);

// One run's results from files, as NAME=FILE.npy, as files named after outputs (what `run` writes),
// or as the one file of the one output. Throws Error where they are not the network's outputs.
Reference read_reference(const std::vector<std::string> &files, const Artifact &network);

}  // namespace emulsion
