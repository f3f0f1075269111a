#include "autoscheduler/kernels/set_registers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Expr;
using Halide::MemoryType;

const Expr kThread = Variable::make(Halide::Int(32), "thread");

Stmt store(const std::string &name, const Expr &value, const Expr &index) {
    return Store::make(name, value, index, Halide::Parameter(), const_true(), ModulusRemainder());
}

Stmt set(int element) { return store("kept", 1.5f, element); }

Stmt read(int element) {
    return store("result",
                 Load::make(Halide::Float(32), "kept", Expr(element), Halide::Buffer<>(),
                            Halide::Parameter(), const_true(), ModulusRemainder()),
                 kThread);
}

Stmt guarded(const Expr &condition, const Stmt &body) { return IfThenElse::make(condition, body); }

// What each of 8 threads does with two elements of its own.
Stmt threads(const std::vector<Stmt> &body, MemoryType memory = MemoryType::Register,
             Halide::DeviceAPI api = Halide::DeviceAPI::OpenCL) {
    return For::make("thread", 0, 8, ForType::GPUThread, Halide::Partition::Auto, api,
                     Allocate::make("kept", Halide::Float(32), memory, {Expr(2)}, const_true(),
                                    Block::make(body)));
}

// Elements of "kept" that are stored to, in order, as text.
class Stores : public IRVisitor {
public:
    std::vector<std::string> found;

private:
    using IRVisitor::visit;
    void visit(const Store *op) override {
        if (op->name == "kept") {
            std::ostringstream text;
            text << op->index << " = " << op->value;
            found.push_back(text.str());
        }
        IRVisitor::visit(op);
    }
};

using Texts = std::vector<std::string>;

Texts stores(const Stmt &statement) {
    Stores visitor;
    set_registers(statement).accept(&visitor);
    return visitor.found;
}

}  // namespace

TEST(SetRegisters, SetsWhatIsReadWithoutTheConditionOfItsStore) {
    const Texts set_first = {"0 = 0.000000f", "1 = 0.000000f", "1 = 1.500000f"};
    EXPECT_EQ(set_first, stores(threads({guarded(kThread < 3, set(1)), read(1)})));
    EXPECT_EQ(set_first,
              stores(threads({guarded(kThread < 3, set(1)), guarded(kThread < 4, read(1))})));
}

TEST(SetRegisters, LeavesWhatIsAlwaysStored) {
    const Texts as_before = {"1 = 1.500000f"};
    EXPECT_EQ(as_before, stores(threads({set(1), read(1)})));
    EXPECT_EQ(as_before, stores(threads({set(1), guarded(kThread < 3, read(1))})));
    EXPECT_EQ(as_before,
              stores(threads({guarded(kThread < 3, set(1)), guarded(kThread < 3, read(1))})));
    EXPECT_EQ(as_before, stores(threads({guarded(kThread < 3, Block::make(set(1), read(1)))})));
}

// Nobody else's memory is written, and CPUs call functions that branch.
TEST(SetRegisters, LeavesWhatIsNoRegisterOfAKernel) {
    const Texts as_before = {"1 = 1.500000f"};
    const std::vector<Stmt> body = {guarded(kThread < 3, set(1)), read(1)};
    EXPECT_EQ(as_before, stores(threads(body, MemoryType::GPUShared)));
    EXPECT_EQ(as_before, stores(threads(body, MemoryType::Heap)));
    EXPECT_EQ(as_before, stores(threads(body, MemoryType::Stack, Halide::DeviceAPI::None)));
}

}  // namespace emulsion::test
