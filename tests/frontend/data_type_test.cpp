#include "frontend/graph/data_type.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <fstream>
#include <iterator>

#include "frontend/ops/operator.h"
#include "fusion/error.h"

namespace emulsion {

TEST(DataTypes, AreInTheOrderOfTheirEnumerationAndKnownByName) {
    int index = 0;
    for (const DataTypeTraits &traits : all_data_types()) {
        EXPECT_EQ(index++, static_cast<int>(traits.type));
        EXPECT_EQ(&traits, &traits_of(traits.type));
        EXPECT_EQ(traits.type, data_type_from_string(to_string(traits.type)));
    }
    EXPECT_THROW(data_type_from_string("f17"), Error);
    EXPECT_EQ("F32", c_enumerator(DataType::F32));
    EXPECT_EQ("BOOL", c_enumerator(DataType::Bool));
}

// The columns of the table say the same: the C++ type, Halide's, ONNX's and NumPy's.
TEST(DataTypes, AreOfOneSizeAndKindToAllWhoHaveThem) {
    for (const DataTypeTraits &traits : all_data_types()) {
        const DataType type = traits.type;
        const Halide::Type halide = halide_type(type);
        EXPECT_EQ(halide.bits(), traits.element.bits) << traits.name;
        EXPECT_EQ(halide.bytes(), size_of(type)) << traits.name;
        EXPECT_EQ(halide.is_float(), is_float(type)) << traits.name;
        with_value_type(type, [&](auto zero) {
            using T = decltype(zero);
            EXPECT_EQ(Halide::type_of<T>(), halide) << traits.name;
            EXPECT_EQ(sizeof(T), static_cast<size_t>(size_of(type))) << traits.name;
        });
        with_element_type(type, [&](auto zero) {
            EXPECT_EQ(sizeof(zero), static_cast<size_t>(size_of(type))) << traits.name;
            EXPECT_FALSE((std::is_same_v<decltype(zero), bool>));
        });
        ASSERT_EQ(3U, traits.numpy.size());
        EXPECT_EQ(std::to_string(size_of(type)), traits.numpy.substr(2)) << traits.name;
        EXPECT_EQ(size_of(type) == 1 ? '|' : '<', traits.numpy[0]) << traits.name;
        EXPECT_EQ(type == DataType::Bool ? 'b'
                  : is_float(type)       ? 'f'
                  : halide.is_int()      ? 'i'
                                         : 'u',
                  traits.numpy[1])
            << traits.name;
        const std::string bits = std::to_string(traits.element.bits);
        EXPECT_EQ(type == DataType::Bool  ? "BOOL"
                  : type == DataType::F32 ? "FLOAT"
                  : type == DataType::F64 ? "DOUBLE"
                                          : (halide.is_int() ? "INT" : "UINT") + bits,
                  onnx::TensorProto::DataType_Name(traits.onnx));
    }
}

// bench/python can't read the table.
TEST(DataTypes, OfThePythonScriptsAreTheSame) {
    std::string list;
    for (const DataTypeTraits &traits : all_data_types()) {
        const std::string name(traits.type == DataType::Bool ? "?" : traits.numpy.substr(1));
        list += (list.empty() ? "\"" : ", \"") + name + "\"";
    }
    std::ifstream file(EMULSION_SOURCE_DIR "/bench/python/artifact.py");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_NE(std::string::npos, text.find("TYPES = [" + list + "]")) << list;
}

}  // namespace emulsion
