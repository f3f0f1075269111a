// Sums and products of matrices as PyTorch's Halide back end makes them: which columns and rows they add up side by
// side, and that they write nothing beside their outputs.
#include <gtest/gtest.h>

#include <algorithm>

#include "autoscheduler/apply.h"
#include "autoscheduler/image_analysis.h"
#include "fusion/image/plan_images.h"
#include "tests/autoscheduler/planned_images.h"
#include "tests/autoscheduler/torch_pipelines.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

// The weights of attention with its values, which are shorter than several vectors.
Func weighted_values(int features) {
    const Var h0("h0"), h1("h1"), h2("h2"), h3("h3");
    const Func weights = torch_input({64, kRowCount, 3}), values = torch_input({features, 64, 3});
    const RDom r(0, 64);
    Func turned("turned"), product("product"), sum("sum"), out("out");
    turned(h0, h1, h3) = values(h1, h0, h3);
    product(h0, h1, h2, h3) = weights(h0, h2, h3) * turned(h0, h1, h3);
    sum(h1, h2, h3) = 0.0f;
    sum(h1, h2, h3) += product(r, h1, h2, h3);
    out(h1, h2, h3) = sum(h1, h2, h3);
    out.set_estimates({{0, features}, {0, kRowCount}, {0, 3}});
    return out;
}

}  // namespace

// With memory around it that has to stay as it is.
TEST(TorchSums, MayHaveAxesShorterThanTheirVectors) {
    constexpr int kFeatures = 12, kSlices = 3;
    const Buffer<float> stored =
        run_torch(weighted_values(kFeatures), {kFeatures, kRowCount, kSlices}, false);
    Func out = weighted_values(kFeatures);
    const ImageGraph graph = analyze_images({out});
    apply_plan({out}, plan_images(graph, image_machine()), torch_target());
    std::vector<float> memory(64 + stored.number_of_elements() + 64, -99.0f);
    Buffer<float> ours(memory.data() + 64, {kFeatures, kRowCount, kSlices});
    out.realize(ours, torch_target());
    for (size_t i = 0; i < stored.number_of_elements(); i++) {
        ASSERT_NEAR(memory[64 + i], stored.data()[i], 1e-3f);
    }
    EXPECT_EQ(std::count(memory.begin(), memory.begin() + 64, -99.0f), 64);
    EXPECT_EQ(std::count(memory.end() - 64, memory.end(), -99.0f), 64);
}

// Rows are far apart: of each, what fits half of the registers is read.
TEST(TorchSums, OfManyRowsHaveMoreColumnsSideBySide) {
    const auto sums_of_columns = [](int rows, int columns) {
        const Var h0("h0");
        const Func in = torch_input({columns, rows});
        const RDom r(0, rows);
        Func sum("sum"), out("out");
        sum(h0) = 0.0f;
        sum(h0) += in(h0, r);
        out(h0) = sum(h0) * 2.0f;
        out.set_estimates({{0, columns}});
        return out;
    };
    const auto vectors = [&](int rows, int columns) {
        const Plan plan =
            plan_images(analyze_images({sums_of_columns(rows, columns)}), image_machine());
        return plan.groups.back().members.back().nest.parameters.at("vectors");
    };
    EXPECT_EQ(vectors(200, 1024), image_machine().vector_registers / 2);
    EXPECT_EQ(vectors(8, 1024), 4);
    EXPECT_EQ(vectors(200, 160), 4);  // 5 times 32, but twice 64 and a half
    for (const int columns : {1024, 1003, 160, 77}) {
        const Buffer<float> stored = run_torch(sums_of_columns(200, columns), {columns}, false);
        Func out = sums_of_columns(200, columns);
        apply_plan({out}, plan_images(analyze_images({out}), image_machine()), torch_target());
        const Buffer<float> ours = out.realize({columns}, torch_target());
        for (int i = 0; i < columns; i++) {
            ASSERT_NEAR(ours(i), stored(i), 1e-3f);
        }
    }
}

// What is read there lies side by side along the columns, though the product in between has them second.
TEST(TorchSums, OfProductsOfMatricesAddUpInVectorsOfColumns) {
    constexpr int kFeatures = 64, kSlices = 3;
    Func out = weighted_values(kFeatures);
    const Plan plan = plan_images(analyze_images({out}), image_machine());
    std::vector<const PlannedMember *> sums;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            if (member.op.starts_with("sum")) {
                sums.push_back(&member);
            }
        }
    }
    ASSERT_EQ(sums.size(), 1U);
    EXPECT_EQ(sums.front()->nest.parameters.count("lanes"), 0U);
    EXPECT_EQ(sums.front()->nest.parameters.count("own_sums"), 1U);
    const Buffer<float> stored =
        run_torch(weighted_values(kFeatures), {kFeatures, kRowCount, kSlices}, false);
    apply_plan({out}, plan, torch_target());
    const Buffer<float> ours = out.realize({kFeatures, kRowCount, kSlices}, torch_target());
    for (size_t i = 0; i < stored.number_of_elements(); i++) {
        ASSERT_NEAR(ours.data()[i], stored.data()[i], 1e-3f);
    }
}

// Sums of several rows and many columns at a time write nothing beside an output that is smaller than planned.
TEST(TorchSums, SideBySideStayInSmallerOutputs) {
    constexpr int kColumns = 70, kRows = 1, kFirst = 8, kProducts = 40;
    constexpr float kUntouched = 7.0f;
    const auto product_of_matrices = [] {
        const Var h0("h0"), h1("h1");
        const Func a = torch_input({kProducts, kRowCount}),
                   b = torch_input({kRowLength, kProducts});
        const RDom r(0, kProducts);
        Func sum("sum"), out("out");
        sum(h0, h1) = 0.0f;
        sum(h0, h1) += a(r, h1) * b(h0, r);
        out(h0, h1) = sum(h0, h1) * 0.5f;
        return out;
    };
    Func ours = product_of_matrices(), stored = product_of_matrices();
    apply_plan({ours}, plan_of({{ours}, {}}), torch_target());
    Buffer<float> whole(kColumns, kFirst + kRows + 40), expected(kColumns, kRows);
    whole.fill(kUntouched);
    Buffer<float> few(whole.get()->cropped(1, kFirst, kRows));
    expected.set_min(0, kFirst);
    ours.realize(few, torch_target());
    stored.realize(expected);
    for (int y = 0; y < whole.height(); y++) {
        for (int x = 0; x < kColumns; x++) {
            const bool inside = y >= kFirst && y < kFirst + kRows;
            ASSERT_NEAR(inside ? expected(x, y) : kUntouched, whole(x, y), 1e-3) << x << ", " << y;
        }
    }
}

}  // namespace emulsion
