#include "tests/lower/out_of_bounds.h"

#include <gtest/gtest.h>

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

constexpr int kElements = 8;

Expr at() { return Variable::make(Halide::Int(32), "at"); }

Expr loaded(const Expr &index) {
    return Load::make(Halide::Float(32, index.type().lanes()), "lds", index, {}, {},
                      const_true(index.type().lanes()), {});
}

// A thread for each of `threads`, which carries out `body` over kElements of LDS.
Accesses accesses_of(int threads, const Stmt &body) {
    const Stmt kernel = For::make("at", 0, threads, ForType::GPUThread, Halide::Partition::Auto,
                                  Halide::DeviceAPI::OpenCL, body);
    return check_accesses(Allocate::make("lds", Halide::Float(32), Halide::MemoryType::GPUShared,
                                         {kElements}, const_true(), kernel));
}

Stmt read(const Expr &value) { return Evaluate::make(value); }

}  // namespace

TEST(OutOfBounds, IsNothingWithinTheMemory) {
    const Accesses accesses = accesses_of(kElements, read(loaded(at())));
    EXPECT_EQ(kElements, accesses.checked);
    EXPECT_EQ("", accesses.wrong);
}

TEST(OutOfBounds, IsFoundBeforeAndBehindTheMemory) {
    EXPECT_NE("", accesses_of(1, read(loaded(at() - 1))).wrong);
    EXPECT_NE("", accesses_of(kElements + 1, read(loaded(at()))).wrong);
    EXPECT_NE(
        "", accesses_of(2, Store::make("lds", 0.0F, at() * kElements, {}, const_true(), {})).wrong);
}

TEST(OutOfBounds, IsFoundInTheLastLaneOfAVector) {
    EXPECT_EQ("", accesses_of(5, read(loaded(Ramp::make(at(), 1, 4)))).wrong);
    EXPECT_NE("", accesses_of(6, read(loaded(Ramp::make(at(), 1, 4)))).wrong);
}

TEST(OutOfBounds, IsWhatASelectDoesNotTake) {
    const Expr inside = at() >= 1;
    EXPECT_NE("", accesses_of(2, read(Select::make(inside, loaded(at() - 1), 0.0F))).wrong);
    EXPECT_EQ("", accesses_of(2, read(Select::make(inside, loaded(max(at() - 1, 0)), 0.0F))).wrong);
}

TEST(OutOfBounds, IsAnyOfTheNumberedPlacesThatMayBeMeant) {
    const auto chosen = [](int last) {
        return loaded(Call::make(Halide::Int(32), Call::mux, {at(), 0, kElements, last},
                                 Call::PureIntrinsic));
    };
    EXPECT_EQ("", accesses_of(1, read(chosen(kElements))).wrong);
    EXPECT_NE("", accesses_of(2, read(chosen(1))).wrong);
    const Expr number = Halide::cast(Halide::Int(32), loaded(0));
    EXPECT_EQ("", accesses_of(1, read(loaded(Call::make(Halide::Int(32), Call::mux, {number, 0, 1},
                                                        Call::PureIntrinsic))))
                      .wrong);
    EXPECT_NE("",
              accesses_of(1, read(loaded(Call::make(Halide::Int(32), Call::mux,
                                                    {number, 0, kElements}, Call::PureIntrinsic))))
                  .wrong);
}

TEST(OutOfBounds, IsNothingThatAConditionGuards) {
    const Expr inside = at() >= 1, e = loaded(at() - 1);
    EXPECT_EQ("", accesses_of(2, IfThenElse::make(inside, read(e))).wrong);
    EXPECT_EQ("", accesses_of(2, read(Call::make(e.type(), Call::if_then_else, {inside, e},
                                                 Call::PureIntrinsic)))
                      .wrong);
}

TEST(OutOfBounds, IsWhereDataMayLead) {
    const Expr index = Halide::cast(Halide::Int(32), loaded(at()));
    EXPECT_NE("", accesses_of(1, read(loaded(index))).wrong);
    EXPECT_EQ("", accesses_of(1, read(loaded(clamp(index, 0, kElements - 1)))).wrong);
}

}  // namespace emulsion::test
