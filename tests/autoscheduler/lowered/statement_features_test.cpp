#include "autoscheduler/lowered/statement_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "autoscheduler/lowered/statements.h"
#include "tests/autoscheduler/lowered/product.h"

namespace emulsion {

namespace {

using namespace Halide;
using test::Product;

float feature(const std::vector<float> &row, const std::string &name) {
    const auto &names = statement_feature_names();
    EXPECT_EQ(names.size(), row.size());
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(names.end(), found) << name;
    return row[static_cast<size_t>(found - names.begin())];
}

double plain(float magnitude) { return std::exp2(magnitude) - 1.0; }

// The statement that multiplies.
size_t multiplying(const std::vector<LoweredStatement> &statements) {
    for (size_t i = 0; i < statements.size(); i++) {
        if (statements[i].floats.multiply_adds > 0.0) {
            return i;
        }
    }
    ADD_FAILURE() << "nothing multiplies";
    return 0;
}

TEST(StatementFeatures, HaveNamesOfTheirOwn) {
    const auto &names = statement_feature_names();
    EXPECT_EQ(164u, names.size());
    EXPECT_EQ(names.size(), std::set<std::string>(names.begin(), names.end()).size());
}

TEST(LoweredStatements, AreInTheirLoops) {
    Product product;
    product.out.compute_root();
    product.sum.compute_root();
    const auto statements = lowered_statements(product.lowered());
    ASSERT_EQ(3u, statements.size()) << "the zeros, the sums, the result";
    const LoweredStatement &sums = statements[multiplying(statements)];
    ASSERT_EQ(3u, sums.loops.size());
    EXPECT_EQ(16, sums.loops[0].extent);
    EXPECT_EQ(8, sums.loops[1].extent * sums.loops[2].extent / 32);
    EXPECT_EQ(1, sums.stores);
    EXPECT_EQ(1, sums.lanes);
    EXPECT_EQ(1.0, sums.floats.multiply_adds);
    EXPECT_EQ(0.0, sums.floats.multiplies);
    EXPECT_EQ(3u, sums.accesses.size());
    EXPECT_TRUE(sums.accesses.at(sums.buffer).reads);
    EXPECT_TRUE(sums.accesses.at(sums.buffer).writes);
    EXPECT_EQ(4.0 * 32 * 16, sums.allocated_bytes);
}

TEST(StatementFeatures, CountOperationsAndBytesOfAllLoops) {
    Product product;
    product.sum.compute_root();
    const Internal::Stmt lowered = product.lowered();
    const size_t at = multiplying(lowered_statements(lowered));
    const std::vector<float> row = statement_features(lowered)[at];
    EXPECT_NEAR(32.0 * 16 * 8, plain(feature(row, "float multiply-add")), 1.0);
    EXPECT_NEAR(32.0 * 16 * 8, plain(feature(row, "outer product")), 1.0);
    double unique = 0.0;
    for (int buffer = 0; buffer < 3; buffer++) {
        const std::string name = "buffer" + std::to_string(buffer);
        unique += plain(feature(row, name + " unique bytes"));
    }
    EXPECT_NEAR(4.0 * (32 * 16 + 8 * 16 + 32 * 8), unique, 3.0);
    EXPECT_EQ(0.0F, feature(row, "buffer3 bytes"));
    // More of it for a byte in more loops.
    EXPECT_LT(feature(row, "intensity0"), feature(row, "intensity9"));
}

TEST(StatementFeatures, KnowVectorsUnrolledAndParallelLoops) {
    Product product;
    Var xi("xi"), yi("yi");
    product.out.compute_root()
        .tile(product.x, product.y, xi, yi, 8, 4)
        .vectorize(xi)
        .unroll(yi)
        .parallel(product.y);
    product.sum.compute_at(product.out, product.x).vectorize(product.x).unroll(product.y);
    product.sum.update()
        .reorder(product.x, product.y, product.k)
        .vectorize(product.x)
        .unroll(product.y);
    const Internal::Stmt lowered = product.lowered();
    const auto statements = lowered_statements(lowered);
    const size_t at = multiplying(statements);
    EXPECT_EQ(4, statements[at].stores);
    EXPECT_EQ(8, statements[at].lanes);
    EXPECT_EQ(32.0, statements[at].floats.multiply_adds);
    const std::vector<float> row = statement_features(lowered)[at];
    EXPECT_NEAR(8.0, plain(feature(row, "vector product")), 0.01);
    EXPECT_NEAR(4.0, plain(feature(row, "unroll product")), 0.01);
    EXPECT_NEAR(4.0, plain(feature(row, "parallel product")), 0.01);
    EXPECT_NEAR(1.0, plain(feature(row, "parallel loops")), 0.01);
    EXPECT_NEAR(32.0 * 16 * 8, plain(feature(row, "float multiply-add")), 1.0);
    EXPECT_EQ(1.0F, feature(row, "vector inner spatial"));
}

TEST(StatementFeatures, AreTheSameForTheSameCode) {
    Product first, second;
    EXPECT_EQ(statement_features(first.lowered()), statement_features(second.lowered()));
}

}  // namespace

}  // namespace emulsion
