// Text of unknown origin, character by character.
#pragma once

#include <cstddef>
#include <string_view>

namespace emulsion {

// Bytes of the UTF-8 character at `text[at]`, 0 if it is none (overlong forms, surrogates and
// characters past U+10FFFF included).
size_t utf8_character_size(std::string_view text, size_t at);

}  // namespace emulsion
