// Sums along the innermost axis of what they read, sums with few results, and histograms: cut into lanes and shares, they
// are what they are without, whatever sizes turn out to be.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "autoscheduler/image_analysis.h"
#include "autoscheduler/partial_sums.h"
#include "fusion/error.h"
#include "fusion/image/plan_images.h"
#include "tests/autoscheduler/planned_images.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::select;
using Halide::Var;

const Var x("x"), y("y");

// Numbers from 0 to 250 without a pattern.
Buffer<int> numbers(const std::vector<int> &size) {
    Buffer<int> buffer(size);
    uint32_t i = 0;
    buffer.for_each_value([&](int &value) { value = static_cast<int>(i++ * 7919u % 251u); });
    return buffer;
}

// Over rows of `length` elements, of as many rows as there are outputs; the buffer ends where they do.
using Add = std::function<Expr(const Expr &sum, const Expr &value)>;
ImagePipeline of_rows(int length, int rows, int first, const Add &add) {
    const Buffer<int> in = numbers({length, rows});
    const RDom r(0, length);
    Func sum("sum"), out("out");
    sum(x) = first;
    sum(x) = add(sum(x), in(r, x) * 3);
    out(x) = sum(x) + x;
    return {{out}, {}};
}

Expr plus(const Expr &sum, const Expr &value) { return sum + value; }

// One number for all.
ImagePipeline total(int width, int height) {
    const Buffer<int> in = numbers({width, height});
    const RDom r(0, width, 0, height);
    Func sum("sum"), out("out");
    sum() = 0;
    sum() += in(r.x, r.y);
    out(x, y) = sum() + x;
    return {{out}, {}};
}

// How often each number comes in an image, or something else about where it does, in several tables.
ImagePipeline histogram(int width, int height, const Add &add) {
    const Buffer<int> in = numbers({width, height});
    const RDom r(0, width, 0, height);
    Func sum("sum");
    sum(x, y) = x & 3;
    const Expr bin = clamp(in(r.x, r.y), 0, kEstimatedSize[0] - 1);
    sum(bin, y) = add(sum(bin, y), r.x + r.y * y);
    return {{sum}, {}};
}

int64_t parameter_of(const Plan &plan, const std::string &name) {
    int64_t found = -1;
    for (const PlannedGroup &group : plan.groups) {
        for (const PlannedMember &member : group.members) {
            const auto it = member.nest.parameters.find(name);
            found = it == member.nest.parameters.end() ? found : std::max(found, it->second);
        }
    }
    return found;
}

int64_t lanes_of(const ImagePipeline &made) { return parameter_of(plan_of(made), "lanes"); }

// Everybody's parts as they are asked for, where nests may have them.
ChangePlan with_parts(int64_t lanes, int64_t vectors, int64_t share) {
    return [=](const ImagePipeline &, Plan &plan) {
        for (PlannedGroup &group : plan.groups) {
            for (PlannedMember &member : group.members) {
                if (member.op.starts_with("sum") && !member.nest.empty()) {
                    member.nest.parameters["lane_loop"] = 0;
                    member.nest.parameters["lanes"] = lanes;
                    member.nest.parameters["lane_vectors"] = vectors;
                    member.nest.parameters["share"] = group.members.size() > 1 ? 0 : share;
                }
            }
        }
    };
}

}  // namespace

TEST(PartedSums, OfLongRowsAreAddedInLanes) {
    EXPECT_EQ(8, lanes_of(of_rows(1000, kEstimatedSize[0], 0, plus)));
}

TEST(PartedSums, OfShortRowsAreNot) {
    EXPECT_EQ(-1, lanes_of(of_rows(5, kEstimatedSize[0], 0, plus)));
}

TEST(PartedSums, DownColumnsAreNot) {
    const Buffer<int> in = numbers({kEstimatedSize[0], 1000});
    const RDom r(0, 1000);
    Func sum("sum");
    sum(x) = 0;
    sum(x) += in(x, r);
    EXPECT_EQ(-1, lanes_of({{sum}, {}}));
}

