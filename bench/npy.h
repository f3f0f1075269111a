// Reading and writing of NumPy's .npy files, format versions 1 and 2: little-endian, row-major
// arrays of the element types that tensors have. Files come from users: everything else is refused
// with an Error that names the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "frontend/graph/data_type.h"

namespace emulsion {

// A tensor on its own: element type, extents, elements in row-major order.
struct Array {
    DataType type = DataType::F32;
    std::vector<int64_t> shape;
    std::vector<std::byte> bytes;

    bool operator==(const Array &) const = default;
};

// Elements of an array of this shape times `element_bytes`, checked: throws Error for a negative
// extent and for what does not fit 63 bits.
int64_t checked_bytes(std::span<const int64_t> shape, int element_bytes);

// "f32 1x3x224x224"; a tensor of rank 0 is "f32 scalar".
std::string describe(DataType type, std::span<const int64_t> shape);

// Decodes the bytes of a .npy file; `name` is for messages.
Array parse_npy(std::span<const std::byte> file, const std::string &name);
Array read_npy(const std::string &path);

// The header that goes before the elements: 64-byte aligned, as NumPy writes it.
std::string npy_header(DataType type, std::span<const int64_t> shape);
// Written under a temporary name, then renamed. Throws Error (failed) when that is impossible.
void write_npy(const std::string &path, const Array &array);

}  // namespace emulsion
