// Names of values that exist before a node runs; each is made once, and before it is read.
#pragma once

#include <string>
#include <unordered_set>

#include "fusion/error.h"

namespace onnx {
class FunctionProto;
class GraphProto;
}  // namespace onnx

namespace emulsion {

class ValueNames {
public:
    // Of a graph; `outer`: of what a branch stands in, else null. Throws Error for names that are
    // listed twice or can't be printed.
    ValueNames(const onnx::GraphProto &graph, const ValueNames *outer);
    explicit ValueNames(const onnx::FunctionProto &function);

    // A node reads, or makes, `name`. Throws Error where it can't.
    void read(const std::string &name, const ErrorPlace &place) const;
    void make(const std::string &name, const ErrorPlace &place);
    // The graph or function hands out `name`; `what` is "graph output" and the like.
    void hand_out(const std::string &name, const std::string &what) const;

private:
    bool known(const std::string &name) const;

    const ValueNames *outer_ = nullptr;
    std::unordered_set<std::string> known_;
    std::unordered_set<std::string> made_;  // by some node, perhaps a later one
};

}  // namespace emulsion
