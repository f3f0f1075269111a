#include "backend/amdgpu/instruction_mix.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace emulsion {

namespace {

bool begins(std::string_view name, std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view p) { return name.starts_with(p); });
}

// 0, 1, 2 for f16, f32, f64; -1 for integers. Of conversions (f32 from f16) the result's counts.
int float_type(std::string_view name) {
    constexpr std::array<std::string_view, 3> types{"_f16", "_f32", "_f64"};
    int type = -1;
    size_t first = std::string_view::npos;
    for (int i = 0; i < 3; i++) {
        const size_t at = name.find(types[static_cast<size_t>(i)]);
        if (at < first) {
            first = at;
            type = i;
        }
    }
    return type;
}

// M * N * K * blocks of v_mfma_f32_16x16x4f32, v_mfma_f32_4x4x4_16b_f16, v_wmma_f32_16x16x16_f16.
int64_t matrix_products(std::string_view name) {
    int64_t product = 0;
    for (size_t i = 0; i < name.size(); i++) {
        if (name[i] != 'x' || i == 0 ||
            std::isdigit(static_cast<unsigned char>(name[i - 1])) == 0) {
            continue;
        }
        size_t start = i;
        while (start > 0 && std::isdigit(static_cast<unsigned char>(name[start - 1])) != 0) {
            start--;
        }
        int64_t factor = 0;
        std::array<int64_t, 3> sizes{};
        size_t at = start;
        for (int64_t &size : sizes) {
            for (; at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0;
                 at++) {
                size = size * 10 + (name[at] - '0');
            }
            at += at < name.size() && name[at] == 'x' ? 1 : 0;
        }
        product = sizes[0] * sizes[1] * std::max<int64_t>(sizes[2], 1);
        if (at < name.size() && name[at] == '_') {
            for (at++; at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])) != 0;
                 at++) {
                factor = factor * 10 + (name[at] - '0');
            }
            product *= factor > 0 && at < name.size() && name[at] == 'b' ? factor : 1;
        }
        break;
    }
    return product;
}

}  // namespace

void MixCounter::add_vector(std::string_view name) {
    const std::string_view op = name.substr(name.starts_with("v_dual_") ? 7 : 2);
    const bool packed = op.starts_with("pk_");
    const std::string_view base = op.substr(packed ? 3 : 0);
    const int lanes = packed ? 2 : 1;
    const int type = float_type(op);
    if (begins(base, {"mfma_", "wmma_", "smfmac_", "swmmac_"})) {
        mix_.matrix += std::max<int64_t>(matrix_products(base) / wavefront_, 1);
    } else if (begins(base, {"dot2", "dot4", "dot8"})) {
        mix_.dots += base[3] - '0';
    } else if (begins(base, {"fma", "mac_", "mad_"})) {
        (type >= 0 ? mix_.fused : mix_.integer_multiply_adds) += lanes;
        mix_.packed += type >= 0 && packed ? lanes : 0;
    } else if (type >= 0 && begins(base, {"mul_"})) {
        multiplies_[type] += lanes;
    } else if (type >= 0 && begins(base, {"add_", "sub_", "subrev_"})) {
        adds_[type] += lanes;
    }
}

void MixCounter::add(std::string_view line) {
    const std::string_view name = line.substr(0, std::min(line.find(' '), line.size()));
    mix_.instructions++;
    if (begins(name, {"v_"})) {
        add_vector(name);
        const size_t second = line.find(":: v_dual_");
        if (second != std::string_view::npos) {
            const std::string_view rest = line.substr(second + 3);
            add_vector(rest.substr(0, rest.find(' ')));
        }
    } else if (begins(name, {"global_load", "flat_load", "buffer_load"})) {
        mix_.global_loads++;
    } else if (begins(name, {"global_store", "flat_store", "buffer_store", "global_atomic",
                             "flat_atomic", "buffer_atomic"})) {
        mix_.global_stores++;
    } else if (begins(name, {"scratch_"})) {
        mix_.scratch_accesses++;
    } else if (begins(name, {"ds_read", "ds_load"})) {
        mix_.lds_loads++;
    } else if (begins(name, {"ds_write", "ds_store", "ds_add"})) {
        mix_.lds_stores++;
    } else if (begins(name, {"s_load", "s_buffer_load"})) {
        mix_.scalar_loads++;
    } else if (name == "s_barrier") {
        mix_.barriers++;
    }
}

InstructionMix MixCounter::mix() const {
    InstructionMix mix = mix_;
    for (int i = 0; i < kTypes; i++) {
        mix.separate += std::min(multiplies_[i], adds_[i]);
    }
    return mix;
}

}  // namespace emulsion
