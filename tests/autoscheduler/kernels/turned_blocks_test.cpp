// What is read across the order of its operand is loaded in rows, and gives what it did.
#include "autoscheduler/kernels/turned_blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "autoscheduler/kernels/kernel_passes.h"

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

const Expr kFirst = Variable::make(Halide::Int(32), "first");

Expr far_load(const std::string &name, const Expr &begin, int lanes, int stride) {
    return Load::make(Halide::Float(32, lanes), name, Ramp::make(begin, stride, lanes), {}, {},
                      const_true(lanes), {});
}

Stmt stored(const std::string &name, const Expr &value, int place) {
    const int lanes = value.type().lanes();
    return Store::make(name, value, Ramp::make(kFirst * 7 + place * lanes, 1, lanes), {},
                       const_true(lanes), {});
}

// So many stores of what lies `stride` elements apart, each `step` elements behind the one before.
Stmt block(int stores, int lanes, int stride, int step, const std::string &to = "out") {
    std::vector<Stmt> all;
    for (int i = 0; i < stores; i++) {
        all.push_back(stored(to, far_load("in", kFirst + i * step, lanes, stride) * 2.0f, i));
    }
    return Block::make(all);
}

class Loads : public IRVisitor {
public:
    int whole = 0, far = 0;

private:
    using IRVisitor::visit;
    void visit(const Load *op) override {
        const Ramp *places = op->index.as<Ramp>();
        (places != nullptr && is_const_one(places->stride) ? whole : far)++;
        IRVisitor::visit(op);
    }
};

bool is_turned(const Stmt &statement) {
    Loads loads;
    with_turned_blocks(statement).accept(&loads);
    return loads.far == 0 && loads.whole > 0;
}

// Elements of a matrix, transposed, in blocks.
template<typename T>
void expect_transposed(int rows, int columns, int lanes, int steps) {
    Buffer<T> in(columns, rows);
    int next = 0;
    in.for_each_value([&](T &value) { value = static_cast<T>(next++ % 97); });
    const Var x("x"), y("y"), xo("xo"), yo("yo"), xi("xi"), yi("yi");
    Func out("out");
    out(x, y) = in(y, x) + Halide::cast<T>(3);
    out.tile(x, y, xo, yo, xi, yi, lanes, steps, TailStrategy::ShiftInwards)
        .reorder(xi, yi, xo, yo)
        .vectorize(xi)
        .unroll(yi);
    add_kernel_passes(Halide::Pipeline(out));
    const Buffer<T> made = out.realize({rows, columns});
    made.for_each_element([&](int i, int j) {
        ASSERT_EQ(static_cast<T>(in(j, i) + 3), made(i, j)) << i << ", " << j;
    });
}

}  // namespace

TEST(TurnedBlocks, AreLoadedInRows) {
    for (const int lanes : {4, 8, 16}) {
        EXPECT_TRUE(is_turned(block(lanes, lanes, 100, 1))) << lanes;
        EXPECT_TRUE(is_turned(block(2 * lanes, lanes, lanes, 1))) << lanes;
    }
}

TEST(TurnedBlocks, AreOfAsManyVectorsAsTheseHaveLanes) {
    EXPECT_FALSE(is_turned(block(7, 8, 100, 1)));
    Loads loads;
    with_turned_blocks(block(20, 16, 100, 1)).accept(&loads);
    EXPECT_EQ(16, loads.whole);
    EXPECT_EQ(4, loads.far);
}

// Two elements on, or fewer apart than there are lanes: other vectors are loaded than the rows have.
TEST(TurnedBlocks, AreNoneOfWhatFollowsOtherwise) {
    EXPECT_FALSE(is_turned(block(8, 8, 100, 2)));
    EXPECT_FALSE(is_turned(block(8, 8, 2, 1)));
    EXPECT_FALSE(is_turned(block(8, 8, 100, 0)));
}

TEST(TurnedBlocks, AreNoneWhereAStoreMayChangeWhatIsLoaded) {
    EXPECT_FALSE(is_turned(block(8, 8, 100, 1, "in")));
}

TEST(TurnedBlocks, AreNoneInKernels) {
    const Stmt kernel = For::make("i", 0, 20, ForType::GPUBlock, Halide::Partition::Auto,
                                  Halide::DeviceAPI::OpenCL, block(8, 8, 100, 1));
    EXPECT_FALSE(is_turned(kernel));
}

TEST(TurnedBlocks, AreWhatTheyWere) {
    for (const int lanes : {4, 8, 16}) {
        for (const int steps : {lanes, 16, 5}) {
            expect_transposed<float>(37, 51, lanes, steps);
            expect_transposed<int8_t>(16, 16, lanes, steps);
            expect_transposed<double>(19, 33, lanes, steps);
        }
    }
}

}  // namespace emulsion::test
