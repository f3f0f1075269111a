#include "frontend/graph/data_type.h"

#include <array>
#include <string>

#include "fusion/error.h"

namespace emulsion {

namespace {

struct TypeFacts {
    DataType type;
    std::string_view name;
    int bytes;
};

constexpr std::array<TypeFacts, 11> kTypes = {{{DataType::F32, "f32", 4},
                                               {DataType::F64, "f64", 8},
                                               {DataType::I8, "i8", 1},
                                               {DataType::I16, "i16", 2},
                                               {DataType::I32, "i32", 4},
                                               {DataType::I64, "i64", 8},
                                               {DataType::U8, "u8", 1},
                                               {DataType::U16, "u16", 2},
                                               {DataType::U32, "u32", 4},
                                               {DataType::U64, "u64", 8},
                                               {DataType::Bool, "bool", 1}}};

const TypeFacts &facts(DataType type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

int size_of(DataType type) { return facts(type).bytes; }

std::string_view to_string(DataType type) { return facts(type).name; }

DataType data_type_from_string(std::string_view name) {
    for (const TypeFacts &f : kTypes) {
        if (f.name == name) {
            return f.type;
        }
    }
    throw Error("unknown element type '" + std::string(name) + "'");
}

bool is_float(DataType type) { return type == DataType::F32 || type == DataType::F64; }

}  // namespace emulsion
