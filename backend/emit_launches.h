// How the kernels of a GPU's network play together, as a file: with the code objects, all that it takes to run
// the network without this program.
#pragma once

#include <filesystem>

#include "backend/program.h"

namespace emulsion {

// Writes {arena_bytes, weights_bytes, inputs and outputs = [ {tensor, type, shape, offset} ] in the arena,
// launches = [ {label, unit, arguments = [ {tensor, type, storage, offset, dimensions = [ {min, extent, stride}
// ] } ], the result last, halos = [ {argument, before, after, value} ] ] } ], copies = [ {output, argument, bytes}
// ] }: outputs, by their position, that no launch writes; after the last one they lie where `argument` says. The
// value of a halo is a number or "lowest", the lowest finite one of the type. A unit's kernels and what lies between
// them are in its own files (backend/amdgpu/emit.h). Offsets are bytes to the element at the
// minima; of weights, in the weights file behind its header. Halos are filled once, before the first run. Throws
// Error (failed).
void emit_launches(const Graph &graph, const Program &program, const std::filesystem::path &file);

}  // namespace emulsion
