#include "frontend/onnx/shapes_text.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

// "1x3x224x224"; empty if it is no list of positive integers.
std::vector<int64_t> parse_sizes(std::string_view text) {
    std::vector<int64_t> sizes;
    const char *at = text.data();
    const char *const end = at + text.size();
    while (true) {
        int64_t size = 0;
        const auto [rest, problem] = std::from_chars(at, end, size);
        if (problem != std::errc() || size < 1) {
            return {};
        }
        sizes.push_back(size);
        if (rest == end) {
            return sizes;
        }
        if (*rest != 'x') {
            return {};
        }
        at = rest + 1;
    }
}

}  // namespace

InputShapes parse_shapes(const std::vector<std::string> &texts, const std::string &option,
                         char separator) {
    InputShapes shapes;
    for (const std::string &text : texts) {
        const size_t split = text.rfind(separator);
        const std::string name = text.substr(0, split);
        const std::vector<int64_t> sizes =
            split == std::string::npos ? std::vector<int64_t>()
                                       : parse_sizes(std::string_view(text).substr(split + 1));
        if (name.empty() || sizes.empty()) {
            throw Error(fmt::format("{} expects INPUT{}1x3x224x224 or SYMBOL{}1, given '{}'",
                                    option, separator, separator, text));
        }
        if (!shapes.emplace(name, sizes).second) {
            throw Error(fmt::format("{} names '{}' twice", option, name));
        }
    }
    return shapes;
}

}  // namespace emulsion
