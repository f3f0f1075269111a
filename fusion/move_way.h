// What becomes of an operator that does nothing but move axes (a Transpose), or merge and split some and keep others
// (a Reshape; keeps_axes), and of one whose result is for the caller only.
#pragma once

#include <vector>

namespace emulsion {

enum class MoveWay {
    Moved,    // a kernel moves the elements, unless both sides lie alike as it is
    Free,     // nothing is moved where no loop nest has to run across its tensors' order for it
    Read,     // the result lies as the operand does; readers get along with that
    Written,  // the operand of a Transpose lies as the result does; its producer gets along with that
    // A result for the caller lies as its operator likes, and is copied into the caller's order; else it is written in that.
    Converted,
};
// By operator; those beyond the end, and all other operators, are Moved.
using MoveWays = std::vector<MoveWay>;

}  // namespace emulsion
