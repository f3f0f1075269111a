#include "bench/npy.h"

#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/npy_header.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {

static_assert(std::endian::native == std::endian::little,
              "arrays are kept in the file's byte order");

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

DataType type_of(std::string_view descriptor) {
    for (const DataTypeTraits &traits : all_data_types()) {
        // A single byte has no order; NumPy accepts any mark there.
        const std::string_view own = traits.numpy;
        const bool one_byte = own[0] == '|';
        if (descriptor.size() == 3 && descriptor.substr(1) == own.substr(1) &&
            (descriptor[0] == own[0] || (one_byte && descriptor[0] == '<'))) {
            return traits.type;
        }
    }
    throw Error(
        fmt::format("element type '{}' is not supported; accepted are little-endian f4, f8, "
                    "i1 to i8, u1 to u8 and b1",
                    descriptor));
}

Array decode(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char *>(file.data()), file.size());
    if (!text.starts_with(kMagic) || text.size() < 10) {
        throw Error("not a .npy file");
    }
    const int major = static_cast<unsigned char>(text[6]);
    if (major != 1 && major != 2) {
        throw Error(fmt::format("format version {} is not supported; accepted are 1 and 2", major));
    }
    const size_t length_bytes = major == 1 ? 2 : 4;
    if (text.size() < 8 + length_bytes) {
        throw Error("the header is truncated");
    }
    size_t length = 0;
    for (size_t i = 0; i < length_bytes; i++) {
        length |= static_cast<size_t>(static_cast<unsigned char>(text[8 + i])) << (8 * i);
    }
    const size_t start = 8 + length_bytes;
    if (length > kNpyHeaderLimit) {
        throw Error(fmt::format("the header has {} bytes, more than the accepted {}", length,
                                kNpyHeaderLimit));
    }
    if (length > text.size() - start) {
        throw Error("the header is truncated");
    }
    const NpyHeader header = parse_npy_header(text.substr(start, length));
    if (header.fortran_order) {
        throw Error("column-major (Fortran order) arrays are not supported; save with "
                    "numpy.ascontiguousarray");
    }
    Array array{type_of(header.descriptor), header.shape, {}};
    const int64_t wanted = checked_bytes(array.shape, size_of(array.type));
    const std::span<const std::byte> data = file.subspan(start + length);
    if (data.size() != static_cast<size_t>(wanted)) {
        throw Error(fmt::format("{} bytes of data, but {} needs {}", data.size(),
                                describe(array.type, array.shape), wanted));
    }
    if (array.type == DataType::Bool) {
        for (const std::byte value : data) {
            if (value > std::byte{1}) {
                throw Error(fmt::format("a boolean has the value {}", static_cast<int>(value)));
            }
        }
    }
    array.bytes.assign(data.begin(), data.end());
    return array;
}

}  // namespace

int64_t checked_bytes(std::span<const int64_t> shape, int element_bytes) {
    int64_t bytes = element_bytes;
    bool empty = false;
    for (const int64_t extent : shape) {
        if (extent < 0) {
            throw Error(fmt::format("the extent {} is negative", extent));
        }
        empty = empty || extent == 0;
        // An empty array is one whatever its other extents are, but they have to make sense.
        if (__builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes)) {
            throw Error(fmt::format("shape {} is too large", fmt::join(shape, "x")));
        }
    }
    return empty ? 0 : bytes;
}

std::string describe(DataType type, std::span<const int64_t> shape) {
    return fmt::format("{} {}", to_string(type),
                       shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x")));
}

Array parse_npy(std::span<const std::byte> file, const std::string &name) {
    try {
        return decode(file);
    } catch (const Error &error) {
        throw error.with_place({.file = name});
    }
}

Array read_npy(const std::string &path) {
    const std::string text = read_user_file(path);
    return parse_npy(std::as_bytes(std::span(text)), path);
}

std::string npy_header(DataType type, std::span<const int64_t> shape) {
    std::string dict =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                    traits_of(type).numpy, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    const size_t before = kMagic.size() + 4;  // with version and length
    dict.append(63 - (before + dict.size()) % 64, ' ');
    dict += '\n';
    std::string header(kMagic);
    header += '\1';
    header += '\0';
    header += static_cast<char>(dict.size() & 0xff);
    header += static_cast<char>(dict.size() >> 8);
    return header + dict;
}

void write_npy(const std::string &path, const Array &array) {
    const std::string_view data(reinterpret_cast<const char *>(array.bytes.data()),
                                array.bytes.size());
    write_whole_file(path, {npy_header(array.type, array.shape), data});
}

}  // namespace emulsion
