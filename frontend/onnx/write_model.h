// A graph as an ONNX model again, with notes on its nodes: what `emulsion explain --onnx` writes and
// viewers such as Netron show.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/graph/graph.h"

namespace emulsion {

// Entries of a node's or a model's metadata_props.
using Metadata = std::map<std::string, std::string>;

// The bytes of a model's file in pieces, for weights are not copied: they are those of the graph,
// which has to outlive this.
struct SerializedModel {
    std::deque<std::string> made;
    std::vector<std::string_view> model;
    std::vector<std::string_view> data;  // of the file beside it that large weights are in, if any
};

// More bytes of weights than this are not kept in the model itself: protobuf ends at 2 GiB.
constexpr int64_t kMostEmbeddedBytes = (int64_t{2} << 30) - (int64_t{64} << 20);

// `graph`, loaded and perhaps through passes, at the opset that operators are written for, or at the
// next one that has all of its operators. `node_metadata`: of every node. `data_name`: name of the file
// for large weights, in the model's folder; they go there where there are more than `most_embedded`
// bytes in all. Throws Error, naming the node, for an operator or attribute that ONNX does not have.
SerializedModel serialize_model(const Graph &graph, const std::vector<Metadata> &node_metadata,
                                const Metadata &model_metadata, const std::string &data_name,
                                int64_t most_embedded = kMostEmbeddedBytes);

}  // namespace emulsion
