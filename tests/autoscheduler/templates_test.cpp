// Which loop nests operators are offered: by what they compute, not by what they are called.

#include <gtest/gtest.h>

#include "autoscheduler/templates/template.h"
#include "fusion/error.h"

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RDom;
using Halide::Var;

Machine machine_of_templates(int vector_bytes, int registers) {
    CpuMachine m;
    m.vector_bytes = vector_bytes;
    m.vector_registers = registers;
    m.threads = 4;
    return m;
}

// Innermost last, as in networks.
NestSubject subject(const std::vector<Func> &parts, const std::vector<int64_t> &extents,
                    const Machine &m) {
    NestSubject s;
    for (const Func &part : parts) {
        s.parts.push_back(func_facts(part.function()));
    }
    s.extents = extents;
    for (size_t axis = 0; axis < extents.size(); axis++) {
        s.natural_order.push_back(static_cast<int>(axis));
    }
    s.machine = m;
    return s;
}

NestSpace chosen(const NestSubject &s) {
    for (const NestTemplate *t : ranked_templates(false)) {
        if (const auto offer = t->offer(s)) {
            EXPECT_EQ(t->name, offer->space.template_name);
            return offer->space;
        }
    }
    return {};
}

// The template for each machine; what it prefers is among what it offers.
void expect_template(const std::string &name, const std::vector<Func> &parts,
                     const std::vector<int64_t> &extents) {
    for (const Machine &m : {machine_of_templates(16, 16), machine_of_templates(32, 16),
                             machine_of_templates(64, 32)}) {
        const NestSpace space = chosen(subject(parts, extents, m));
        EXPECT_EQ(name, space.template_name);
        for (const NestParameter &p : space.parameters) {
            EXPECT_TRUE(p.domain.contains(p.preferred)) << p.name;
            EXPECT_FALSE(p.unit.empty()) << p.name;
        }
        EXPECT_EQ("", space.is_valid(space.preferred()));
    }
}

class Templates : public testing::Test {
protected:
    Func input(const std::string &name) const {
        Func f(name);
        f(n, c, h, w) = 0.0F;
        return f;
    }

    const Var n{"n"}, c{"c"}, h{"h"}, w{"w"};
};

}  // namespace

TEST_F(Templates, AWindowOverChannelsIsAConvolution) {
    Func x = input("conv_x"), k = input("conv_k"), sum, result;
    const RDom r(0, 8, 0, 3, 0, 3);
    sum(n, c, h, w) = 0.0F;
    sum(n, c, h, w) += x(n, r.x, h + r.y, w + r.z) * k(c, r.x, r.y, r.z);
    result(n, c, h, w) = sum(n, c, h, w);
    expect_template("convolution", {sum, result}, {1, 24, 9, 9});
}

// Its lanes would read different data: that is gathered, which takes many times as long.
TEST_F(Templates, NoVectorOfAConvolutionSpansTwoGroups) {
    for (const int each : {2, 3, 4, 7, 8, 12, 16, 24, 32}) {
        Func x = input("conv_x"), k = input("conv_k"), sum, result;
        const RDom r(0, 8, 0, 3, 0, 3);
        sum(n, c, h, w) = 0.0F;
        sum(n, c, h, w) += x(n, c / each * 8 + r.x, h + r.y, w + r.z) * k(c, r.x, r.y, r.z);
        result(n, c, h, w) = sum(n, c, h, w);
        const NestSubject convolution =
            subject({sum, result}, {1, 6 * each, 9, 9}, machine_of_templates(64, 32));
        EXPECT_EQ(0, each % chosen(convolution).preferred().parameters.at("vector")) << each;
    }
}

TEST_F(Templates, AProductOverOneAxisIsAMatrixProduct) {
    Func a, b, sum, result;
    a(h, w) = 0.0F;
    b(h, w) = 0.0F;
    const RDom r(0, 33);
    sum(h, w) = 0.0F;
    sum(h, w) += a(h, r) * b(r, w);
    result(h, w) = sum(h, w);
    expect_template("matrix_product", {sum, result}, {7, 19});
}

