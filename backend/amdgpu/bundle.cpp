#include "backend/amdgpu/bundle.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "fusion/error.h"
#include "runtime/gpu/bundle.h"

namespace emulsion {

namespace {

template<typename T>
void put(std::string *bytes, size_t offset, const T &value) {
    std::memcpy(bytes->data() + offset, &value, sizeof(T));
}

void pad(std::string *bytes) {
    const size_t step = EMULSION_BUNDLE_ALIGNMENT;
    bytes->resize((bytes->size() + step - 1) / step * step);
}

}  // namespace

std::string make_bundle(std::span<const BundledCode> codes,
                        std::span<const BundledKernel> kernels) {
    EmulsionBundleHeader header = {};
    std::memcpy(header.magic, EMULSION_BUNDLE_MAGIC, sizeof(header.magic));
    header.version = EMULSION_BUNDLE_VERSION;
    header.code_count = static_cast<uint32_t>(codes.size());
    header.kernel_count = static_cast<uint32_t>(kernels.size());
    const size_t kernels_at = sizeof(header) + codes.size() * sizeof(EmulsionBundleCode);
    std::string bytes(kernels_at + kernels.size() * sizeof(EmulsionBundleKernel), '\0');
    for (size_t i = 0; i < kernels.size(); i++) {
        EmulsionBundleKernel entry = {};
        entry.name_offset = bytes.size();
        entry.flags = kernels[i].dynamic_lds ? EMULSION_KERNEL_DYNAMIC_LDS : 0;
        std::copy(kernels[i].threads.begin(), kernels[i].threads.end(), entry.threads);
        entry.static_lds_bytes = static_cast<uint32_t>(kernels[i].static_lds_bytes);
        put(&bytes, kernels_at + i * sizeof(entry), entry);
        bytes += kernels[i].name + '\0';
    }
    for (size_t i = 0; i < codes.size(); i++) {
        const std::string &chip = codes[i].chip;
        if (chip.size() >= EMULSION_BUNDLE_CHIP_CHARS) {
            throw failure(fmt::format("'{}' is too long a name for a chip in a bundle", chip));
        }
        if (std::any_of(codes.begin(), codes.begin() + static_cast<int64_t>(i),
                        [&](const BundledCode &other) { return other.chip == chip; })) {
            throw failure(fmt::format("there are two codes for {} in one bundle", chip));
        }
        pad(&bytes);
        EmulsionBundleCode entry = {};
        std::memcpy(entry.chip, chip.data(), chip.size());
        entry.offset = bytes.size();
        entry.bytes = codes[i].code.size();
        put(&bytes, sizeof(header) + i * sizeof(entry), entry);
        bytes += codes[i].code;
    }
    header.bytes = bytes.size();
    put(&bytes, 0, header);
    return bytes;
}

}  // namespace emulsion
