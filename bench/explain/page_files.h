// Files of this folder that are part of what `explain` writes, as text (see emulsion_embed() in cmake/).
#pragma once

#include <string_view>

namespace emulsion {

std::string_view drawing_style();  // drawing.css
std::string_view page_style();     // page.css
std::string_view page_script();    // page.js

}  // namespace emulsion
