#include "tests/lower/out_of_bounds.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/lower/index_values.h"

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Makes of a statement a function that carries it out.
class Carrier : private IndexValues {
public:
    Accesses run(const Stmt &statement) {
        const IndexAction action = make(statement);
        action();
        return accesses_;
    }

private:
    using IndexValues::make;

    IndexAction make(const Stmt &s) {
        if (const auto *op = s.as<LetStmt>()) {
            const IndexAction set = assign(op->name, op->value);
            const IndexAction body = make(op->body);
            return [=] {
                set();
                body();
            };
        }
        if (const auto *op = s.as<Block>()) {
            const IndexAction first = make(op->first), rest = make(op->rest);
            return [=] {
                first();
                rest();
            };
        }
        if (const auto *op = s.as<ProducerConsumer>()) {
            return make(op->body);
        }
        if (const auto *op = s.as<Atomic>()) {
            return make(op->body);
        }
        if (const auto *op = s.as<HoistedStorage>()) {
            return make(op->body);
        }
        if (const auto *op = s.as<For>()) {
            return loop(op);
        }
        if (const auto *op = s.as<IfThenElse>()) {
            const IndexValue condition = make(op->condition);
            const IndexAction yes = make(op->then_case);
            const IndexAction no =
                op->else_case.defined() ? make(op->else_case) : IndexAction([] {});
            return [=] {
                const IndexRange taken = condition(0);
                if (taken.hi != 0) {
                    yes();
                }
                if (taken.lo == 0) {
                    no();
                }
            };
        }
        if (const auto *op = s.as<Store>()) {
            return store(op);
        }
        if (const auto *op = s.as<Allocate>()) {
            return allocate(op);
        }
        if (const auto *op = s.as<Evaluate>()) {
            return [value = make(op->value), lanes = op->value.type().lanes()] {
                for (int lane = 0; lane < lanes; lane++) {
                    value(lane);
                }
            };
        }
        if (s.as<Free>() == nullptr && s.as<AssertStmt>() == nullptr) {
            note("a statement of an unknown kind", s);
        }
        return [] {};
    }

    IndexAction loop(const For *op) {
        const IndexValue min = make(op->min), extent = make(op->extent);
        const auto slot = std::make_shared<Slot>(1);
        slots_[op->name] = slot;
        const IndexAction body = make(op->body);
        return [=] {
            const IndexRange first = min(0), count = extent(0);
            if (first.lo == first.hi && count.lo == count.hi) {
                for (int64_t i = 0; i < count.lo; i++) {
                    (*slot)[0] = {first.lo + i, first.lo + i};
                    body();
                }
            } else if (count.hi > 0) {
                (*slot)[0] = {first.lo, first.hi + count.hi - 1};
                body();
            }
        };
    }

    IndexAction store(const Store *op) {
        Memory *memory = memory_of(op->name, op->param, {});
        const IndexValue value = make(op->value), index = make(op->index);
        const IndexValue predicate = make(op->predicate);
        return [=, this, s = Stmt(op), lanes = op->index.type().lanes()] {
            for (int lane = 0; lane < lanes; lane++) {
                if (predicate(lane).hi == 0) {
                    continue;
                }
                const IndexRange what = value(lane), at = index(lane);
                check(*memory, at, op->name, op->value.type(), op->index);
                if (at.lo == at.hi && at.lo >= 0 &&
                    at.lo < static_cast<int64_t>(memory->contents.size())) {
                    memory->contents[static_cast<size_t>(at.lo)] = what;
                }
            }
        };
    }

    IndexAction allocate(const Allocate *op) {
        const auto memory = std::make_shared<Memory>();
        memory->bytes = op->type.bytes();
        std::vector<IndexValue> extents;
        for (const Expr &extent : op->extents) {
            extents.push_back(make(extent));
        }
        const auto outer = memories_[op->name];
        memories_[op->name] = memory;
        const IndexAction body = make(op->body);
        memories_[op->name] = outer;
        if (outer == nullptr) {
            memories_.erase(op->name);
        }
        return [=, on_stack = op->memory_type == Halide::MemoryType::Stack, type = op->type] {
            memory->elements = 1;
            for (const IndexValue &extent : extents) {
                memory->elements *= std::max<int64_t>(extent(0).lo, 0);
            }
            if (on_stack) {
                memory->contents.assign(static_cast<size_t>(memory->elements), range_of(type));
            }
            body();
        };
    }
};

}  // namespace

Accesses check_accesses(const Stmt &statement) { return Carrier().run(statement); }

}  // namespace emulsion::test
