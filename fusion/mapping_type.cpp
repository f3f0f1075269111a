#include "fusion/mapping_type.h"

#include <algorithm>

namespace emulsion {

std::string_view to_string(MappingType type) {
    switch (type) {
    case MappingType::OneToOne: return "One-to-One";
    case MappingType::Reorganize: return "Reorganize";
    case MappingType::Shuffle: return "Shuffle";
    case MappingType::OneToMany: return "One-to-Many";
    case MappingType::ManyToMany: return "Many-to-Many";
    case MappingType::Opaque: return "Opaque";
    }
    return "Opaque";
}

MappingType most_complex(MappingType a, MappingType b) { return std::max(a, b); }

}  // namespace emulsion
