// Regions that depend on data, or on sizes that nothing estimates: whatever they are taken to be, results are right.
#include <gtest/gtest.h>

#include "autoscheduler/image_analysis.h"
#include "autoscheduler/pipeline_analysis.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::cast;
using Halide::clamp;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::Var;

class RegionsOfData : public testing::Test {
protected:
    Func image() const { return Halide::BoundaryConditions::repeat_edge(image_of_numbers()); }

    const Var x{"x"}, y{"y"}, i{"i"};
};

}  // namespace

TEST_F(RegionsOfData, AreRightWhereDataOfATypeSayThePlace) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func bytes("bytes"), table("table"), out("out");
        bytes(x, y) = cast<uint8_t>(in(x, y) * 3);
        table(i) = i * i % 1009;
        table(i) += i / 3;
        out(x, y) = table(cast<int>(bytes(x, y))) + table(bytes(x + 1, y) / 2);
        return {{out}, {}};
    });
}

TEST_F(RegionsOfData, AreRightWhereClampsOfDataSayThePlace) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func shift("shift"), sums("sums"), out("out");
        shift(x, y) = clamp(in(x, y) - 125, -7, 9);
        sums(x, y) = in(x, y) + in(x + 1, y) * in(x, y + 1);
        out(x, y) = sums(x + shift(x, y), y + shift(y, x));
        return {{out}, {}};
    });
}

// Halide refuses to store what is read there, but inlines it.
TEST_F(RegionsOfData, AreRightWithoutBounds) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func far("far"), deeper("deeper"), sums("sums"), out("out");
        sums(x, y) = in(x, y) + 2 * in(x + 1, y);
        deeper(x, y) = sums(clamp(x, -50, 200), clamp(y, 3, 80)) * 3;
        far(x, y) = deeper(x, y - 1) + x * y;
        out(x, y) = far(in(x, y) * in(x + 1, y), y) + far(x, in(y, x) * 1000);
        return {{out}, {far, deeper}};
    });
}

TEST_F(RegionsOfData, AreRightForTuplesWithoutBounds) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func pair("pair"), out("out");
        pair(x, y) = Tuple(x + 2 * y, in(clamp(x, 0, 90), clamp(y, 0, 70)));
        out(x, y) = pair(in(x, y) * in(x, y + 1), y)[0] + pair(in(x, y) * in(x, y + 2), y)[1];
        return {{out}, {pair}};
    });
}

TEST_F(RegionsOfData, AreRightInBranchesThatKeepReadsInside) {
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func sums("sums"), out("out");
        sums(x, y) = in(x, y) + in(x + 1, y);
        const Expr at = in(x, y) * in(x, y);
        out(x, y) = select(at < 60, sums(clamp(at, 0, 60), y), sums(x, y));
        return {{out}, {}};
    });
}

TEST_F(RegionsOfData, AreRightForParametersWithoutEstimates) {
    Halide::Param<int> scale("scale"), window("window");
    scale.set(2);
    window.set(4);
    expect_same_images([&]() -> ImagePipeline {
        const Func in = image();
        Func table("table"), sums("sums"), out("out");
        table(x) = x * x;
        const RDom r(0, window);
        sums(x, y) = 0;
        sums(x, y) += in(x + r, y) * r;
        out(x, y) = table(x * scale) + sums(x, y) + sums(x, y + 1);
        return {{out}, {}};
    });
}

TEST_F(RegionsOfData, AreRightForInputsWithoutEstimates) {
    Halide::ImageParam in(Halide::Int(32), 2, "in");
    in.set(image_of_numbers());
    expect_same_images([&]() -> ImagePipeline {
        const Func edged = Halide::BoundaryConditions::repeat_edge(in);
        Func total("total"), out("out");
        const RDom all(0, in.width(), 0, in.height());
        total() = 0;
        total() += in(all.x, all.y);
        out(x, y) = edged(x - 1, y) + edged(x + 1, y) + total();
        return {{out}, {}};
    });
}

// The planner of networks has the same regions.
TEST_F(RegionsOfData, AreTheSameToThePlannerOfNetworks) {
    const Func in = image();
    Func far("far"), shift("shift"), sums("sums"), out("out");
    shift(x, y) = clamp(in(x, y), 0, 9);
    sums(x, y) = in(x, y) + in(x + 1, y);
    far(x, y) = x * y;
    out(x, y) = sums(x + shift(x, y), y) + far(in(x, y) * in(x + 1, y), y);
    out.set_estimates({{0, kEstimatedSize[0]}, {0, kEstimatedSize[1]}});
    const OperatorGraph graph = analyze_pipeline({out}, image_machine());
    std::vector<std::string> names;
    for (const PlannerOperator &op : graph.operators) {
        names.push_back(op.name);
    }
    EXPECT_EQ(0, std::count(names.begin(), names.end(), far.name()));
    EXPECT_EQ(1, std::count(names.begin(), names.end(), sums.name()));
}

TEST_F(RegionsOfData, FollowFromDataTypes) {
    const Func in = image();
    Func bytes("bytes"), table("table"), out("out");
    bytes(x, y) = cast<uint8_t>(in(x, y));
    table(i) = i * i;
    table(i) += 1;
    out(x, y) = table(bytes(x, y));
    out.set_estimates({{0, kEstimatedSize[0]}, {0, kEstimatedSize[1]}});
    for (const ImageStage &stage : analyze_images({out}).stages) {
        if (stage.name == table.name()) {
            EXPECT_EQ(std::vector<int64_t>{256}, stage.extents);
        }
    }
}

// Simplified, nothing is left of a comparison of something with itself; Halide computes what is compared.
TEST_F(RegionsOfData, FollowFromReadsThatSayNothing) {
    const Func in = image();
    Func sums("sums"), alike("alike"), out("out");
    sums(x, y) = in(x, y) + 1;
    alike(x, y) = sums(x, y) > sums(x, y);
    out(x, y) = select(alike(x, y) || alike(x, y + 2), 1, in(x, y));
    out.set_estimates({{0, kEstimatedSize[0]}, {0, kEstimatedSize[1]}});
    for (const ImageStage &stage : analyze_images({out}).stages) {
        if (stage.name == sums.name()) {
            EXPECT_EQ((std::vector<int64_t>{kEstimatedSize[0], kEstimatedSize[1] + 2}),
                      stage.extents);
        }
    }
}

}  // namespace emulsion
