// The constants of a network as one buffer of f32, for pipelines that take them as one argument.
#pragma once

#include <Halide.h>

#include <map>
#include <string>

#include "frontend/graph/graph.h"

namespace emulsion {

class WeightsBlob {
public:
    // Places every constant that Funcs of `graph` read. Throws Error for those that are not f32.
    explicit WeightsBlob(const Graph &graph);

    // In elements.
    int64_t size() const { return size_; }
    // A Func for each constant: argument i is axis i, values are read from `blob` (one dimension).
    std::map<TensorId, Halide::Func> funcs(const Halide::Func &blob) const;
    // Writes size() elements, in the machine's byte order. Throws Error (failed).
    void write(const std::string &path) const;

private:
    struct Entry {
        int64_t offset = 0;
        std::vector<int64_t> extents;
        std::vector<int64_t> strides;
    };

    const Graph *graph_;
    std::map<TensorId, Entry> entries_;
    int64_t size_ = 0;
};

}  // namespace emulsion
