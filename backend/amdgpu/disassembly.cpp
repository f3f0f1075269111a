#include "backend/amdgpu/disassembly.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "backend/amdgpu/code_object.h"
#include "backend/files.h"
#include "backend/process.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr const char *kPackage = "llvm-19";
// Between an instruction and where it is.
constexpr std::string_view kComment = "//";

struct Instruction {
    std::string_view text;
    uint64_t address = 0;
    int64_t target = -1;  // of a branch
};

struct Loop {
    uint64_t first = 0, last = 0;  // addresses
    uint64_t size() const { return last - first; }
    bool holds(uint64_t address) const { return first <= address && address <= last; }
};

uint64_t hex(std::string_view text) {
    uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
}

std::string_view trim(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t");
    const size_t last = text.find_last_not_of(" \t");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, last - first + 1);
}

// `v_add_f32 v0, v1, v2   // 000000001708: 02000501 <kernel+0x24>`; the target stands behind a branch.
bool read_instruction(std::string_view line, uint64_t kernel, Instruction *out) {
    const size_t comment = line.rfind(kComment);
    if (line.empty() || line[0] != '\t' || comment == std::string_view::npos) {
        return false;
    }
    const std::string_view where = trim(line.substr(comment + kComment.size()));
    *out = {trim(line.substr(0, comment)), hex(where), -1};
    if (out->text.starts_with("s_cbranch") || out->text.starts_with("s_branch")) {
        const size_t plus = where.rfind("+0x");
        const bool inside = where.ends_with('>');
        out->target = !inside ? -1
                      : plus == std::string_view::npos
                          ? static_cast<int64_t>(kernel)
                          : static_cast<int64_t>(kernel + hex(where.substr(plus + 3)));
    }
    return true;
}

std::vector<Loop> find_loops(const std::vector<Instruction> &instructions) {
    std::vector<Loop> loops;
    for (const Instruction &i : instructions) {
        if (i.target < 0 || static_cast<uint64_t>(i.target) > i.address) {
            continue;
        }
        const auto first = static_cast<uint64_t>(i.target);
        // Several branches to the same head make one loop, up to the last.
        const auto known = std::find_if(loops.begin(), loops.end(),
                                        [&](const Loop &l) { return l.first == first; });
        if (known == loops.end()) {
            loops.push_back({first, i.address});
        } else {
            known->last = std::max(known->last, i.address);
        }
    }
    return loops;
}

KernelDisassembly summarise(std::string_view name, const std::vector<Instruction> &instructions,
                            int wavefront) {
    KernelDisassembly kernel;
    kernel.kernel = name;
    MixCounter all(wavefront);
    for (const Instruction &i : instructions) {
        all.add(i.text);
    }
    kernel.whole = kernel.hottest = all.mix();
    std::array<int64_t, 3> most{0, 0, 0};
    std::vector<Loop> loops = find_loops(instructions);
    std::sort(loops.begin(), loops.end(), [](const Loop &a, const Loop &b) {
        return std::pair(a.size(), a.first) < std::pair(b.size(), b.first);
    });
    for (size_t l = 0; l < loops.size(); l++) {
        MixCounter own(wavefront);
        for (const Instruction &i : instructions) {
            const bool inner = std::any_of(loops.begin(), loops.begin() + static_cast<int64_t>(l),
                                           [&](const Loop &o) { return o.holds(i.address); });
            if (loops[l].holds(i.address) && !inner) {
                own.add(i.text);
            }
        }
        const InstructionMix mix = own.mix();
        // A sum walks through memory; what branches back without a load is an epilogue's special case, which
        // the compiler put before what jumps to it.
        const bool loads = mix.global_loads + mix.lds_loads + mix.scalar_loads > 0;
        const bool multiplies = mix.multiply_adds() + mix.integer_multiply_adds > 0;
        const std::array<int64_t, 3> here{loads && multiplies ? 1 : 0, mix.multiply_adds(),
                                          mix.integer_multiply_adds};
        if (here > most) {
            most = here;
            kernel.hottest = mix;
            kernel.hottest_is_loop = true;
        }
    }
    return kernel;
}

}  // namespace

std::vector<KernelDisassembly> read_disassembly(std::string_view text, int wavefront) {
    std::vector<KernelDisassembly> kernels;
    std::string_view name;
    uint64_t start = 0;
    std::vector<Instruction> instructions;
    const auto finish = [&] {
        // Behind the end there are only instructions that fill up the cache's lines.
        const auto end = std::find_if(instructions.rbegin(), instructions.rend(),
                                      [](const auto &i) { return i.text == "s_endpgm"; });
        instructions.resize(static_cast<size_t>(instructions.rend() - end));
        if (!instructions.empty()) {
            kernels.push_back(summarise(name, instructions, wavefront));
        }
        instructions.clear();
    };
    while (!text.empty()) {
        const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size()));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        Instruction instruction;
        if (line.ends_with(">:")) {
            finish();
            start = hex(line);
            const size_t open = line.find('<');
            name = line.substr(open + 1, line.size() - open - 3);
        } else if (read_instruction(line, start, &instruction) &&
                   instruction.text != "s_code_end") {
            instructions.push_back(instruction);
        }
    }
    finish();
    return kernels;
}

std::vector<KernelDisassembly> disassemble(std::string_view code_object, const std::string &tool) {
    const CodeObject facts = read_code_object(code_object);
    const int64_t wavefront = facts.kernels.empty() ? 64 : facts.kernels[0].wavefront;
    const TemporaryFolder folder(std::filesystem::temp_directory_path() / "emulsion-amdgpu-");
    const std::filesystem::path file = folder.path() / "kernels.hsaco";
    write_file(file, code_object);
    const ToolResult result =
        run_tool({tool, "--disassemble", "--no-show-raw-insn", file.string()}, kPackage);
    if (result.status != 0) {
        throw failure(fmt::format("{} ended with status {}: {}", tool, result.status,
                                  result.output.substr(0, result.output.find('\n'))));
    }
    return read_disassembly(result.output, static_cast<int>(std::max<int64_t>(wavefront, 1)));
}

}  // namespace emulsion
