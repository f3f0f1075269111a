#include "frontend/onnx/utf8.h"

#include <cstdint>

namespace emulsion {

size_t utf8_character_size(std::string_view text, size_t at) {
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

}  // namespace emulsion
