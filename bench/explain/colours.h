// Colours that tell neighbouring groups apart.
#pragma once

#include <string>

namespace emulsion {

struct GroupColours {
    std::string fill, line;  // "#rrggbb": pale, for areas under dark text; and darker
};

// Those of the group with this number, in every picture the same.
GroupColours colours_of(int group);

}  // namespace emulsion
