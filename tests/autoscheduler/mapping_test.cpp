#include "autoscheduler/mapping.h"

#include <gtest/gtest.h>

namespace emulsion {

namespace {

using Halide::Func;
using Halide::RDom;
using Halide::Var;
using Extents = std::vector<int64_t>;

class MappingTypeOfAnEdge : public testing::Test {
protected:
    static MappingType type_of(const Func &f, const Func &callee, const Extents &from,
                               const Extents &to) {
        return mapping_type(func_facts(f.function()), callee.name(), from, to);
    }

    // A Func of three dimensions at most, to be read.
    Func source(int dimensions) const {
        Func g;
        const std::vector<Var> vars{x, y, z};
        g(std::vector<Var>(vars.begin(), vars.begin() + dimensions)) = 0.0F;
        return g;
    }

    const Var x{"x"}, y{"y"}, z{"z"};
};

}  // namespace

TEST_F(MappingTypeOfAnEdge, TheSameCoordinatesAreOneToOne) {
    Func g = source(2), f;
    f(x, y) = g(x, y) * 2.0F + g(x, y);
    EXPECT_EQ(MappingType::OneToOne, type_of(f, g, {4, 5}, {4, 5}));
}

TEST_F(MappingTypeOfAnEdge, AConstantOffsetIsASlice) {
    Func g = source(2), f;
    f(x, y) = g(x + 2, y - 1);
    EXPECT_EQ(MappingType::OneToOne, type_of(f, g, {9, 9}, {4, 5}));
}

TEST_F(MappingTypeOfAnEdge, APermutationIsAShuffle) {
    Func g = source(2), f;
    f(x, y) = g(y, x);
    EXPECT_EQ(MappingType::Shuffle, type_of(f, g, {5, 4}, {4, 5}));
}

TEST_F(MappingTypeOfAnEdge, DivisionsThatKeepTheFlattenedOrderReorganize) {
    Func g = source(2), flat;
    flat(x) = g(x / 4, x % 4);
    EXPECT_EQ(MappingType::Reorganize, type_of(flat, g, {6, 4}, {24}));
    Func line = source(1), folded;
    folded(x, y) = line(x * 4 + y);
    EXPECT_EQ(MappingType::Reorganize, type_of(folded, line, {24}, {6, 4}));
    // Halide gives x * 6 + y a name, because it occurs twice.
    Func refolded;
    refolded(x, y) = g((x * 6 + y) / 8, (x * 6 + y) % 8);
    EXPECT_EQ(MappingType::Reorganize, type_of(refolded, g, {3, 8}, {4, 6}));
    Func with_one;
    with_one(x, y, z) = g(x, z);
    EXPECT_EQ(MappingType::Reorganize, type_of(with_one, g, {6, 4}, {6, 1, 4}));
}

TEST_F(MappingTypeOfAnEdge, DivisionsThatChangeTheFlattenedOrderAreAShuffle) {
    Func g = source(2), f;
    f(x) = g(x % 6, x / 6);
    EXPECT_EQ(MappingType::Shuffle, type_of(f, g, {6, 4}, {24}));
    Func line = source(1), every_other;
    every_other(x) = line(x * 2);
    EXPECT_EQ(MappingType::Shuffle, type_of(every_other, line, {24}, {12}));
}

// What is written in the memory of such a result would be larger than it.
TEST_F(MappingTypeOfAnEdge, TheBeginningOfATensorIsNoReshapeOfIt) {
    Func line = source(1), first, row;
    first(x) = line(-x);
    EXPECT_EQ(MappingType::Shuffle, type_of(first, line, {2}, {1}));
    row(x, y) = line(x * 4 + y);
    EXPECT_EQ(MappingType::Shuffle, type_of(row, line, {24}, {2, 4}));
}

// Gather at a constant index: of the right order, but a part only.
TEST_F(MappingTypeOfAnEdge, OneOfSeveralElementsOfAnAxisDoesNotReorganize) {
    Func g = source(3), f;
    f(x, y) = g(x, 2, y);
    EXPECT_EQ(MappingType::Shuffle, type_of(f, g, {4, 6, 5}, {4, 5}));
    Func first;
    first(x, y) = g(0, x, y);
    EXPECT_EQ(MappingType::Shuffle, type_of(first, g, {4, 6, 5}, {6, 5}));
    Func only;
    only(x, y) = g(x, 0, y);
    EXPECT_EQ(MappingType::Reorganize, type_of(only, g, {4, 1, 5}, {4, 5}));
}

TEST_F(MappingTypeOfAnEdge, AVariableThatIsNotReadIsABroadcast) {
    Func g = source(1), f;
    f(x, y) = g(y);
    EXPECT_EQ(MappingType::OneToMany, type_of(f, g, {5}, {4, 5}));
    Func h = source(2), of_one;
    of_one(x, y) = h(0, y);
    EXPECT_EQ(MappingType::OneToMany, type_of(of_one, h, {1, 5}, {4, 5}));
    EXPECT_EQ(MappingType::OneToOne, type_of(of_one, h, {1, 5}, {1, 5}));
}

TEST_F(MappingTypeOfAnEdge, UpsamplingAndTilingAreOneToMany) {
    Func g = source(1), twice, tiled;
    twice(x) = g(x / 2);
    EXPECT_EQ(MappingType::OneToMany, type_of(twice, g, {50}, {100}));
    EXPECT_EQ(MappingType::OneToMany, type_of(twice, g, {100}, {100}));
    tiled(x) = g(x % 10);
    EXPECT_EQ(MappingType::OneToMany, type_of(tiled, g, {10}, {100}));
}

// A sum at the coordinates that are written is none: each element needs its own.
TEST_F(MappingTypeOfAnEdge, ScansAreManyToMany) {
    Func g = source(2), scan, twice;
    const RDom r(1, 3);
    scan(x, y) = g(x, y);
    scan(r, y) += scan(r - 1, y);
    EXPECT_EQ(MappingType::ManyToMany, type_of(scan, g, {4, 5}, {4, 5}));
    twice(x, y) = g(x, y);
    twice(r, y) += twice(r, y);
    EXPECT_EQ(MappingType::OneToOne, type_of(twice, g, {4, 5}, {4, 5}));
}

TEST_F(MappingTypeOfAnEdge, WindowsReductionsAndTapsAreManyToMany) {
    Func g = source(2);
    Func window, sum, taps;
    const RDom r(0, 3);
    window(x, y) = 0.0F;
    window(x, y) += g(x + r, y);
    EXPECT_EQ(MappingType::ManyToMany, type_of(window, g, {6, 5}, {4, 5}));
    sum(y) = 0.0F;
    sum(y) += g(r, y);
    EXPECT_EQ(MappingType::ManyToMany, type_of(sum, g, {3, 5}, {5}));
    taps(x, y) = g(x, y) + g(x + 1, y);
    EXPECT_EQ(MappingType::ManyToMany, type_of(taps, g, {5, 5}, {4, 5}));
}

TEST_F(MappingTypeOfAnEdge, WhatDependsOnDataIsOpaque) {
    Func g = source(1), index, f;
    index(x) = x * x;
    f(x) = g(index(x));
    EXPECT_EQ(MappingType::Opaque, type_of(f, g, {100}, {10}));
    EXPECT_EQ(MappingType::OneToOne, type_of(f, index, {10}, {10}));
}

TEST_F(MappingTypeOfAnEdge, ChainsOfUnknownExtentsAreOpaque) {
    Func g = source(2), f;
    f(x) = g(x / 4, x % 4);
    EXPECT_EQ(MappingType::Opaque, type_of(f, g, {}, {}));
}

}  // namespace emulsion