TEST(PartedSums, AreSumsProductsAndExtremesOfOneValue) {
    const auto adds_up = [](const Add &add) {
        const ImagePipeline made = of_rows(100, 10, 1, add);
        const auto calls = Halide::Internal::find_direct_calls(made.outputs.front().function());
        return adds_up_in_parts(calls.begin()->second);
    };
    EXPECT_TRUE(adds_up(plus));
    EXPECT_TRUE(adds_up([](const Expr &a, const Expr &b) { return a * b; }));
    EXPECT_TRUE(adds_up([](const Expr &a, const Expr &b) { return min(a, b); }));
    EXPECT_TRUE(adds_up([](const Expr &a, const Expr &b) { return max(a, b + 1); }));
    EXPECT_FALSE(adds_up([](const Expr &a, const Expr &b) { return a - b * a; }));
    EXPECT_FALSE(adds_up([](const Expr &, const Expr &b) { return b; }));
    EXPECT_FALSE(adds_up([](const Expr &a, const Expr &b) { return a / 2 + b; }));
}

TEST(PartedSums, AreNoneOfTuplesOrOfDomainsWithConditions) {
    const Buffer<int> in = numbers({100, 20});
    RDom half(0, 100);
    half.where(half.x % 2 == 0);
    const RDom r(0, 100);
    Func some("some"), best("best"), twice("twice");
    some(x) = 0;
    some(x) += in(half, x);
    best(x) = {0, 0};
    best(x) = {max(best(x)[0], in(r, x)), select(best(x)[0] < in(r, x), r, best(x)[1])};
    twice(x) = 0;
    twice(x) += in(r, x);
    twice(x) += in(r, x) * 2;
    for (const Func &f : {some, best, twice}) {
        EXPECT_FALSE(adds_up_in_parts(f.function())) << f.name();
    }
}

TEST(PartedSums, AreTheSameForRowsOfAnyLength) {
    for (const int length : {1, 7, 8, 31, 33, 64, 1003}) {
        SCOPED_TRACE(length);
        expect_same_images([=] { return of_rows(length, kEstimatedSize[0], 5, plus); });
    }
}

TEST(PartedSums, AreTheSameWithAnyParts) {
    const MakeImages make = [] { return of_rows(203, kEstimatedSize[0], -7, plus); };
    const auto stored = run_stored(make);
    for (const auto &[lanes, vectors] : {std::pair{2, 1}, {8, 1}, {8, 4}, {32, 8}, {256, 1}}) {
        SCOPED_TRACE(std::to_string(lanes) + " x " + std::to_string(vectors));
        expect_equal_images(stored, run_planned(make, with_parts(lanes, vectors, 0)));
    }
}

TEST(PartedSums, WithFewResultsAreSharedByTasks) {
    EXPECT_GT(parameter_of(plan_of(total(2000, 1500)), "share"), 0);
    EXPECT_EQ(-1, parameter_of(plan_of(total(40, 30)), "share"));
    EXPECT_EQ(-1, parameter_of(plan_of(of_rows(1000, kEstimatedSize[0], 0, plus)), "share"));
}

TEST(PartedSums, AreTheSameInAnyShares) {
    const MakeImages make = [] {
        const Buffer<int> in = numbers({61, 37});
        const RDom r(0, 61, 0, 37);
        Func sum("sum");
        sum(x) = x;
        sum(x) += in(r.x, r.y) * (x + 1);
        return ImagePipeline{{sum}, {}};
    };
    const auto stored = run_stored(make);
    for (const int64_t share : {1, 5, 36, 37, 100}) {
        for (const int64_t lanes : {1, 8}) {
            SCOPED_TRACE(std::to_string(share) + ", " + std::to_string(lanes));
            expect_equal_images(stored, run_planned(make, with_parts(lanes, 2, share)));
        }
    }
}

