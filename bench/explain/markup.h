// Text of unknown origin, such as a model's names, inside XML and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace emulsion {

// `text` as the content of an element or of a quoted attribute. What XML does not allow, control
// characters and bytes that are no UTF-8, becomes U+FFFD.
std::string escape_markup(std::string_view text);

// Characters of UTF-8; a byte that belongs to none counts as one.
size_t count_characters(std::string_view text);

// At most `limit` characters: of a longer text its end, for there names differ, behind an ellipsis.
std::string keep_end(std::string_view text, size_t limit);

}  // namespace emulsion
