#include "tuner/points.h"

#include <gtest/gtest.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

TEST(Points, HaveTextsThatAreReadBack) {
    const Nest nest{"tiles", {{"block0", int64_t{1} << 40}, {"slide_axis", -1}}};
    EXPECT_EQ(R"({"parameters":{"block0":1099511627776,"slide_axis":-1},"template":"tiles"})",
              point_text(nest));
    EXPECT_EQ(nest, point_from(point_text(nest)));
    for (const char *text :
         {"", "[]", R"({"template":"tiles"})", R"({"template":1,"parameters":{}})",
          R"({"template":"a","parameters":[]})", R"({"template":"a","parameters":{"b":1.5}})",
          R"({"template":"a","parameters":{"b":9223372036854775808}})",
          R"({"template":"a","parameters":{},"c":1})"}) {
        EXPECT_THROW(point_from(text), Error) << text;
    }
}

}  // namespace

}  // namespace emulsion
