// The code that a module's kernels became, as files for tools and for people: a code object per chip,
// and beside it for each kernel a description in JSON.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "backend/amdgpu/module.h"

namespace emulsion {

// Names of the model's tensors by names of the module's buffers; a buffer that isn't in it keeps its
// own.
using TensorNames = std::map<std::string, std::string>;

// Writes
//     NAME.CHIP.hsaco     the code object of all kernels
//     KERNEL.CHIP.json    name, chip, file of the code object, launches (grid, block, LDS bytes),
//                         kernarg bytes, arguments in order (offset, bytes, type, tensor), registers,
//                         waves per SIMD, findings
//     NAME.kernels.json   the launches of a run in order (kernel, file: its description without
//                         ".CHIP.json", grid, block, LDS bytes, names of the arguments), and the buffers
//                         between them, which the code on the host allocates (name, type, dimensions)
// into `folder`, which is made if need be, and gives the files in the order in which they were written.
// A grid or block that isn't constant is the text of its expression. Throws Error (failed) if a file
// can't be written.
std::vector<std::filesystem::path> emit_kernels(const HipModule &hip, const std::string &name,
                                                const std::filesystem::path &folder,
                                                const TensorNames &tensors = {});

}  // namespace emulsion
