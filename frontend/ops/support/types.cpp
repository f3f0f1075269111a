#include "frontend/ops/operator.h"

namespace emulsion {

Halide::Type halide_type(DataType type) {
    switch (type) {
    case DataType::F32: return Halide::Float(32);
    case DataType::F64: return Halide::Float(64);
    case DataType::I8: return Halide::Int(8);
    case DataType::I16: return Halide::Int(16);
    case DataType::I32: return Halide::Int(32);
    case DataType::I64: return Halide::Int(64);
    case DataType::U8: return Halide::UInt(8);
    case DataType::U16: return Halide::UInt(16);
    case DataType::U32: return Halide::UInt(32);
    case DataType::U64: return Halide::UInt(64);
    case DataType::Bool: break;
    }
    return Halide::Bool();
}

}  // namespace emulsion
