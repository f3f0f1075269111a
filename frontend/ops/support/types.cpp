#include "frontend/ops/operator.h"

namespace emulsion {

static_assert(ElementType{ElementKind::Int, 8}.code() == halide_type_int);
static_assert(ElementType{ElementKind::UInt, 8}.code() == halide_type_uint);
static_assert(ElementType{ElementKind::Float, 32}.code() == halide_type_float);

Halide::Type halide_type(DataType type) {
    const ElementType element = traits_of(type).element;
    return {static_cast<halide_type_code_t>(element.code()), element.bits, 1};
}

}  // namespace emulsion
