#include "bench/classics/library.h"

#include <random>

#include <dlfcn.h>

#include "fusion/error.h"

namespace emulsion::classics {

namespace {

using Buffer = Halide::Runtime::Buffer<>;

// Floats from 0 to 1, integers over their whole range.
void fill(Buffer &buffer, uint32_t seed) {
    std::mt19937 random(seed);
    const auto count = static_cast<size_t>(buffer.number_of_elements());
    if (buffer.type() == halide_type_of<float>()) {
        auto *data = static_cast<float *>(buffer.data());
        for (size_t i = 0; i < count; i++) {
            data[i] = static_cast<float>(random() >> 8) * 0x1p-24F;
        }
        return;
    }
    auto *data = static_cast<uint8_t *>(buffer.data());
    for (size_t i = 0; i < buffer.size_in_bytes(); i++) {
        data[i] = static_cast<uint8_t>(random());
    }
}

}  // namespace

Arguments::Arguments(const halide_filter_metadata_t &metadata) {
    const auto count = static_cast<size_t>(metadata.num_arguments);
    buffers.resize(count);
    scalars.resize(count);
    for (size_t i = 0; i < count; i++) {
        const halide_filter_argument_t &argument = metadata.arguments[i];
        const auto described = [&](const std::string &what) {
            return "argument '" + std::string(argument.name) + "' of the pipeline " + what;
        };
        if (argument.kind == halide_argument_kind_input_scalar) {
            if (argument.scalar_estimate == nullptr) {
                throw Error(described("has no estimate"));
            }
            scalars[i] = *argument.scalar_estimate;
            continue;
        }
        std::vector<halide_dimension_t> dims;
        int64_t stride = 1;
        for (int d = 0; d < argument.dimensions; d++) {
            const int64_t *const *estimate =
                argument.buffer_estimates == nullptr ? nullptr : argument.buffer_estimates + 2L * d;
            if (estimate == nullptr || estimate[0] == nullptr || estimate[1] == nullptr) {
                throw Error(described("has no estimates"));
            }
            dims.emplace_back(static_cast<int32_t>(*estimate[0]),
                              static_cast<int32_t>(*estimate[1]), static_cast<int32_t>(stride));
            stride *= *estimate[1];
        }
        buffers[i] = Buffer(argument.type, nullptr, argument.dimensions, dims.data());
        buffers[i].allocate();
        if (argument.kind == halide_argument_kind_output_buffer) {
            outputs.push_back(i);
        } else {
            fill(buffers[i], static_cast<uint32_t>(i + 1));
        }
    }
    for (size_t i = 0; i < count; i++) {
        const bool scalar = metadata.arguments[i].kind == halide_argument_kind_input_scalar;
        pointers.push_back(scalar ? static_cast<void *>(&scalars[i]) : buffers[i].raw_buffer());
    }
}

Library::Library(const std::string &path) : path_(path) {
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        throw failure(std::string("the library can't be loaded: ") + dlerror(), {.file = path});
    }
    const std::string name = kFunctionName;
    void *function = dlsym(handle, (name + "_argv").c_str());
    void *metadata = dlsym(handle, (name + "_metadata").c_str());
    if (function == nullptr || metadata == nullptr) {
        throw failure("the library lacks the pipeline", {.file = path});
    }
    function_ = reinterpret_cast<int (*)(void **)>(function);
    metadata_ = reinterpret_cast<const halide_filter_metadata_t *(*)()>(metadata)();
}

void Library::run(Arguments &arguments) const {
    if (const int error = function_(arguments.pointers.data()); error != 0) {
        throw failure("the pipeline failed with code " + std::to_string(error), {.file = path_});
    }
}

}  // namespace emulsion::classics
