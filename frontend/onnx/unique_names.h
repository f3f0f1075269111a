// Names for values that the model's graph does not name: those inside functions and branches, and
// those that the loader adds.
#pragma once

#include <string>
#include <unordered_map>

namespace onnx {
class GraphProto;
}

namespace emulsion {

class UniqueNames {
public:
    // The values of `graph` keep their names.
    explicit UniqueNames(const onnx::GraphProto &graph);

    // `name`, with a number behind it if it is in use.
    std::string make(const std::string &name);

private:
    std::unordered_map<std::string, int> uses_;
};

// What the names of a body's nodes and values begin with when a node of this name leads there:
// "name/", shortened in front where calls are nested deeply.
std::string name_prefix(const std::string &name);

}  // namespace emulsion
