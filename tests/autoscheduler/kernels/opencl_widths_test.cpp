#include "autoscheduler/kernels/opencl_widths.h"

#include <gtest/gtest.h>

#include <string>

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::DeviceAPI;
using Halide::Expr;

Expr dense_load(int lanes) {
    return Load::make(Halide::Float(32, lanes), "image", Ramp::make(0, 1, lanes),
                      Halide::Buffer<>(), Halide::Parameter(), const_true(lanes),
                      ModulusRemainder());
}

Stmt kernel(const Stmt &body, DeviceAPI api = DeviceAPI::OpenCL) {
    return For::make("block", 0, 8, ForType::GPUBlock, Halide::Partition::Auto, api, body);
}

Stmt store(const Expr &value) {
    const int lanes = value.type().lanes();
    return Store::make("result", value, lanes == 1 ? Expr(0) : Ramp::make(0, 1, lanes),
                       Halide::Parameter(), const_true(lanes), ModulusRemainder());
}

// The widest load, and what is taken from vectors of which no lane may be.
class Widths : public IRVisitor {
public:
    int widest = 0;
    int last_lane = 0;

private:
    using IRVisitor::visit;
    void visit(const Load *op) override {
        widest = std::max(widest, op->type.lanes());
        IRVisitor::visit(op);
    }
    void visit(const Shuffle *op) override {
        for (int lane : op->indices) {  // of all vectors, one after the other
            for (const Expr &vector : op->vectors) {
                if (lane < vector.type().lanes()) {
                    break;
                }
                lane -= vector.type().lanes();
            }
            last_lane = std::max(last_lane, lane);
        }
        IRVisitor::visit(op);
    }
};

Widths widths(const Stmt &statement) {
    Widths found;
    with_opencl_widths(statement).accept(&found);
    return found;
}

// Every third of 12 elements.
Expr every_third(const Expr &all) { return Shuffle::make_slice(all, 1, 3, 4); }

}  // namespace

TEST(OpenClWidths, LoadsLanesOneByOneWhereThereIsNoSuchVector) {
    EXPECT_EQ(1, widths(kernel(store(every_third(dense_load(12))))).widest);
    const Expr six = dense_load(6);
    const Expr halves = Shuffle::make_concat(
        {Shuffle::make_slice(six, 0, 3, 2), Shuffle::make_slice(six, 2, 3, 2)});
    EXPECT_EQ(1, widths(kernel(store(halves))).widest);
}

// In an expression and around statements, whose stores may be to the memory that is read.
TEST(OpenClWidths, LanesOfANamedVectorAreNamed) {
    const Expr all = Variable::make(Halide::Float(32, 12), "all");
    const Expr sum = every_third(all) + Shuffle::make_slice(all, 0, 3, 4);
    for (const Stmt &statement : {store(Let::make("all", dense_load(12), sum)),
                                  LetStmt::make("all", dense_load(12), store(sum))}) {
        const Stmt changed = with_opencl_widths(kernel(statement));
        Widths found;
        changed.accept(&found);
        EXPECT_EQ(1, found.widest) << changed;
        EXPECT_EQ(0, found.last_lane) << changed;
    }
}

// OpenCL has vectors of 16, but Halide writes .s10 for lane 10, which is lanes 1 and 0.
TEST(OpenClWidths, NoLaneIsBeyondTheNinth) {
    const Expr all = Variable::make(Halide::Float(32, 16), "all");
    for (const Stmt &statement :
         {store(Shuffle::make_slice(dense_load(16), 3, 4, 4)),
          LetStmt::make("all", dense_load(16), store(Shuffle::make_slice(all, 3, 4, 4))),
          store(Shuffle::make_extract_element(dense_load(16), 12))}) {
        EXPECT_LT(widths(kernel(statement)).last_lane, 10) << statement;
    }
}

TEST(OpenClWidths, LeavesEverythingElse) {
    for (const Stmt &statement :
         {kernel(store(dense_load(16))), kernel(store(Shuffle::make_slice(dense_load(8), 1, 2, 4))),
          kernel(store(every_third(dense_load(12))), DeviceAPI::CUDA),
          store(every_third(dense_load(12)))}) {
        EXPECT_TRUE(with_opencl_widths(statement).same_as(statement)) << statement;
    }
}

}  // namespace emulsion::test
