// Attribute access of nodes.
#include <algorithm>

#include "frontend/graph/graph.h"

namespace emulsion {

namespace {

// The attribute `key` as a T, `default_value` if it is absent.
template<typename T>
T attribute(const Node &node, const std::string &key, const char *type, const T &default_value) {
    const auto found = node.attributes.find(key);
    if (found == node.attributes.end()) {
        return default_value;
    }
    if (const T *value = std::get_if<T>(&found->second)) {
        return *value;
    }
    throw Error("attribute '" + key + "' has the wrong type; " + type + " is expected",
                node.place());
}

}  // namespace

int64_t Node::integer(const std::string &key, int64_t default_value) const {
    return attribute<int64_t>(*this, key, "an integer", default_value);
}

double Node::real(const std::string &key, double default_value) const {
    return attribute<double>(*this, key, "a real number", default_value);
}

std::string Node::text(const std::string &key, const std::string &default_value) const {
    return attribute<std::string>(*this, key, "a string", default_value);
}

std::vector<int64_t> Node::integers(const std::string &key,
                                    const std::vector<int64_t> &default_value) const {
    return attribute<std::vector<int64_t>>(*this, key, "a list of integers", default_value);
}

int Node::result_index() const {
    const auto computed = std::find_if(outputs.begin(), outputs.end(),
                                       [](TensorId output) { return output != kNoTensor; });
    return static_cast<int>(computed - outputs.begin());
}

ErrorPlace Node::place() const {
    ErrorPlace place;
    place.node = name;
    place.node_index = index;
    place.operator_type = operator_type;
    return place;
}

}  // namespace emulsion