// Rows that are a multiple of 4 KB apart share the sets of the first-level cache, which have few lines.
TEST_F(Templates, FewRowsThatShareSetsOfTheCacheAreATile) {
    const auto rows_of_tile = [&](int channels) {
        Func a, b, sum, result;
        a(h, w) = 0.0F;
        b(h, w) = 0.0F;
        const RDom r(0, channels);
        sum(h, w) = 0.0F;
        sum(h, w) += a(h, r) * b(r, w);
        result(h, w) = sum(h, w);
        const NestSubject product =
            subject({sum, result}, {960, 960}, machine_of_templates(64, 32));
        return chosen(product).preferred().parameters.at("width");
    };
    EXPECT_GT(rows_of_tile(1000), 7);
    EXPECT_LE(rows_of_tile(1024), 7);
    EXPECT_LE(rows_of_tile(3072), 7);
    EXPECT_GT(rows_of_tile(1040), 7);
}

TEST_F(Templates, AWindowPerChannelIsDepthwiseWithWeightsAndAPoolWithout) {
    Func x = input("depthwise_x"), k = input("depthwise_k"), sum, result, largest, pool;
    const RDom r(0, 3, 0, 3);
    sum(n, c, h, w) = 0.0F;
    sum(n, c, h, w) += x(n, c, h + r.x, w + r.y) * k(c, 0, r.x, r.y);
    result(n, c, h, w) = sum(n, c, h, w);
    expect_template("depthwise", {sum, result}, {1, 24, 9, 9});
    largest(n, c, h, w) = 0.0F;
    largest(n, c, h, w) = Halide::max(largest(n, c, h, w), x(n, c, h + r.x, w + r.y));
    pool(n, c, h, w) = largest(n, c, h, w);
    expect_template("pooling", {largest, pool}, {1, 24, 9, 9});
}

TEST_F(Templates, ASumOverWholeAxesIsAReduction) {
    Func x = input("mean_x"), sum, result;
    const RDom r(0, 9, 0, 9);
    sum(n, c) = 0.0F;
    sum(n, c) += x(n, c, r.x, r.y);
    result(n, c) = sum(n, c) / 81.0F;
    expect_template("reduction", {sum, result}, {2, 24});
}

TEST_F(Templates, SeveralReductionsOfARowAreARowReduction) {
    Func x, largest, sum, result;
    x(h, w) = 0.0F;
    const RDom r(0, 50);
    largest(h) = 0.0F;
    largest(h) = Halide::max(largest(h), x(h, r));
    sum(h) = 0.0F;
    sum(h) += Halide::exp(x(h, r) - largest(h));
    result(h, w) = Halide::exp(x(h, w) - largest(h)) / sum(h);
    expect_template("row_reduction", {largest, sum, result}, {7, 50});
}

TEST_F(Templates, SumsAlongTheirVectorsPayForAddingUpTheLanes) {
    const auto slowdown = [&](bool along_rows) {
        Func x, sum, result;
        x(h, w) = 0.0F;
        const RDom r(0, 64);
        sum(c) = 0.0F;
        sum(c) += along_rows ? x(c, r) : x(r, c);
        result(n, c) = sum(c);
        const Machine machine = machine_of_templates(32, 16);
        const auto offer =
            find_template("row_reduction").offer(subject({sum, result}, {3, 64}, machine));
        return offer->space.estimate(offer->space.preferred(), machine).operation_slowdown;
    };
    EXPECT_EQ(1.0, slowdown(false));
    EXPECT_GT(slowdown(true), 1.3);
}

TEST_F(Templates, PlanesAreWalkedAsTheyLieWhereNoWindowsOverlap) {
    const auto walks_rows = [&](int stride, int taps) {
        Func x = input("planes_x"), largest, pool;
        const RDom r(0, taps, 0, taps);
        largest(n, c, h, w) = 0.0F;
        largest(n, c, h, w) =
            Halide::max(largest(n, c, h, w), x(n, c, stride * h + r.y, stride * w + r.x));
        pool(n, c, h, w) = largest(n, c, h, w);
        NestSubject s = subject({largest, pool}, {1, 24, 19, 35}, machine_of_templates(32, 16));
        s.vector_axis = 3;
        const NestSpace space = chosen(s);
        EXPECT_EQ("pooling", space.template_name);
        const NestParameter *inside = space.find("columns_inside");
        EXPECT_TRUE(inside == nullptr || space.preferred().parameters.at("width") == 1);
        return inside != nullptr && inside->preferred == 1;
    };
    EXPECT_TRUE(walks_rows(2, 2));
    EXPECT_TRUE(walks_rows(3, 2));
    EXPECT_FALSE(walks_rows(2, 3));
    EXPECT_FALSE(walks_rows(1, 2));
}

