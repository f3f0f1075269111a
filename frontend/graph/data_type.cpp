#include "frontend/graph/data_type.h"

#include <algorithm>

#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr DataTypeTraits kDataTypes[] = {
#define EMULSION_TRAITS(type, value, kind, bits, name, onnx, numpy) \
    {DataType::type, {ElementKind::kind, bits}, name, onnx, numpy},
    EMULSION_DATA_TYPES(EMULSION_TRAITS)
#undef EMULSION_TRAITS
};

}  // namespace

std::span<const DataTypeTraits> all_data_types() { return kDataTypes; }

const DataTypeTraits &traits_of(DataType type) { return kDataTypes[static_cast<size_t>(type)]; }

int size_of(DataType type) { return traits_of(type).element.bytes(); }

std::string_view to_string(DataType type) { return traits_of(type).name; }

DataType data_type_from_string(std::string_view name) {
    for (const DataTypeTraits &traits : kDataTypes) {
        if (traits.name == name) {
            return traits.type;
        }
    }
    throw Error("unknown element type '" + std::string(name) + "'");
}

bool is_float(DataType type) { return traits_of(type).element.kind == ElementKind::Float; }

std::string c_enumerator(DataType type) {
    std::string text(to_string(type));
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return text;
}

}  // namespace emulsion
