// The drawing of a plan as files.
#pragma once

#include <string>

#include "bench/explain/drawing.h"

namespace emulsion {

// A drawing that lay_out has seen, as an SVG image that needs no other file. Equal drawings give equal
// text.
std::string render_svg(const Drawing &drawing);

// A picture of a plan; of every operator where they are few enough.
struct Picture {
    std::string svg;   // empty: there are too many groups even
    std::string note;  // what it leaves out and why; empty: nothing
};

Picture draw(const Explanation &explanation);

}  // namespace emulsion
