// From an ONNX file to a tensor graph: the untrusted side. Everything that can be wrong with a file
// is found here and refused; what comes out has passed ONNX's checker, has a type and a
// shape for every value, and no functions, at the opset that operators are written for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontend/graph/graph.h"
#include "frontend/graph/support_report.h"

namespace emulsion {

// Upper bounds on what a model file may ask for. ONNX itself sets none.
struct LoadLimits {
    int64_t file_bytes = int64_t{2} << 30;       // protobuf's own limit
    int64_t external_bytes = int64_t{16} << 30;  // sum of external data
    int64_t nodes = 1'000'000;
    int node_values = 1024;                      // operands, and results, of one node
    int64_t tensor_elements = int64_t{1} << 40;  // of any value
    int rank = 8;
    int nesting = 64;  // protobuf recursion
};

// Opset of ai.onnx that operators are written for. Nodes of older and newer models are brought into
// its form, or refused (naming the attribute).
constexpr int64_t kOpset = 22;

// Sizes that a model leaves open, by the name of an input ({1, 3, 224, 224}) or of a symbol in the
// inputs' shapes ({1}).
using InputShapes = std::map<std::string, std::vector<int64_t>>;

// A model, as far as it could be loaded.
struct ImportedModel {
    // All of it if the report is clean. Otherwise the nodes that were refused, and those that depend on them,
    // are left out, and what they read counts as an output: what remains can be looked at further.
    Graph graph;
    std::shared_ptr<SupportReport> report;  // never null
};

// A model in memory.
struct ModelBytes {
    std::string name;                  // what messages call it
    std::span<const std::byte> bytes;  // as a file has them; not read any more once it is loaded
    std::string folder;                // of external data; empty: models that have such are refused
};

// Loads, checks, inlines, upgrades and types the model. All shapes of the graph are known: sizes that
// the model leaves open must be in `shapes`. Throws Error (file, cause) for a file that is damaged, which
// is an UnsupportedModel where something was refused before.
ImportedModel import_model(const std::string &path, const LoadLimits &limits = {},
                           const InputShapes &shapes = {});

ImportedModel import_model(const ModelBytes &bytes, const LoadLimits &limits = {},
                           const InputShapes &shapes = {});

// The same for a model without refusals. Throws UnsupportedModel for one that has some.
Graph load_model(const std::string &path, const LoadLimits &limits = {},
                 const InputShapes &shapes = {});

}  // namespace emulsion
