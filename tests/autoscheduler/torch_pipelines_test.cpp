// Pipelines as PyTorch's Halide back end makes them: loops flattened to as few axes as there are strides,
// every constant a Func of rank 0, every intermediate a Func, values of rows of a lower rank than the rows,
// loads that a reduction domain of one element masks, indices that data give. Scheduled, they compute what
// they compute with every Func stored.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/autoscheduler/planned_images.h"
#include "tests/autoscheduler/torch_pipelines.h"

namespace emulsion {

namespace {

using Halide::Buffer;
using Halide::cast;
using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::select;
using Halide::Var;

Func constant(float value) {
    Func f("constant");
    f() = value;
    return f;
}

void expect_same(const std::function<Func()> &make, const std::vector<int> &size) {
    const Buffer<float> stored = run_torch(make(), size, false),
                        ours = run_torch(make(), size, true);
    float worst = 0.0f;
    for (size_t i = 0; i < stored.number_of_elements(); i++) {
        const float difference = std::abs(ours.data()[i] - stored.data()[i]);
        const bool close = difference <= 1e-5f * (1.0f + std::abs(stored.data()[i]));
        worst = close ? worst : std::max(worst, std::isnan(difference) ? INFINITY : difference);
    }
    EXPECT_EQ(worst, 0.0f);
}

// Nothing but rows: (x * scale + bias) * x, maximum with 0.
Func chain(int columns) {
    const Var h0("h0");
    const Func in = torch_input({columns}), scale = constant(3.0f), bias = constant(0.5f);
    Func x("x"), scaled("scaled"), moved("moved"), product("product"), positive("positive");
    Func out("out");
    x(h0) = in(h0);
    scaled(h0) = x(h0) * scale();
    moved(h0) = scaled(h0) + bias();
    product(h0) = moved(h0) * x(h0);
    positive(h0) = max(product(h0), 0);
    out(h0) = cast<float>(positive(h0));
    return out;
}

// The maximum keeps what is no number.
Func softmax() {
    const Var h0("h0"), h1("h1");
    const Func in = torch_input({kRowLength, kRowCount});
    const RDom r(0, kRowLength);
    Func x("x"), top("top"), below("below"), power("power"), sum("sum"), out("out");
    x(h0, h1) = in(h0, h1);
    top(h1) = -INFINITY;
    top(h1) = select(top(h1) > x(r, h1) || is_nan(top(h1)), top(h1), x(r, h1));
    below(h0, h1) = x(h0, h1) - top(h1);
    power(h0, h1) = fast_exp(below(h0, h1));
    sum(h1) = 0.0f;
    sum(h1) += power(r, h1);
    out(h0, h1) = power(h0, h1) / sum(h1);
    return out;
}

Func layer_norm() {
    const Var h0("h0"), h1("h1");
    const Func in = torch_input({kRowLength, kRowCount}), weight = torch_input({kRowLength});
    const Func count = constant(static_cast<float>(kRowLength)), epsilon = constant(1e-5f);
    const RDom r(0, kRowLength);
    Func x("x"), sum("sum"), mean("mean"), rest("rest"), squares("squares"), spread("spread");
    Func scale("scale"), out("out");
    x(h0, h1) = in(h0, h1);
    sum(h1) = 0.0f;
    sum(h1) += x(r, h1);
    mean(h1) = sum(h1) / count();
    rest(h0, h1) = x(h0, h1) - mean(h1);
    squares(h0, h1) = rest(h0, h1) * rest(h0, h1);
    spread(h1) = 0.0f;
    spread(h1) += squares(r, h1);
    scale(h1) = 1.0f / sqrt(spread(h1) / count() + epsilon());
    out(h0, h1) = rest(h0, h1) * scale(h1) * weight(h0);
    return out;
}

// Of all but the middle axis, which alone is left.
Func sums_over_outer_axes() {
    const Var h0("h0"), h1("h1"), h2("h2");
    const Func in = torch_input({28, kRowLength, 8});
    const RDom r(0, 28, 0, 8);
    Func x("x"), sum("sum"), out("out");
    x(h0, h1, h2) = in(h0, h1, h2);
    sum(h1) = 0.0f;
    sum(h1) += x(r.x, h1, r.y);
    out(h1) = sum(h1);
    return out;
}

// A load that only happens where a mask says, and the rest of a padded row.
Func masked(const Func &in, const Func &mask, const Expr &index, const std::string &name) {
    const Var h0("h0"), h1("h1");
    Func load(name);
    RDom once(0, 1);
    once.where(mask(h0));
    load(h0, h1) = 0.0f;
    load(h0, h1) = in(Halide::clamp(index, 0, kRowLength / 2 - 1), h1) + cast<float>(once);
    return load;
}

// Of two halves along the columns.
Func concatenation() {
    const Var h0("h0"), h1("h1");
    const int half = kRowLength / 2;
    const Func first = torch_input({half, kRowCount}), second = torch_input({half, kRowCount});
    Func is_first("is_first"), is_second("is_second"), out("out");
    is_first(h0) = h0 < half;
    is_second(h0) = h0 >= half;
    const Func left = masked(first, is_first, h0, "left"),
               right = masked(second, is_second, h0 - half, "right");
    out(h0, h1) = select(is_first(h0), left(h0, h1), right(h0, h1) * 2.0f);
    return out;
}

Func rows_by_index() {
    const Var h0("h0"), h1("h1");
    const Func table = torch_input({kRowLength, 50});
    Func index("index"), row("row"), out("out");
    index(h1) = cast<int64_t>(h1) * 37 % 61 - 5;
    row(h1) = select(index(h1) < 0, index(h1) + 50, index(h1));
    out(h0, h1) = table(h0, cast<int>(Halide::clamp(row(h1), 0, 49)));
    return out;
}

// A flattened axis whose parts are the axes of the input in another order.
Func permuted() {
    const Var h0("h0"), h1("h1");
    const Func in = torch_input({kRowCount, 4, kRowLength / 4});
    Func x("x"), out("out");
    x(h0, h1) = in(h1, h0 % 4, h0 / 4);
    out(h0, h1) = x(h0, h1) * 0.5f;
    return out;
}

Func places_of_maxima() {
    const Var h0("h0"), h1("h1");
    const Func in = torch_input({50, kRowLength});
    const RDom r(0, 50);
    Func x("x"), place("place"), out("out");
    x(h0, h1) = in(h0, h1);
    place(h1) = argmax(r, x(r, h1))[0];
    out(h1) = cast<float>(place(h1));
    return out;
}

// Additions where data say, onto what nobody has set before.
Func scattered() {
    const Var h0("h0"), h1("h1");
    const Func in = torch_input({kRowLength, 200});
    const RDom r(0, kRowLength, 0, 200);
    Func index("index"), sums("sums"), out("out");
    index(h1) = (h1 * 31 + 7) % kRowCount;
    sums(h0, h1) = 0.0f;
    sums(r.x, Halide::clamp(index(r.y), 0, kRowCount - 1)) += in(r.x, r.y);
    out(h0, h1) = sums(h0, h1);
    return out;
}

}  // namespace

TEST(TorchPipelines, ChainsOfRowsAreOneLoop) {
    EXPECT_EQ(plan_of({{chain(kRowLength)}, {}}).groups.size(), 1U);
    expect_same([] { return chain(kRowLength); }, {kRowLength});
}

TEST(TorchPipelines, MayBeSmallerThanTilesInSomeCall) {
    for (const int columns : {8, 77, 1003}) {
        expect_same([&] { return chain(columns); }, {columns});
    }
}

TEST(TorchPipelines, MayHaveFewerRowsThanTilesInSomeCall) {
    const auto make = [] { return softmax(); };
    for (const int rows : {1, 5, 37}) {
        expect_same(make, {kRowLength, rows});
    }
}

TEST(TorchPipelines, SoftmaxKeepsItsRows) { expect_same(softmax, {kRowLength, kRowCount}); }

TEST(TorchPipelines, NormsHaveValuesOfRowsAndConstants) {
    expect_same(layer_norm, {kRowLength, kRowCount});
}

TEST(TorchPipelines, SumsMayLeaveAMiddleAxis) { expect_same(sums_over_outer_axes, {kRowLength}); }

TEST(TorchPipelines, LoadsMayBeMasked) { expect_same(concatenation, {kRowLength, kRowCount}); }

// What others compute of masked loads is inlined, and they are computed for the vectors that want them.
TEST(TorchPipelines, MaskedLoadsStayInRegisters) {
    const auto differences = [] {
        const Var h0("h0"), h1("h1");
        const Func in = torch_input({kRowLength / 2, kRowCount});
        Func inside("inside"), bright("bright"), slope("slope"), out("out");
        inside(h0) = h0 >= 1 && h0 < kRowLength / 2;
        const Func left = masked(in, inside, h0 - 1, "left"), here = masked(in, inside, h0, "here");
        slope(h0, h1) = here(h0, h1) - left(h0, h1);
        bright(h0, h1) = here(h0, h1) * 3.0f;
        out(h0, h1) = slope(h0, h1) * slope(h0, h1) + bright(h0, h1);
        return out;
    };
    int in_registers = 0;
    for (const PlannedGroup &group : plan_of({{differences()}, {}}).groups) {
        for (const PlannedMember &member : group.members) {
            in_registers += member.parts.front().placement == Placement::Register ? 1 : 0;
        }
    }
    EXPECT_EQ(in_registers, 2);
    for (const int columns : {kRowLength, 77, 8}) {
        expect_same(differences, {columns, kRowCount});
    }
}

TEST(TorchPipelines, RowsMayBeTakenByIndex) { expect_same(rows_by_index, {kRowLength, kRowCount}); }

TEST(TorchPipelines, AxesMayBePartsOfFlattenedOnes) {
    expect_same(permuted, {kRowLength, kRowCount});
}

TEST(TorchPipelines, MayAskForPlacesOfMaxima) { expect_same(places_of_maxima, {kRowLength}); }

TEST(TorchPipelines, MayAddWhereDataSay) { expect_same(scattered, {kRowLength, kRowCount}); }

TEST(TorchPipelines, MayHaveSizesAsParameters) {
    Halide::Param<int64_t> columns("columns");
    columns.set_estimate(kRowLength);
    for (const int now : {kRowLength, 33}) {
        columns.set(now);
        expect_same(
            [&] {
                const Var h0("h0"), h1("h1");
                const Func in = torch_input({kRowLength * 2, kRowCount});
                const RDom r(0, cast<int>(columns));
                Func x("x"), sum("sum"), count("count"), out("out");
                x(h0, h1) = in(h0, h1);
                sum(h1) = 0.0f;
                sum(h1) += x(r, h1);
                count() = cast<float>(columns);
                out(h0, h1) = x(h0, h1) - sum(h1) / count();
                return out;
            },
            {now, kRowCount});
    }
}

}  // namespace emulsion
