#include "tuner/feature_rows.h"

#include <gtest/gtest.h>

#include "fusion/error.h"

namespace emulsion {

namespace {

TEST(FeatureRows, ComeBackFromTheirText) {
    const FeatureRows rows{
        {0.0F, 1.5F, 0.0F, 12.25F}, {0.0F, 0.0F, 0.0F, 0.0F}, {-3.0F, 0.0F, 1e6F, 0.001F}};
    EXPECT_EQ(rows, feature_rows_from(to_text(rows)));
    EXPECT_EQ(FeatureRows{}, feature_rows_from(to_text({})));
    const FeatureRows fine{{0.12345F}};
    EXPECT_FLOAT_EQ(0.123F, feature_rows_from(to_text(fine)).front().front());
}

TEST(FeatureRows, AreRefusedWhereTextIsNone) {
    for (const char *text :
         {"", "[]", "{}", R"({"columns":2})", R"({"columns":2,"rows":[[2,1.0]]})",
          R"({"columns":2,"rows":[["a",1.0]]})", R"({"columns":-1,"rows":[[0,1.0]]})",
          R"({"columns":1000000000000,"rows":[[]]})"}) {
        EXPECT_THROW(feature_rows_from(text), Error) << text;
    }
}

}  // namespace

}  // namespace emulsion
