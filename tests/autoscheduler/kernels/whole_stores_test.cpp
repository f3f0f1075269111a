#include "autoscheduler/kernels/whole_stores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "autoscheduler/kernels/kernel_passes.h"
#include "autoscheduler/templates/support/lane_sums.h"

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::MemoryType;

constexpr int kLanes = 8;

const Expr kIndex = Variable::make(Halide::Int(32), "i");

// sums[first ...] += 1 in the lanes below i.
Stmt masked_sum(const Expr &first) {
    const Expr places = Ramp::make(first, 1, kLanes);
    const Expr mask = Ramp::make(0, 1, kLanes) < Broadcast::make(kIndex, kLanes);
    const Expr before = Load::make(Halide::Float(32, kLanes), "sums", places, {}, {}, mask, {});
    return Store::make("sums", before + Broadcast::make(1.0f, kLanes), places, {}, mask, {});
}

Stmt with_array(const Stmt &body, const std::vector<Expr> &extents = {Expr(2 * kLanes)}) {
    return Allocate::make("sums", Halide::Float(32), MemoryType::Stack, extents, const_true(),
                          body);
}

Stmt loop(ForType type, const Stmt &body, Halide::DeviceAPI api = Halide::DeviceAPI::None) {
    return For::make("i", 0, 20, type, Halide::Partition::Auto, api, body);
}

class Masks : public IRVisitor {
public:
    int stores = 0, loads = 0;

private:
    using IRVisitor::visit;
    void visit(const Store *op) override {
        stores += is_const_one(op->predicate) ? 0 : 1;
        IRVisitor::visit(op);
    }
    void visit(const Load *op) override {
        loads += is_const_one(op->predicate) ? 0 : 1;
        IRVisitor::visit(op);
    }
};

bool are_whole(const Stmt &statement) {
    Masks masks;
    with_whole_stores(statement).accept(&masks);
    EXPECT_EQ(masks.stores, masks.loads);
    return masks.stores == 0;
}

}  // namespace

TEST(WholeStores, AreOfArraysThatHaveAllLanes) {
    EXPECT_TRUE(are_whole(loop(ForType::Serial, with_array(masked_sum(0)))));
    EXPECT_TRUE(are_whole(with_array(loop(ForType::Serial, masked_sum(kLanes)))));
}

TEST(WholeStores, AreNotWhereLanesMayLieOutside) {
    EXPECT_FALSE(are_whole(masked_sum(0))) << "somebody else's array";
    EXPECT_FALSE(are_whole(with_array(masked_sum(kLanes + 1))));
    EXPECT_FALSE(are_whole(with_array(masked_sum(-1))));
    EXPECT_FALSE(are_whole(with_array(masked_sum(kIndex))));
    EXPECT_FALSE(are_whole(with_array(masked_sum(0), {kIndex})));
}

TEST(WholeStores, AreNotWhereOthersStoreIntoTheSameArray) {
    EXPECT_FALSE(are_whole(with_array(loop(ForType::Parallel, masked_sum(0)))));
    EXPECT_TRUE(are_whole(loop(ForType::Parallel, with_array(masked_sum(0)))));
    EXPECT_FALSE(are_whole(with_array(
        loop(ForType::GPUThread, with_array(masked_sum(0)), Halide::DeviceAPI::OpenCL))));
}

TEST(WholeStores, LeaveSumsAsTheyAre) {
    constexpr int kRows = 5;
    for (const int length : {1, 7, 9, 16, 31, 92, 105}) {
        for (const bool sums : {true, false}) {
            Halide::Var x("x"), y("y");
            Halide::Func in("in"), total("total"), out("out");
            in(x, y) = (x * 7919 + y * 131) % 251 - 99;
            const Halide::RDom r(0, length, "r");
            total(y) = sums ? Expr(0) : Halide::Int(32).min();
            total(y) = sums ? total(y) + in(r, y) : Halide::max(total(y), in(r, y));
            out(y) = total(y);
            in.compute_root();
            total.compute_at(out, y);
            sum_in_lanes(total, Halide::RVar("r$x"), lane_shape(length, kLanes));
            Halide::Pipeline pipeline(out);
            add_kernel_passes(pipeline);
            const Halide::Buffer<int> found = pipeline.realize({kRows});
            for (int row = 0; row < kRows; row++) {
                int wanted = sums ? 0 : std::numeric_limits<int>::min();
                for (int column = 0; column < length; column++) {
                    const int element = (column * 7919 + row * 131) % 251 - 99;
                    wanted = sums ? wanted + element : std::max(wanted, element);
                }
                EXPECT_EQ(wanted, found(row)) << length << (sums ? ", sum" : ", largest");
            }
        }
    }
}

}  // namespace emulsion::test