TEST_F(Templates, OneRowOfWeightsThatNoCacheHoldsIsReadInLongPieces) {
    const auto vectors = [&](int64_t matrices) {
        Func x, y, sum, result;
        x(n, h, w) = 0.0F;
        y(n, h, w) = 0.0F;
        const RDom r(0, 64);
        sum(n, h, w) = 0.0F;
        sum(n, h, w) += x(n, h, r) * y(n, r, w);
        result(n, h, w) = sum(n, h, w);
        const Machine machine = machine_of_templates(64, 32);
        const NestSpace space = chosen(subject({sum, result}, {matrices, 1, 256}, machine));
        EXPECT_EQ("matrix_product", space.template_name);
        return space.preferred().parameters.at("vectors");
    };
    EXPECT_LE(vectors(1), 8);
    EXPECT_EQ(16, vectors(4096));
}

TEST_F(Templates, ALongRowIsSharedOut) {
    const auto tasks = [&](const std::vector<Func> &parts, const std::vector<int64_t> &extents) {
        const NestTemplate &rows =
            find_template(parts.size() > 1 ? "row_reduction" : "elementwise");
        const auto offer = rows.offer(subject(parts, extents, machine_of_templates(32, 16)));
        return offer->space.preferred().parameters.at("tasks");
    };
    Func x, result, sum, columns;
    x(h, w) = 0.0F;
    result(h, w) = Halide::max(x(h, w), 0.0F);
    EXPECT_GT(tasks({result}, {1, 100000}), 4);
    EXPECT_EQ(0, tasks({result}, {1, 1000}));
    const RDom r(0, 5000);
    sum(w) = 0.0F;
    sum(w) += x(r, w);
    columns(h, w) = sum(w);
    EXPECT_GT(tasks({sum, columns}, {1, 1000}), 4);
    EXPECT_EQ(1, tasks({sum, columns}, {1, 8}));
}

TEST_F(Templates, PureDefinitionsAreElementwise) {
    Func x = input("relu_x"), result;
    result(n, c, h, w) = Halide::max(x(n, c, h, w), 0.0F);
    expect_template("elementwise", {result}, {1, 3, 5, 7});
}

TEST_F(Templates, WhatNothingElseTakesIsGeneric) {
    Func scalar, x, histogram;
    scalar() = 1.0F;
    expect_template("generic", {scalar}, {});
    x(w) = 0;
    const RDom r(0, 100);
    histogram(w) = 0;
    histogram(Halide::clamp(x(r), 0, 9)) += 1;
    expect_template("generic", {histogram}, {10});
}

// A product of matrices of `type`, whose sums are 32-bit integers.
NestSubject integer_product(const Halide::Type &type) {
    const Var h("h"), w("w");
    Func a, b, sum, result;
    a(h, w) = Halide::cast(type, 1);
    b(h, w) = Halide::cast(type, 1);
    const RDom r(0, 64);
    sum(h, w) = 0;
    sum(h, w) += Halide::cast<int32_t>(a(h, r)) * Halide::cast<int32_t>(b(r, w));
    result(h, w) = sum(h, w);
    return subject({sum, result}, {16, 64}, machine_of_templates(32, 16));
}

TEST_F(Templates, KnowTheTypesOfWhatIsReadAndOfWhatIsSummed) {
    const NestSubject narrow = integer_product(Halide::Int(8));
    const FuncFacts &sum = narrow.parts.front();
    EXPECT_EQ((ElementType{ElementKind::Int, 32}), sum.type);
    ASSERT_EQ(2U, sum.accesses.size());
    for (const TensorAccess &access : sum.accesses) {
        EXPECT_EQ((ElementType{ElementKind::Int, 8}), access.type);
    }
}

TEST_F(Templates, LoadsThatConvertTakeLonger) {
    const NestSpace wide = chosen(integer_product(Halide::Int(32)));
    const NestSpace narrow = chosen(integer_product(Halide::Int(8)));
    ASSERT_EQ("matrix_product", wide.template_name);
    ASSERT_EQ("matrix_product", narrow.template_name);
    const Machine machine = machine_of_templates(32, 16);
    Nest one_row = wide.preferred();
    one_row.parameters["width"] = one_row.parameters["vectors"] = 1;
    EXPECT_LT(wide.estimate(one_row, machine).cycles, narrow.estimate(one_row, machine).cycles);
}

TEST_F(Templates, AnUnknownOneIsRefusedAndTheKnownOnesAreNamed) {
    try {
        find_template("magic");
        FAIL();
    } catch (const Error &e) {
        EXPECT_NE(std::string::npos, std::string(e.what()).find("matrix_product")) << e.what();
    }
    EXPECT_EQ("pooling", find_template("pooling").name);
}

}  // namespace emulsion
