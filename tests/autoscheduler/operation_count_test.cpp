// Operations of expressions as image pipelines are priced by them.
#include "autoscheduler/operation_count.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::Var;

class OperationCount : public testing::Test {
protected:
    OperationCount() {
        places(x, c) = cast<float>(x + c);
        table(x, c) = cast<float>(x * c);
    }

    const Var x{"x"}, c{"c"};
    Func places{"places"}, table{"table"};
};

TEST_F(OperationCount, CountsWhatOccursTwiceOnce) {
    const Expr sum = places(x, c) + 1.0F;
    EXPECT_EQ(2, count_operations(sum * sum));
}

TEST_F(OperationCount, CountsIndicesOfWhatIsLoadedOnly) {
    EXPECT_EQ(0, count_operations(table(x * 3 + 1, c)));
    EXPECT_EQ(2, count_operations(table(cast<int>(places(x, c)) + 1, c)));
}

TEST_F(OperationCount, CountsConversionsBetweenFloatsAndIntegersOfAsManyBits) {
    EXPECT_EQ(1, count_operations(cast<int>(places(x, c))));
    EXPECT_EQ(0, count_operations(cast<uint32_t>(cast<int>(x))));
}

TEST_F(OperationCount, KnowsWhatChannelsShare) {
    const Expr place = cast<int>(places(x, 0));
    const Expr value = table(place, c) + table(place + 1, c);
    EXPECT_EQ(3, count_operations(value));
    EXPECT_EQ(2, count_operations_without(value, c.name()));
    EXPECT_EQ(3, count_operations_without(value, "other"));
    EXPECT_EQ(0, count_operations_without(places(x, c) * 2.0F, c.name()));
}

}  // namespace

}  // namespace emulsion
