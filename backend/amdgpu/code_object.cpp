#include "backend/amdgpu/code_object.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <elf.h>
#include <fmt/format.h>

#include "backend/amdgpu/metadata.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

constexpr uint32_t kMetadataNote = 32;  // NT_AMDGPU_METADATA
constexpr std::string_view kNoteOwner{"AMDGPU\0", 7};

[[noreturn]] void fail(const std::string &what) {
    throw failure(fmt::format("not a code object of an AMD GPU: {}", what));
}

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset) {
        fail(fmt::format("{} bytes at {} lie outside its {}", size, offset, bytes.size()));
    }
    return bytes.substr(offset, size);
}

// A structure of <elf.h>, wherever it lies.
template<typename T>
T read(std::string_view bytes, uint64_t offset) {
    T value;
    part(bytes, offset, sizeof(T)).copy(reinterpret_cast<char *>(&value), sizeof(T));
    return value;
}

// `count` structures of `size` bytes each.
template<typename T>
std::vector<T> read_table(std::string_view bytes, uint64_t offset, uint64_t count, uint64_t size) {
    if (count > 0 && size != sizeof(T)) {
        fail(fmt::format("the entries of a table have {} bytes", size));
    }
    const std::string_view table = part(bytes, offset, count * size);
    std::vector<T> entries;
    for (uint64_t i = 0; i < count; i++) {
        entries.push_back(read<T>(table, i * size));
    }
    return entries;
}

uint64_t round_up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

// The metadata, if it is among these notes.
std::optional<std::string_view> find_metadata(std::string_view notes) {
    while (!notes.empty()) {
        const auto header = read<Elf64_Nhdr>(notes, 0);
        const uint64_t start = sizeof(header) + round_up(header.n_namesz, 4);
        const std::string_view owner = part(notes, sizeof(header), header.n_namesz);
        const std::string_view content = part(notes, start, header.n_descsz);
        if (header.n_type == kMetadataNote && owner == kNoteOwner) {
            return content;
        }
        notes.remove_prefix(std::min<uint64_t>(start + round_up(header.n_descsz, 4), notes.size()));
    }
    return std::nullopt;
}

std::string symbol_name(std::string_view names, uint64_t offset) {
    const std::string_view rest =
        part(names, offset, names.size() - std::min<uint64_t>(offset, names.size()));
    const size_t end = rest.find('\0');
    if (end == std::string_view::npos) {
        fail("a symbol's name has no end");
    }
    return std::string(rest.substr(0, end));
}

std::vector<std::string> undefined_symbols(std::string_view bytes, const Elf64_Ehdr &header) {
    const auto sections =
        read_table<Elf64_Shdr>(bytes, header.e_shoff, header.e_shnum, header.e_shentsize);
    std::vector<std::string> undefined;
    for (const Elf64_Shdr &section : sections) {
        if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) {
            continue;
        }
        if (section.sh_link >= sections.size()) {
            fail("a table of symbols has no names");
        }
        const Elf64_Shdr &names = sections[section.sh_link];
        const std::string_view text = part(bytes, names.sh_offset, names.sh_size);
        for (const Elf64_Sym &symbol :
             read_table<Elf64_Sym>(bytes, section.sh_offset, section.sh_size / sizeof(Elf64_Sym),
                                   section.sh_entsize)) {
            if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0) {
                undefined.push_back(symbol_name(text, symbol.st_name));
            }
        }
    }
    std::sort(undefined.begin(), undefined.end());
    undefined.erase(std::unique(undefined.begin(), undefined.end()), undefined.end());
    return undefined;
}

}  // namespace

CodeObject read_code_object(std::string_view bytes) {
    const auto header = read<Elf64_Ehdr>(bytes, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_AMDGPU) {
        fail("it has another header");
    }
    CodeObject object;
    bool found = false;
    for (const Elf64_Phdr &segment :
         read_table<Elf64_Phdr>(bytes, header.e_phoff, header.e_phnum, header.e_phentsize)) {
        if (segment.p_type != PT_NOTE || found) {
            continue;
        }
        if (const auto note = find_metadata(part(bytes, segment.p_offset, segment.p_filesz))) {
            read_metadata(*note, &object);
            found = true;
        }
    }
    if (!found) {
        fail("it has no metadata");
    }
    object.undefined = undefined_symbols(bytes, header);
    return object;
}

}  // namespace emulsion