TEST(PartedSums, OfLargeHistogramsAreSharedByTasks) {
    const auto one_table = [](int width, int height) {
        const Buffer<uint8_t> in(width, height);
        const RDom r(0, width, 0, height);
        Func sum("sum"), out("out");
        sum(x) = 0;
        sum(cast<int>(in(r.x, r.y))) += 1;
        out(x) = sum(x) * 2;
        return ImagePipeline{{out}, {}};
    };
    const Plan plan = plan_of(one_table(2000, 1500));
    EXPECT_GT(parameter_of(plan, "share"), 0);
    EXPECT_EQ(-1, parameter_of(plan, "lanes"));
    EXPECT_EQ(-1, parameter_of(plan_of(one_table(20, 15)), "share"));
}

TEST(PartedSums, OfHistogramsAreTheSameInAnyShares) {
    const std::map<std::string, Add> updates{
        {"plus", plus},
        {"max", [](const Expr &a, const Expr &b) { return max(a, b); }},
        {"min", [](const Expr &a, const Expr &b) { return min(a, 40 - b); }}};
    for (const auto &[name, add] : updates) {
        const MakeImages make = [&add = add] { return histogram(61, 37, add); };
        const auto stored = run_stored(make);
        for (const int64_t share : {1, 5, 36, 37, 100}) {
            SCOPED_TRACE(name + ", " + std::to_string(share));
            bool shared = false;
            const auto change = [&](const ImagePipeline &made, Plan &plan) {
                with_parts(1, 1, share)(made, plan);
                shared = parameter_of(plan, "share") == share;
            };
            expect_equal_images(stored, run_planned(make, change));
            EXPECT_TRUE(shared);
        }
    }
}

TEST(PartedSums, OfScattersHaveNoLanes) {
    const ImagePipeline made = histogram(61, 37, plus);
    EXPECT_TRUE(adds_up_in_parts(made.outputs.front().function()));
    EXPECT_FALSE(adds_up_in_lanes(made.outputs.front().function()));
    const MakeImages make = [] { return histogram(61, 37, plus); };
    EXPECT_THROW(run_planned(make, with_parts(8, 1, 0)), Error);
}

TEST(PartedSums, OfNoAxesAreTheSame) {
    expect_same_images([] {
        Buffer<uint8_t> bytes(3001, 7);
        bytes.for_each_element([&](int i, int j) { bytes(i, j) = (i * 31 + j * 17) % 256; });
        const RDom r(0, 3001, 0, 7);
        Func sum("sum"), largest("largest"), out("out");
        sum() = cast<uint32_t>(0);
        sum() += cast<uint32_t>(bytes(r.x, r.y));
        largest() = cast<uint8_t>(0);
        largest() = max(largest(), bytes(r.x, r.y));
        out(x, y) = cast<int>(sum()) + cast<int>(largest()) * x + y;
        return ImagePipeline{{out}, {}};
    });
}

TEST(ValuesOfRows, AreComputedAtTheTilesOfTheirReaders) {
    const auto make = [] {
        const Buffer<int> in = numbers({500, 96});
        const RDom r(0, 500);
        Func top("top"), below("below"), sum("sum"), scale("scale"), out("out");
        top(y) = -1;
        top(y) = max(top(y), in(r, y));
        below(x, y) = in(clamp(x, 0, 499), y) - top(y);
        sum(y) = 0;
        sum(y) += below(r, y) * below(r, y);
        scale(y) = sum(y) / (top(y) + 3) + 1;
        out(x, y) = below(x, y) * 1000 / scale(y);
        return ImagePipeline{{out}, {}};
    };
    const Plan plan = plan_of(make());
    EXPECT_EQ(1u, plan.groups.size());
    for (const int rows : {37, 96}) {
        SCOPED_TRACE(rows);
        expect_same_images(make, {120, rows});
    }
}

TEST(ValuesOfRows, AreNoTables) {
    const auto make = [] {
        const Buffer<int> in = numbers({120, 96});
        Func table("table"), out("out");
        table(x) = x * x % 97 + (x * 7919) % 31;
        out(x, y) = table(clamp(in(x, y), 0, 250));
        return ImagePipeline{{out}, {}};
    };
    EXPECT_EQ(2u, plan_of(make()).groups.size());
    expect_same_images(make, {120, 96});
}

}  // namespace emulsion
