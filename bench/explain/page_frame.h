// What surrounds every page of `explain`: its style, the picture with its tools, the script.
#pragma once

#include <string>

#include "bench/explain/picture.h"

namespace emulsion {

// One file that needs no other. `title` is text; `header` and `tables` are markup.
std::string framed_page(const std::string &title, const std::string &header, const Picture &picture,
                        const std::string &tables);

// An entry of a header's list of figures.
std::string page_figure(const std::string &value, const char *what);

}  // namespace emulsion
