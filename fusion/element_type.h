// What an element of a tensor is to arithmetic.
#pragma once

namespace emulsion {

enum class ElementKind { Int, UInt, Float };

struct ElementType {
    ElementKind kind = ElementKind::Float;
    int bits = 32;  // 1: true or false, a byte in memory

    constexpr int bytes() const { return (bits + 7) / 8; }
    // Of the kind, as generated code and its buffers have it (halide_type_code_t).
    constexpr int code() const { return static_cast<int>(kind); }
    bool operator==(const ElementType &) const = default;
};

}  // namespace emulsion
