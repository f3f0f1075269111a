// What a compiled network does when it runs, as data: the launches in order, the memory each of
// their arguments lies in, the halos to fill. Made by backend/, turned into tables of C that
// runtime/ interprets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/graph/data_type.h"
#include "frontend/graph/graph.h"
#include "frontend/lower/network.h"
#include "fusion/layout.h"

namespace emulsion {

enum class Storage { Arena, Weights, Input, Output };
// "arena", "weights", "input", "output".
const char *to_string(Storage storage);

// A buffer argument: where its allocation starts, and its dimensions as a halide_buffer_t has them.
struct BufferView {
    Storage storage = Storage::Arena;
    int index = 0;       // which network input or output
    int64_t offset = 0;  // bytes from the start of the storage to the element at (min, min, ...)
    DataType type = DataType::F32;
    std::vector<BufferDimension> dimensions;
    int block_axis = -1;  // the layout's blocked axis: the last dimension then holds its lanes
    int64_t block = 1;
    TensorId tensor = kNoTensor;  // of the network's graph, for names and shapes
};

// A halo to be filled before a launch writes the interior of a tensor.
struct HaloFill {
    int view = -1;               // view of the whole allocation, halo included
    std::vector<Margin> margin;  // per dimension
    double value = 0.0;
    bool once = false;  // before the first run only: nothing else lies in this memory
};

struct Launch {
    std::string unit;  // symbol of the unit's function
    std::string label;
    std::vector<int> views;  // inputs, then the output (interior)
    std::vector<HaloFill> fills;
};

// A network output that no launch writes (it is also an input, a constant or another output): copied
// after the last launch.
struct OutputCopy {
    int view = -1;
    int output = 0;
    int64_t bytes = 0;
};

struct Program {
    std::vector<BufferView> views;
    std::vector<Launch> launches;
    std::vector<OutputCopy> copies;
    std::vector<TensorId> inputs, outputs;  // of the network's graph
    int64_t arena_bytes = 0;
    int64_t live_bytes = 0;  // largest sum of the live tensors' bytes, halos not counted
    // On a GPU the arena holds the caller's inputs and outputs too, at these offsets.
    bool on_gpu = false;
    std::vector<int64_t> device_inputs, device_outputs;
    int64_t device_weights_bytes = 0;  // of the weights: what its kernels read comes first
    int64_t weights_bytes = 0;         // without the file's header
};

// A constant to be written to the weights file.
struct WeightEntry {
    Tensor tensor;
    Layout layout;
    int64_t offset = 0;  // bytes, a multiple of 64
};

struct LinkedNetwork {
    Program program;
    std::vector<WeightEntry> weights;
};

// The network for a GPU, and the same one for a CPU with its weights behind those of the first, in one file:
// both get the weights of both.
void share_weights_file(LinkedNetwork &gpu, LinkedNetwork &cpu);

// Places every planned value in the arena, the weights file or the caller's buffers. Constants have been computed
// (compute_constants). Throws Error for
// a tensor whose strides don't fit the 32 bits of a buffer descriptor.
LinkedNetwork place(const PlannedNetwork &network);

}  // namespace emulsion
