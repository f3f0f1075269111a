#include "runtime/gpu/bundle_reader.h"

#include <cstring>

#include "runtime/gpu/chip_list.h"

namespace emulsion::runtime::gpu {

namespace {

static_assert(sizeof(EmulsionBundleHeader) == 32 && sizeof(EmulsionBundleCode) == 40 &&
              sizeof(EmulsionBundleKernel) == 32);

// The bundle may lie at any address.
template<typename T>
T read(const char *from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

const char *codes_of(const char *bundle) { return bundle + sizeof(EmulsionBundleHeader); }

const char *kernels_of(const char *bundle) {
    return codes_of(bundle) +
           read<EmulsionBundleHeader>(bundle).code_count * sizeof(EmulsionBundleCode);
}

EmulsionBundleCode code_at(const char *bundle, uint32_t i) {
    return read<EmulsionBundleCode>(codes_of(bundle) + i * sizeof(EmulsionBundleCode));
}

EmulsionBundleKernel kernel_at(const char *bundle, uint32_t i) {
    return read<EmulsionBundleKernel>(kernels_of(bundle) + i * sizeof(EmulsionBundleKernel));
}

bool is_inside(uint64_t offset, uint64_t bytes, uint64_t whole) {
    return offset <= whole && bytes <= whole - offset;
}

bool has_end(const char *text, uint64_t bytes) {
    return std::memchr(text, 0, static_cast<size_t>(bytes)) != nullptr;
}

// What is wrong with it; null: nothing.
const char *find_fault(const char *bundle, size_t bytes) {
    if (bytes < sizeof(EmulsionBundleHeader) ||
        std::memcmp(bundle, EMULSION_BUNDLE_MAGIC, sizeof EmulsionBundleHeader::magic) != 0) {
        return "it is no bundle";
    }
    const auto header = read<EmulsionBundleHeader>(bundle);
    if (header.version != EMULSION_BUNDLE_VERSION) {
        return "it was written by another version of Emulsion";
    }
    if (header.bytes > bytes) {
        return "its end is missing";
    }
    const uint64_t tables = header.code_count * uint64_t{sizeof(EmulsionBundleCode)} +
                            header.kernel_count * uint64_t{sizeof(EmulsionBundleKernel)};
    if (!is_inside(sizeof header, tables, header.bytes)) {
        return "its tables are longer than it is";
    }
    for (uint32_t i = 0; i < header.code_count; i++) {
        const EmulsionBundleCode code = code_at(bundle, i);
        if (!has_end(code.chip, sizeof code.chip) || code.offset % EMULSION_BUNDLE_ALIGNMENT != 0 ||
            code.bytes == 0 || !is_inside(code.offset, code.bytes, header.bytes)) {
            return "a code object lies outside of it";
        }
    }
    for (uint32_t i = 0; i < header.kernel_count; i++) {
        const uint64_t name = kernel_at(bundle, i).name_offset;
        if (name >= header.bytes || !has_end(bundle + name, header.bytes - name)) {
            return "a kernel's name lies outside of it";
        }
    }
    return nullptr;
}

}  // namespace

bool choose_code(const char *bundle, size_t bytes, const char *chip, EmulsionBundleCode *code,
                 Message *why) {
    if (const char *fault = find_fault(bundle, bytes); fault != nullptr) {
        return why->set("the program's code for the GPU can't be read: %s", fault);
    }
    ChipList list;
    const uint32_t count = read<EmulsionBundleHeader>(bundle).code_count;
    for (uint32_t i = 0; i < count; i++) {
        *code = code_at(bundle, i);
        if (std::strcmp(code->chip, chip) == 0) {
            return true;
        }
        list.add(code->chip);
    }
    return list.refuse(chip, why);
}

bool find_bundle_kernel(const char *bundle, const char *name, EmulsionBundleKernel *kernel) {
    const uint32_t count = read<EmulsionBundleHeader>(bundle).kernel_count;
    for (uint32_t i = 0; i < count; i++) {
        *kernel = kernel_at(bundle, i);
        if (std::strcmp(bundle + kernel->name_offset, name) == 0) {
            return true;
        }
    }
    return false;
}

}  // namespace emulsion::runtime::gpu
