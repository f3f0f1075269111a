// What the tests of the device runtime share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <HalideRuntime.h>

#include "runtime/gpu/bundle.h"
#include "runtime/gpu/device.h"

namespace emulsion::runtime::gpu {

// Keeps what halide_error() is given while it lives, instead of Halide's end of the program.
class Errors {
public:
    Errors();
    ~Errors();
    Errors(const Errors &) = delete;
    Errors &operator=(const Errors &) = delete;
    // All sentences, each with a line end; then none.
    std::string take();
};

// A buffer with its dimensions. Dense, first dimension innermost, unless the strides are changed.
struct TestBuffer : halide_buffer_t {
    explicit TestBuffer(halide_type_t type, const std::vector<int> &extents);
    TestBuffer(const TestBuffer &) = delete;
    TestBuffer &operator=(const TestBuffer &) = delete;

    std::vector<halide_dimension_t> dims;
    std::vector<uint8_t> content;

    // Host memory for what the strides span, filled with random bytes; `host` points to the
    // first element.
    void fill(unsigned seed);
};

struct TestKernel {
    std::string name;
    int threads[3];
    bool dynamic_lds = false;
};

// As the compiler's backend writes it; each chip's code is an ELF header and its name.
std::string make_bundle(const std::vector<std::string> &chips,
                        const std::vector<TestKernel> &kernels);

// One pipeline's code on the HIP device, initialized as generated code does it.
class TestProgram {
public:
    explicit TestProgram(std::string source);
    ~TestProgram();
    TestProgram(const TestProgram &) = delete;
    TestProgram &operator=(const TestProgram &) = delete;

    struct Argument {
        size_t bytes;
        const void *value;
        bool is_buffer = false;
    };
    int run(const char *kernel, std::vector<int> blocks, std::vector<int> threads, int shared_bytes,
            const std::vector<Argument> &arguments, void *user_context = nullptr);
    int result() const { return result_; }

private:
    std::string source_;
    void *state_ = nullptr;
    int result_ = 0;
};

}  // namespace emulsion::runtime::gpu
