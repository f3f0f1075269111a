// A pipeline compiled into a shared library, found by its metadata alone: what it takes, of which sizes,
// and how it is called.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <HalideBuffer.h>

namespace emulsion::classics {

// Name of the function in every library.
constexpr const char *kFunctionName = "classic";

// Arguments for one call: buffers as their estimates say, inputs filled with random values that are the
// same everywhere; scalars at their estimates.
struct Arguments {
    explicit Arguments(const halide_filter_metadata_t &metadata);
    Arguments(const Arguments &) = delete;
    Arguments &operator=(const Arguments &) = delete;

    std::vector<Halide::Runtime::Buffer<>> buffers;  // of all arguments; empty for scalars
    std::vector<halide_scalar_value_t> scalars;      // of all arguments; zero for buffers
    std::vector<size_t> outputs;                     // positions
    std::vector<void *> pointers;                    // as the function takes them
};

// Never unloaded: threads of its pool may still be in it.
class Library {
public:
    // Throws Error when it can't be loaded.
    explicit Library(const std::string &path);

    const halide_filter_metadata_t &metadata() const { return *metadata_; }
    // Throws Error when the function fails.
    void run(Arguments &arguments) const;

private:
    std::string path_;
    const halide_filter_metadata_t *metadata_ = nullptr;
    int (*function_)(void **) = nullptr;
};

}  // namespace emulsion::classics
