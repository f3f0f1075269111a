// A network on a GPU as the compiler writes its tables, by hand: three launches, one of which leaves a halo,
// two inputs, and three outputs of which two are copies.
//
//     padded = x + bias               4 x 6 floats, around them a halo of 7
//     z      = up + down + left + right of padded       output 0
//     q      = z * z * scale[2]                         copied to output 1
//     bias                                              copied to output 2
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <HalideRuntime.h>

#include "runtime/tables.h"

namespace emulsion::runtime {

constexpr int kRows = 4;
constexpr int kColumns = 6;
constexpr int kPitch = kColumns + 2;
constexpr float kHalo = 7.0F;
constexpr int kScales = 5;

// What generated code calls, of one kind of device.
struct DeviceCode {
    int (*initialize)(void *context, void **state);
    void (*finalize)(void *context, void *state);
    int (*run)(void *context, void *state, const char *kernel, int blocks, size_t *sizes,
               void **arguments, int8_t *is_buffer);
    const halide_device_interface_t *(*interface)();
};

// A launch of `kernel` with these buffers, the last of which it writes, as Halide's code does it.
int run_unit(const DeviceCode &code, void **state, const char *kernel, void **arguments,
             int buffers);

// The network's tables. `code` is one for each `Kind`, which also tells them apart.
template<typename Kind>
struct Units {
    static int add(void **arguments) { return unit("add", arguments, 3); }
    static int sum(void **arguments) { return unit("sum", arguments, 2); }
    static int square(void **arguments) { return unit("square", arguments, 3); }

private:
    static int unit(const char *kernel, void **arguments, int buffers) {
        static void *state = nullptr;
        return run_unit(Kind::kCode, &state, kernel, arguments, buffers);
    }
};

class Network {
public:
    using Unit = int (*)(void **arguments);
    Network(const EmulsionGpu *gpu, const std::array<Unit, 3> &units);
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;

    const EmulsionProgram *program() const { return &program_; }
    // A weights file, at an address that fits.
    const void *weights() const { return weights_; }
    size_t weights_bytes() const { return sizeof weights_; }
    const std::array<float, kColumns> &bias() const { return bias_; }

private:
    alignas(64) unsigned char weights_[128];
    std::array<float, kColumns> bias_;
    EmulsionLaunch launches_[3];
    EmulsionOffload offload_;
    EmulsionProgram program_;
};

template<typename Kind>
const Network &network_of() {
    static const Network network(Kind::gpu(),
                                 {Units<Kind>::add, Units<Kind>::sum, Units<Kind>::square});
    return network;
}

struct Inputs {
    std::array<float, kRows * kColumns> x;
    std::array<uint8_t, kScales> scale;

    explicit Inputs(unsigned seed);
};

struct Outputs {
    std::array<float, kRows * kColumns> z, q;
    std::array<float, kColumns> bias;
    bool operator==(const Outputs &) const = default;
};

// All numbers are small integers, so that equality is the right comparison.
Outputs expected(const Network &network, const Inputs &inputs);

int run(EmulsionContext *context, const Inputs &inputs, Outputs *outputs,
        EmulsionObserver observer = nullptr, void *user = nullptr);

// What an observer saw, with the elements of the result read through its strides.
struct Seen {
    std::string label;
    double seconds;
    std::vector<float> elements;
};
// An EmulsionObserver; `user` is a std::vector<Seen>.
void see(const EmulsionEvent *event, void *user);

}  // namespace emulsion::runtime
