// How the elements of an operand map to the elements of a result: the classification that fusion
// rules are written in (the term is DNNFusion's, Niu et al., PLDI 2021, section 3).
#pragma once

#include <string_view>

namespace emulsion {

// In rising order of transformation impedance: of several edges the most complex wins.
enum class MappingType {
    OneToOne,    // one output element from one input element, same coordinates
    Reorganize,  // the shape differs, the flattened order is the same
    Shuffle,     // the same values at permuted positions
    OneToMany,   // an input element feeds several outputs (a broadcast)
    ManyToMany,  // an output element needs several inputs (a reduction, a window)
    Opaque,      // index expressions that depend on data, or that no rule recognises
};

std::string_view to_string(MappingType type);

// Type of an operator from the types of its edges, "the most complex wins".
MappingType most_complex(MappingType a, MappingType b);

}  // namespace emulsion
