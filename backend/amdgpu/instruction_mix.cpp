#include "backend/amdgpu/instruction_mix.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

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

struct RegisterRange {
    int first = 0, last = 0;
};

int number(std::string_view text, size_t *at) {
    int value = 0;
    for (; *at < text.size() && std::isdigit(static_cast<unsigned char>(text[*at])) != 0; ++*at) {
        value = value * 10 + (text[*at] - '0');
    }
    return value;
}

// The vector registers among operands such as "v0, -v[2:3], |v4|, s5, 0x3f800000", the destination first.
std::vector<RegisterRange> vector_registers(std::string_view operands) {
    std::vector<RegisterRange> found;
    for (size_t i = 0; i + 1 < operands.size(); i++) {
        const bool starts =
            operands[i] == 'v' &&
            (i == 0 || std::isalnum(static_cast<unsigned char>(operands[i - 1])) == 0);
        const bool range = operands[i + 1] == '[';
        size_t at = i + (range ? 2 : 1);
        if (!starts || at >= operands.size() ||
            std::isdigit(static_cast<unsigned char>(operands[at])) == 0) {
            continue;
        }
        RegisterRange r;
        r.first = r.last = number(operands, &at);
        if (range && at < operands.size() && operands[at] == ':') {
            at++;
            r.last = number(operands, &at);
        }
        found.push_back(r);
    }
    return found;
}

}  // namespace

void MixCounter::add_vector(std::string_view instruction) {
    const std::string_view name =
        instruction.substr(0, std::min(instruction.find(' '), instruction.size()));
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
    }
    const std::vector<RegisterRange> operands = vector_registers(instruction.substr(name.size()));
    if (operands.empty()) {
        return;
    }
    if (type >= 0 && begins(base, {"add_", "sub_", "subrev_"})) {
        int products = 0;
        for (size_t i = 1; i < operands.size(); i++) {
            for (int r = operands[i].first; r <= operands[i].last; r++) {
                const auto made = products_.find(r);
                products += made != products_.end() && made->second == type ? 1 : 0;
            }
        }
        mix_.separate += std::min(products, lanes);
    }
    const bool multiplies = type >= 0 && begins(base, {"mul_"});
    for (int r = operands[0].first; r <= operands[0].last; r++) {
        if (multiplies) {
            products_[r] = type;
        } else {
            products_.erase(r);
        }
    }
}

void MixCounter::add(std::string_view line) {
    const std::string_view name = line.substr(0, std::min(line.find(' '), line.size()));
    mix_.instructions++;
    if (begins(name, {"v_"})) {
        const size_t second = line.find(":: v_dual_");
        add_vector(line.substr(0, second));
        if (second != std::string_view::npos) {
            add_vector(line.substr(second + 3));
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

}  // namespace emulsion
