#include "bench/npy.h"

#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/random_array.h"
#include "bench/user_files.h"
#include "fusion/error.h"

namespace emulsion {
namespace {

const std::vector<DataType> kTypes = {DataType::F32, DataType::F64, DataType::I8,  DataType::I16,
                                      DataType::I32, DataType::I64, DataType::U8,  DataType::U16,
                                      DataType::U32, DataType::U64, DataType::Bool};

std::string file_of(const Array &array) {
    return npy_header(array.type, array.shape) +
           std::string(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
}

Array parse(const std::string &file) { return parse_npy(std::as_bytes(std::span(file)), "x.npy"); }

// A file of version 1 with this dictionary and so many bytes of data.
std::string file_with(const std::string &dictionary, size_t data) {
    std::string file("\x93NUMPY\1\0", 8);
    file += static_cast<char>(dictionary.size() & 0xff);
    file += static_cast<char>(dictionary.size() >> 8);
    return file + dictionary + std::string(data, '\0');
}

std::string refusal(const std::string &file) {
    try {
        parse(file);
    } catch (const Error &error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_EQ(error.place().file, "x.npy");
        return error.message();
    }
    return "";
}

TEST(Npy, WhatIsWrittenIsReadBack) {
    const std::vector<std::vector<int64_t>> shapes = {{},     {1},          {7},
                                                      {2, 3}, {1, 3, 2, 5}, {4, 0, 2}};
    const auto scratch = make_scratch_folder();
    const auto file = [&](const char *name) { return (scratch->path() / name).string(); };
    for (const DataType type : kTypes) {
        for (const auto &shape : shapes) {
            const Array array = random_array(type, shape, 3, "x");
            write_npy(file("x.npy"), array);
            EXPECT_EQ(read_npy(file("x.npy")), array) << describe(type, shape);
        }
    }
}

TEST(Npy, HeadersEndOnAMultipleOf64Bytes) {
    for (int rank = 0; rank < 40; rank++) {
        const std::vector<int64_t> shape(static_cast<size_t>(rank), 1);
        EXPECT_EQ(npy_header(DataType::F32, shape).size() % 64, 0U) << rank;
    }
}

TEST(Npy, FilesOfVersion2AreRead) {
    const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\n";
    std::string file("\x93NUMPY\2\0", 8);
    file += static_cast<char>(dictionary.size());
    file += std::string(3, '\0') + dictionary + std::string(8, '\0');
    EXPECT_EQ(parse(file).shape, std::vector<int64_t>{2});
}

TEST(Npy, HeadersMayBeWrittenInOtherWays) {
    for (const char *dictionary :
         {"{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4', }    \n",
          "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3,)}"}) {
        EXPECT_EQ(parse(file_with(dictionary, 24)).shape, (std::vector<int64_t>{2, 3}));
    }
}

TEST(Npy, HostileHeadersAreRefused) {
    const auto header = [](const std::string &descr, const std::string &order,
                           const std::string &shape) {
        return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}}}\n", descr, order,
                           shape);
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "not a .npy file"},
        {"NUMPY", "not a .npy file"},
        {std::string("\x93NUMPY\3\0\0\0\0\0", 12), "version 3"},
        {std::string("\x93NUMPY\2\0\0\0", 10), "truncated"},
        {std::string("\x93NUMPY\1\0\xff\0{", 11), "truncated"},
        {std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12), "more than the accepted"},
        {file_with(header("'<f4'", "True", "(2, 3)"), 24), "column-major"},
        {file_with(header("'>f4'", "False", "(2,)"), 8), "element type '>f4'"},
        {file_with(header("'<f2'", "False", "(2,)"), 4), "element type '<f2'"},
        {file_with(header("'|O'", "False", "(2,)"), 16), "element type '|O'"},
        {file_with(header("[('a', '<f4')]", "False", "(2,)"), 8), "malformed"},
        {file_with(header("'<f4'", "Maybe", "(2,)"), 8), "neither True nor False"},
        {file_with(header("'<f4'", "False", "(2)"), 8), "no tuple"},
        {file_with(header("'<f4'", "False", "(-2,)"), 8), "negative"},
        {file_with(header("'<f4'", "False", "(2"), 8), "malformed"},
        {file_with(header("'<f4'", "False", "(,)"), 8), "malformed"},
        {file_with(header("'<f4'", "False", "(2, 3)"), 23), "23 bytes of data"},
        {file_with(header("'<f4'", "False", "(2, 3)"), 25), "25 bytes of data"},
        {file_with(header("'<f4'", "False", "(99999999999999999999,)"), 8), "too large"},
        {file_with(header("'<f4'", "False", "(4611686018427387904, 4)"), 0), "too large"},
        {file_with(header("'<f4'", "False", "(0, 9223372036854775807)"), 0), "too large"},
        {file_with(header("'<f4", "False", "(2,)"), 8), "malformed"},
        {file_with("{'descr': '<f4', 'fortran_order': False}\n", 8), "nothing else"},
        {file_with("{'descr': '<f4', 'descr': '<f4'}\n", 8), "comes twice"},
        {file_with("{'descr': '<f4', 'code': 'import os'}\n", 8), "unknown key 'code'"},
        {file_with(header("'<f4'", "False", "(2,)") + "x", 8), "nothing else"},
        {file_with("{", 0), "malformed"},
        {file_with("", 0), "malformed"},
    };
    for (const auto &[file, cause] : cases) {
        EXPECT_NE(refusal(file).find(cause), std::string::npos)
            << "wanted '" << cause << "', got '" << refusal(file) << "'";
    }
}

TEST(Npy, TooHighARankIsRefused) {
    std::string shape = "(";
    for (int i = 0; i < 65; i++) {
        shape += "1,";
    }
    const std::string file =
        file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ")}\n", 4);
    EXPECT_NE(refusal(file).find("rank"), std::string::npos);
}

TEST(Npy, BooleansAreZeroOrOne) {
    std::string file = file_with("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}\n", 2);
    EXPECT_EQ(refusal(file), "");
    file.back() = '\2';
    EXPECT_NE(refusal(file).find("boolean"), std::string::npos);
}

TEST(Npy, MutatedFilesAreReadOrRefused) {
    const uint32_t seed = 17;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::string original =
        file_of(random_array(DataType::F32, std::vector<int64_t>{2, 3}, 1, ""));
    int refused = 0;
    for (int i = 0; i < 20'000; i++) {
        std::string file = original;
        for (unsigned changes = 1 + random() % 4; changes > 0; changes--) {
            file[random() % 100] = static_cast<char>(random());
        }
        file.resize(random() % 4 == 0 ? random() % file.size() : file.size());
        try {
            const Array array = parse(file);
            EXPECT_EQ(checked_bytes(array.shape, size_of(array.type)),
                      static_cast<int64_t>(array.bytes.size()));
        } catch (const Error &) {
            refused++;
        }
    }
    EXPECT_GT(refused, 0);
}

TEST(Npy, MissingFilesAndFoldersAreNamed) {
    const auto scratch = make_scratch_folder();
    const auto file = [&](const char *name) { return (scratch->path() / name).string(); };
    for (const std::string &path : {file("nothing.npy"), file(".")}) {
        try {
            read_npy(path);
            FAIL() << path;
        } catch (const Error &error) {
            EXPECT_EQ(error.place().file, path);
        }
    }
    try {
        write_npy(file("nowhere/x.npy"), Array{DataType::F32, {}, std::vector<std::byte>(4)});
        FAIL();
    } catch (const Error &error) {
        EXPECT_EQ(error.exit_code(), 1);
    }
}

}  // namespace
}  // namespace emulsion
