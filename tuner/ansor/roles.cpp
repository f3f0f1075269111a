#include "tuner/ansor/roles.h"

#include <algorithm>
#include <cctype>

namespace emulsion {

namespace {

// Of the number of a stage at the beginning of a name, its digits and the dot; 0 where there is none.
size_t prefix_length(const std::string &name) {
    const auto end = std::find_if_not(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
    const bool has = end != name.begin() && end != name.end() && *end == '.';
    return has ? static_cast<size_t>(end - name.begin()) + 1 : 0;
}

}  // namespace

std::string own_name(const NestParameter &parameter) {
    return parameter.name.substr(prefix_length(parameter.name));
}

size_t stage_of(const NestParameter &parameter) {
    const size_t length = prefix_length(parameter.name);
    return length > 0 ? std::stoul(parameter.name.substr(0, length - 1)) : 0;
}

ParameterRole role_of(const NestParameter &parameter) {
    const std::string name = own_name(parameter);
    if (parameter.unit == "placement" || name == "slide" || name == "sweep") {
        return ParameterRole::Location;
    }
    if (name.starts_with("unroll")) {
        return ParameterRole::Unroll;
    }
    if (name.starts_with("task") || name == "serial" || name == "share") {
        return ParameterRole::Parallel;
    }
    return parameter.type == NestType::Count ? ParameterRole::Tile : ParameterRole::Structure;
}

}  // namespace emulsion
