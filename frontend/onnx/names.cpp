#include "frontend/onnx/names.h"

#include <cstddef>
#include <cstdint>

#include "frontend/onnx/utf8.h"

namespace emulsion {

namespace {

// Exporters build names from module paths; a few hundred bytes are common.
constexpr size_t kLongestName = 4096;

bool printable(const std::string &name) {
    for (size_t at = 0; at < name.size();) {
        const size_t size = utf8_character_size(name, at);
        const auto first = static_cast<uint8_t>(name[at]);
        if (size == 0 || first < 0x20 || first == 0x7F) {
            return false;
        }
        at += size;
    }
    return true;
}

}  // namespace

void require_printable(const std::string &name, const std::string &what, const ErrorPlace &place) {
    if (name.empty()) {
        throw Error(what + " is empty", place);
    }
    if (name.size() > kLongestName) {
        throw Error(what + " has " + std::to_string(name.size()) + " bytes, more than the " +
                        std::to_string(kLongestName) + " accepted",
                    place);
    }
    if (!printable(name)) {
        throw Error(what + " is no printable text", place);
    }
}

}  // namespace emulsion
