// A look at a serialised model before it is parsed. Parsing can need a hundred times the file's
// size: an empty message of two bytes becomes an object of a few hundred.
#pragma once

#include <cstddef>

namespace emulsion {

// Walks `bytes`, a serialised onnx::ModelProto. Throws Error when it is damaged, nested more than
// `nesting` deep, or when parsing it would need gigabytes beside its plain data.
void scan_wire(const std::byte *bytes, size_t size, int nesting);

}  // namespace emulsion
