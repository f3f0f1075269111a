#include "bench/explain/markup.h"

#include <algorithm>

#include "frontend/onnx/utf8.h"

namespace emulsion {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";     // U+2026

bool allowed(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    return (first >= 0x20 && first != 0x7F) || first == '\n' || first == '\t';
}

// U+FFFE and U+FFFF are UTF-8 and yet no characters.
bool is_noncharacter(std::string_view character) {
    return character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

}  // namespace

std::string escape_markup(std::string_view text) {
    std::string escaped;
    for (size_t at = 0; at < text.size();) {
        const size_t size = utf8_character_size(text, at);
        const std::string_view character = text.substr(at, std::max<size_t>(size, 1));
        at += character.size();
        if (size == 0 || !allowed(character) || is_noncharacter(character)) {
            escaped += kReplacement;
            continue;
        }
        switch (character[0]) {
        case '&': escaped += "&amp;"; break;
        case '<': escaped += "&lt;"; break;
        case '>': escaped += "&gt;"; break;
        case '"': escaped += "&quot;"; break;
        case '\'': escaped += "&#39;"; break;
        default: escaped += character;
        }
    }
    return escaped;
}

size_t count_characters(std::string_view text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); count++) {
        at += std::max<size_t>(utf8_character_size(text, at), 1);
    }
    return count;
}

std::string keep_end(std::string_view text, size_t limit) {
    const size_t count = count_characters(text);
    if (count <= limit) {
        return std::string(text);
    }
    size_t at = 0;
    for (size_t left_out = count - limit + 1; left_out > 0; left_out--) {
        at += std::max<size_t>(utf8_character_size(text, at), 1);
    }
    return std::string(kEllipsis) + std::string(text.substr(at));
}

}  // namespace emulsion
