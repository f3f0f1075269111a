#include "frontend/onnx/names.h"

#include <cstddef>
#include <cstdint>

namespace emulsion {

namespace {

// Exporters build names from module paths; a few hundred bytes are common.
constexpr size_t kLongestName = 4096;

// Bytes of the UTF-8 character at `text[at]`, 0 if it is none (overlong forms, surrogates and
// characters past U+10FFFF included).
size_t character_size(const std::string &text, size_t at) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
    const uint8_t first = byte(at);
    const size_t size = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
    if (size == 0 || at + size > text.size()) {
        return 0;
    }
    for (size_t i = 1; i < size; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    if (size > 2) {
        const uint8_t second = byte(at + 1);
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
            (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
            return 0;
        }
    }
    return size;
}

bool printable(const std::string &name) {
    for (size_t at = 0; at < name.size();) {
        const size_t size = character_size(name, at);
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
