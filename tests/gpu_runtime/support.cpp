#include "tests/gpu_runtime/support.h"

#include <cstring>
#include <mutex>
#include <random>
#include <utility>

#include "runtime/hip/HalideRuntimeHip.h"

namespace emulsion::runtime::gpu {

namespace {

std::mutex mutex;
std::string messages;

void keep(void *, const char *message) {
    const std::lock_guard lock(mutex);
    messages += std::string(message) + "\n";
}

template<typename T>
void append(std::string *bytes, const T &value) {
    bytes->append(reinterpret_cast<const char *>(&value), sizeof value);
}

void align(std::string *bytes) {
    bytes->resize((bytes->size() + EMULSION_BUNDLE_ALIGNMENT - 1) / EMULSION_BUNDLE_ALIGNMENT *
                  EMULSION_BUNDLE_ALIGNMENT);
}

}  // namespace

Errors::Errors() {
    take();
    halide_set_error_handler(keep);
}

Errors::~Errors() { halide_set_error_handler(nullptr); }

std::string Errors::take() {
    const std::lock_guard lock(mutex);
    return std::exchange(messages, "");
}

TestBuffer::TestBuffer(halide_type_t t, const std::vector<int> &extents) : halide_buffer_t{} {
    int stride = 1;
    for (int extent : extents) {
        dims.emplace_back(0, extent, stride);
        stride *= extent;
    }
    type = t;
    dimensions = static_cast<int>(dims.size());
    dim = dims.data();
}

void TestBuffer::fill(unsigned seed) {
    std::minstd_rand random(seed + 1);
    content.resize(size_in_bytes());
    for (uint8_t &byte : content) {
        byte = static_cast<uint8_t>(random() >> 8);
    }
    host = content.data() - begin_offset() * type.bytes();
}

std::string make_bundle(const std::vector<std::string> &chips,
                        const std::vector<TestKernel> &kernels) {
    std::string names;
    std::string bytes;
    const size_t tables = sizeof(EmulsionBundleHeader) + chips.size() * sizeof(EmulsionBundleCode) +
                          kernels.size() * sizeof(EmulsionBundleKernel);
    std::string kernel_table;
    for (const TestKernel &kernel : kernels) {
        EmulsionBundleKernel entry = {};
        entry.name_offset = tables + names.size();
        entry.flags = kernel.dynamic_lds ? EMULSION_KERNEL_DYNAMIC_LDS : 0;
        for (int i = 0; i < 3; i++) {
            entry.threads[i] = static_cast<uint32_t>(kernel.threads[i]);
        }
        append(&kernel_table, entry);
        names += kernel.name + '\0';
    }
    std::string content = std::string(tables, '\0') + names;
    std::string code_table;
    for (const std::string &chip : chips) {
        align(&content);
        const std::string code = "\177ELF" + chip;
        EmulsionBundleCode entry = {};
        std::strncpy(entry.chip, chip.c_str(), sizeof entry.chip - 1);
        entry.offset = content.size();
        entry.bytes = code.size();
        append(&code_table, entry);
        content += code;
    }
    EmulsionBundleHeader header = {};
    std::memcpy(header.magic, EMULSION_BUNDLE_MAGIC, sizeof header.magic);
    header.version = EMULSION_BUNDLE_VERSION;
    header.code_count = static_cast<uint32_t>(chips.size());
    header.kernel_count = static_cast<uint32_t>(kernels.size());
    header.bytes = content.size();
    append(&bytes, header);
    return bytes + code_table + kernel_table + content.substr(tables);
}

TestProgram::TestProgram(std::string source) : source_(std::move(source)) {
    result_ = halide_hip_initialize_kernels(nullptr, &state_, source_.data(),
                                            static_cast<int>(source_.size()));
}

TestProgram::~TestProgram() {
    if (result_ == 0) {
        halide_hip_finalize_kernels(nullptr, state_);
    }
}

int TestProgram::run(const char *kernel, std::vector<int> blocks, std::vector<int> threads,
                     int shared_bytes, const std::vector<Argument> &arguments, void *user_context) {
    std::vector<size_t> sizes;
    std::vector<void *> values;
    std::vector<int8_t> is_buffer;
    for (const Argument &argument : arguments) {
        sizes.push_back(argument.bytes);
        values.push_back(const_cast<void *>(argument.value));
        is_buffer.push_back(argument.is_buffer ? 1 : 0);
    }
    sizes.push_back(0);
    values.push_back(nullptr);
    is_buffer.push_back(0);
    return halide_hip_run(user_context, state_, kernel, blocks[0], blocks[1], blocks[2], threads[0],
                          threads[1], threads[2], shared_bytes, sizes.data(), values.data(),
                          is_buffer.data());
}

}  // namespace emulsion::runtime::gpu
