// A failing graph as files: the model, its inputs and what its outputs should be, and how to repeat it.
#pragma once

#include <string>

#include "tests/graphs/trial.h"

namespace emulsion::test {

// Writes FOLDER/NAME.onnx, FOLDER/NAME.txt and FOLDER/NAME.inputs/*.npy. Returns the model's path.
std::string write_finding(const std::string &folder, const std::string &name,
                          const GraphCase &example, const ConfigurationEnd &end);

// The graph of a model's file, with the inputs that lie beside it, or else random ones.
GraphCase read_case(const std::string &model);

}  // namespace emulsion::test
