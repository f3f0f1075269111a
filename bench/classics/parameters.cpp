#include "bench/classics/parameters.h"

#include <sstream>

#include <fmt/format.h>

#include "fusion/error.h"

namespace emulsion::classics {

Parameters parameters_from(const std::string &text) {
    Parameters parameters;
    std::istringstream in(text);
    for (std::string each; std::getline(in, each, ',');) {
        const size_t equals = each.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == each.size()) {
            throw Error(fmt::format(
                "'{}' is no parameter of a generator with its value; write width=640,height=480",
                each));
        }
        if (!parameters.emplace(each.substr(0, equals), each.substr(equals + 1)).second) {
            throw Error(fmt::format("the parameter '{}' has two values", each.substr(0, equals)));
        }
    }
    return parameters;
}

std::string text_of(const Parameters &parameters) {
    std::string text;
    for (const auto &[name, value] : parameters) {
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
    }
    return text;
}

}  // namespace emulsion::classics
