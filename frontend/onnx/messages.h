// Turns what the onnx library and the operating system say into Emulsion's errors: one sentence with
// a place.
#pragma once

#include <cstdint>
#include <string>

#include "fusion/error.h"

namespace onnx {
class GraphProto;
class NodeProto;
}  // namespace onnx

namespace emulsion {

// `text` as one line of at most a few hundred characters, without control characters, source
// positions and the library's own tags.
std::string one_sentence(const std::string &text);

// While a model is loaded, the doc string of a node holds its index in the model's list: it survives
// the version converter, which adds nodes of its own (index -1).
void set_index(onnx::NodeProto &node, int index);
int index_of(const onnx::NodeProto &node);

ErrorPlace place_of(const onnx::NodeProto &node);

// What can be done about a loop, or a branch that is chosen while the network runs.
constexpr const char *kWithoutControlFlow =
    "export the model with its loops unrolled and its branches decided";

// Refusals of operators that ONNX does not have: of another domain, or of none at this opset.
Error no_such_domain(const std::string &domain);
Error no_such_operator(const std::string &type, int64_t opset);

// An Error for a complaint of the onnx library: "WHAT: TEXT", at the node that the text mentions if
// it mentions one of `graph`.
Error complaint(const std::string &what, const std::string &text, const onnx::GraphProto &graph);

}  // namespace emulsion
