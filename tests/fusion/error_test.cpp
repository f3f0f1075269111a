#include "fusion/error.h"

#include <gtest/gtest.h>

namespace emulsion {
namespace {

// What an error that `work` throws says once it has a file.
template<typename Work>
std::string said(const Work &work) {
    try {
        naming_file("a.onnx", work);
    } catch (const Error &error) {
        return std::string(error.what()) + " [" + std::to_string(error.exit_code()) + "]";
    }
    return "";
}

TEST(Error, SaysPlaceMessageAndRemedy) {
    const Error error("it is wrong", {.file = "a.onnx", .node = "n", .node_index = 3});
    EXPECT_STREQ(error.what(), "a.onnx: node 'n' (#3): it is wrong");
    const Error with = error.with_remedy("mend it");
    EXPECT_STREQ(with.what(), "a.onnx: node 'n' (#3): it is wrong; mend it");
    EXPECT_EQ(with.message(), "it is wrong");
    EXPECT_EQ(with.with_place({.operator_type = "Relu"}).remedy(), "mend it");
}

TEST(Error, GetsTheFileThatItLacks) {
    EXPECT_EQ(said([] { throw Error("b", {.file = "c.json"}); }), "c.json: b [2]");
    EXPECT_EQ(said([] { throw failure("it broke").with_remedy("mend it"); }),
              "a.onnx: it broke; mend it [1]");
    EXPECT_EQ(naming_file("a.onnx", [] { return 7; }), 7);
}

}  // namespace
}  // namespace emulsion
