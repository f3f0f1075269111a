#include "backend/names.h"

#include <gtest/gtest.h>

namespace emulsion {

TEST(Names, AreIdentifiers) {
    EXPECT_EQ("mobilenet_v1", artifact_name("/models/mobilenet-v1.onnx"));
    EXPECT_EQ("m1st_net", identifier("1st net"));
    EXPECT_EQ("model", identifier(""));
    EXPECT_EQ("__", identifier("\xC3\xA9"));
    EXPECT_EQ(64U, identifier(std::string(100, 'a')).size());
    EXPECT_EQ("halide_model", identifier("halide"));
}

TEST(Names, ReplaceThePlaceholderOnlyWhereANameStarts) {
    EXPECT_EQ(
        "net_open(net_context *c) \"net.h\" libnet.so FILENAME_MAX NAMES",
        replace_name("NAME_open(NAME_context *c) \"NAME.h\" libNAME.so FILENAME_MAX NAMES", "net"));
}

}  // namespace emulsion
