#include "autoscheduler/kernels/opencl_broadcasts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::DeviceAPI;
using Halide::Expr;

Stmt kernel_of(const std::vector<Expr> &values, DeviceAPI api = DeviceAPI::OpenCL) {
    std::vector<Stmt> stores;
    for (const Expr &value : values) {
        const int lanes = value.type().lanes();
        stores.push_back(Store::make("result", value, Ramp::make(0, 1, lanes), Halide::Parameter(),
                                     const_true(lanes), ModulusRemainder()));
    }
    return For::make("block", 0, 8, ForType::GPUBlock, Halide::Partition::Auto, api,
                     Block::make(stores));
}

// Whether a scalar, which is no mask, is broadcast to several widths, or a mask is cast to numbers.
class Broadcasts : public IRVisitor {
public:
    bool has_several() const {
        for (const auto &[scalar, lanes] : lanes_) {
            if (lanes.size() > 1) {
                return true;
            }
        }
        return false;
    }
    bool casts_masks = false;

private:
    using IRVisitor::visit;
    void visit(const Broadcast *op) override {
        if (!op->type.is_bool()) {
            std::ostringstream text;
            text << op->value;
            lanes_[text.str()].insert(op->lanes);
        }
        IRVisitor::visit(op);
    }
    void visit(const Cast *op) override {
        casts_masks = casts_masks || (op->value.type().is_bool() && op->type.is_vector());
        IRVisitor::visit(op);
    }
    std::map<std::string, std::set<int>> lanes_;
};

Broadcasts broadcasts(const Stmt &statement) {
    Broadcasts found;
    statement.accept(&found);
    return found;
}

Expr mask(int lanes) {
    return Ramp::make(0, 1, lanes) < Broadcast::make(Variable::make(Halide::Int(32), "n"), lanes);
}

}  // namespace

TEST(OpenClBroadcasts, NoScalarHasTwoWidths) {
    const Expr x = Variable::make(Halide::Float(32), "x");
    const Stmt statement = kernel_of({Broadcast::make(x, 2), Broadcast::make(x, 4)});
    EXPECT_TRUE(broadcasts(statement).has_several());
    EXPECT_FALSE(broadcasts(with_distinct_broadcasts(statement)).has_several());
}

TEST(OpenClBroadcasts, MasksOfTwoWidthsAreNumbersWithoutACast) {
    const Stmt statement =
        kernel_of({cast(Halide::Int(8, 2), mask(2)), cast(Halide::Int(8, 4), mask(4))});
    const Broadcasts found = broadcasts(with_distinct_broadcasts(statement));
    EXPECT_FALSE(found.casts_masks);
    EXPECT_FALSE(found.has_several());
}

TEST(OpenClBroadcasts, LeavesEverythingElse) {
    const Expr x = Variable::make(Halide::Float(32), "x"), y = Variable::make(x.type(), "y");
    for (const Stmt &statement :
         {kernel_of({Broadcast::make(x, 4), Broadcast::make(y, 2), Broadcast::make(x, 4)}),
          kernel_of({cast(Halide::Int(8, 4), mask(4))}),
          kernel_of({Broadcast::make(x, 2), Broadcast::make(x, 4)}, DeviceAPI::CUDA)}) {
        EXPECT_TRUE(with_distinct_broadcasts(statement).same_as(statement)) << statement;
    }
}

}  // namespace emulsion::test
