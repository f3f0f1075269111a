#include "tests/lower/out_of_bounds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "tests/lower/index_range.h"

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

using Value = std::function<IndexRange(int lane)>;
using Action = std::function<void()>;

// What a name has memory for, while the statement is carried out.
struct Memory {
    int64_t elements = -1;  // of `bytes` each; -1: unknown
    int bytes = 1;
    // Of memory on the host's stack, where the sizes of kernels are computed.
    std::vector<IndexRange> contents;
};

// Elements of a buffer argument, from what is known of its dimensions; -1 where that isn't enough.
int64_t elements_of(const Halide::Parameter &parameter) {
    int64_t last = 0;
    for (int d = 0; d < parameter.dimensions(); d++) {
        const auto extent = as_const_int(parameter.extent_constraint(d));
        const auto stride = as_const_int(parameter.stride_constraint(d));
        if (!extent || !stride) {
            return -1;
        }
        last += (*extent - 1) * *stride;
    }
    return last + 1;
}

// Makes of a statement a function that carries it out. Names have slots, whose values are those of the
// iteration at hand.
class Carrier {
public:
    Accesses run(const Stmt &statement) {
        const Action action = make(statement);
        action();
        return accesses_;
    }

private:
    using Slot = std::vector<IndexRange>;  // a lane each

    Value make(const Expr &e) {
        if (const auto *op = e.as<IntImm>()) {
            return [range = IndexRange{op->value, op->value}](int) { return range; };
        }
        if (const auto *op = e.as<UIntImm>()) {
            const auto value = static_cast<int64_t>(op->value);
            return [range = IndexRange{value, value}](int) { return range; };
        }
        if (const auto *op = e.as<Variable>()) {
            const auto slot = slots_.find(op->name);
            if (slot == slots_.end()) {
                return unknown(e);
            }
            return [s = slot->second](int lane) { return (*s)[static_cast<size_t>(lane)]; };
        }
        if (const auto *op = e.as<Load>()) {
            return load(op);
        }
        if (const auto *op = e.as<Let>()) {
            return let(op);
        }
        if (const auto *op = e.as<Ramp>()) {
            const Value base = make(op->base);
            const Value stride = make(op->stride);
            const int inner = op->base.type().lanes();
            return [=](int lane) {
                const int64_t steps = lane / inner;
                return base(lane % inner) + stride(lane % inner) * IndexRange{steps, steps};
            };
        }
        if (const auto *op = e.as<Broadcast>()) {
            const Value value = make(op->value);
            return [value, n = op->value.type().lanes()](int lane) { return value(lane % n); };
        }
        if (const auto *op = e.as<Shuffle>()) {
            return shuffle(op);
        }
        if (const auto *op = e.as<Select>()) {
            return choice(make(op->condition), op->condition.type().is_scalar(),
                          make(op->true_value), make(op->false_value));
        }
        if (const auto *op = e.as<Cast>()) {
            const Value value = make(op->value);
            const bool integers = is_integer(op->type) && is_integer(op->value.type());
            return integers ? [value, all = range_of(op->type)](int lane) {
                const IndexRange range = value(lane);
                return range.lo < all.lo || range.hi > all.hi ? all : range;
            } : all_of({value}, op->type);
        }
        if (const auto *op = e.as<Call>()) {
            return call(op);
        }
        return operation(e);
    }

    Value operation(const Expr &e) {
        using Function = IndexRange (*)(const IndexRange &, const IndexRange &);
        const auto both = [&](const Expr &a, const Expr &b, Function f) -> Value {
            const Value left = make(a), right = make(b);
            if (!is_integer(a.type()) && !a.type().is_bool()) {
                return all_of({left, right}, e.type());
            }
            return [=](int lane) { return f(left(lane), right(lane)); };
        };
        const auto binary = [&](const auto *op, Function f) { return both(op->a, op->b, f); };
        if (const auto *op = e.as<Add>()) {
            return binary(op, [](const auto &a, const auto &b) { return a + b; });
        }
        if (const auto *op = e.as<Sub>()) {
            return binary(op, [](const auto &a, const auto &b) { return a - b; });
        }
        if (const auto *op = e.as<Mul>()) {
            return binary(op, [](const auto &a, const auto &b) { return a * b; });
        }
        if (const auto *op = e.as<Div>()) {
            return binary(op, quotient);
        }
        if (const auto *op = e.as<Mod>()) {
            return binary(op, remainder);
        }
        if (const auto *op = e.as<Min>()) {
            return binary(op, least);
        }
        if (const auto *op = e.as<Max>()) {
            return binary(op, most);
        }
        if (const auto *op = e.as<LT>()) {
            return both(op->a, op->b, less);
        }
        if (const auto *op = e.as<GT>()) {
            return both(op->b, op->a, less);
        }
        if (const auto *op = e.as<LE>()) {
            return both(op->b, op->a, not_less);
        }
        if (const auto *op = e.as<GE>()) {
            return both(op->a, op->b, not_less);
        }
        if (const auto *op = e.as<EQ>()) {
            return binary(op, same);
        }
        if (const auto *op = e.as<NE>()) {
            return binary(op, [](const auto &a, const auto &b) { return negation(same(a, b)); });
        }
        if (const auto *op = e.as<And>()) {
            return binary(op, least);
        }
        if (const auto *op = e.as<Or>()) {
            return binary(op, most);
        }
        if (const auto *op = e.as<Not>()) {
            return [value = make(op->a)](int lane) { return negation(value(lane)); };
        }
        if (const auto *op = e.as<Reinterpret>()) {
            return all_of({make(op->value)}, e.type());
        }
        if (const auto *op = e.as<VectorReduce>()) {
            const int together = op->value.type().lanes() / op->type.lanes();
            return [=, value = make(op->value), all = range_of(e.type())](int lane) {
                for (int i = 0; i < together; i++) {
                    value(lane * together + i);
                }
                return all;
            };
        }
        if (e.as<FloatImm>() == nullptr && e.as<StringImm>() == nullptr) {
            note("an expression of an unknown kind", e);
        }
        return unknown(e);
    }

    template<typename Node>
    void note(const std::string &what, const Node &node) {
        std::ostringstream text;
        text << what << ": " << node;
        accesses_.wrong = accesses_.wrong.empty() ? text.str() : accesses_.wrong;
    }

    // The arguments are computed, whatever comes of them.
    static Value all_of(const std::vector<Value> &arguments, const Halide::Type &type) {
        return [=, all = range_of(type)](int lane) {
            for (const Value &argument : arguments) {
                argument(lane);
            }
            return all;
        };
    }

    static Value unknown(const Expr &e) {
        return [all = range_of(e.type())](int) { return all; };
    }

    static Value choice(const Value &condition, bool scalar, const Value &yes, const Value &no) {
        return [=](int lane) {
            const IndexRange chosen = condition(scalar ? 0 : lane);
            const IndexRange a = yes(lane), b = no(lane);
            return chosen.lo == 1 ? a : chosen.hi == 0 ? b : either(a, b);
        };
    }

    Value call(const Call *op) {
        std::vector<Value> arguments;
        for (const Expr &argument : op->args) {
            arguments.push_back(make(argument));
        }
        if (op->is_intrinsic({Call::likely, Call::likely_if_innermost, Call::promise_clamped,
                              Call::unsafe_promise_clamped})) {
            return arguments.front();
        }
        if (op->is_intrinsic(Call::if_then_else)) {
            const bool scalar = op->args[0].type().is_scalar();
            return [=, all = range_of(op->type)](int lane) {
                const IndexRange condition = arguments[0](scalar ? 0 : lane);
                if (condition.lo == condition.hi) {
                    const size_t taken = condition.lo != 0 ? 1 : 2;
                    return taken < arguments.size() ? arguments[taken](lane) : all;
                }
                arguments[1](lane);
                return arguments.size() > 2 ? either(arguments[1](lane), arguments[2](lane)) : all;
            };
        }
        if (op->is_intrinsic({Call::shift_left, Call::shift_right}) && is_integer(op->type)) {
            return
                [=, left = op->is_intrinsic(Call::shift_left), all = range_of(op->type)](int lane) {
                    const IndexRange value = arguments[0](lane), by = arguments[1](lane);
                    const bool known = by.lo == by.hi && by.lo >= 0 && by.lo < 31;
                    const int64_t factor = known ? int64_t{1} << by.lo : 1;
                    return !known ? all
                                  : (left ? value * IndexRange{factor, factor}
                                          : quotient(value, {factor, factor}));
                };
        }
        const Expr plain = op->call_type == Call::PureIntrinsic ? lower_intrinsic(op) : Expr();
        return plain.defined() && !plain.same_as(op) ? make(plain) : all_of(arguments, op->type);
    }

    Value shuffle(const Shuffle *op) {
        std::vector<std::pair<Value, int>> lanes;  // of all vectors, one behind the other
        for (const Expr &vector : op->vectors) {
            const Value value = make(vector);
            for (int lane = 0; lane < vector.type().lanes(); lane++) {
                lanes.emplace_back(value, lane);
            }
        }
        std::vector<std::pair<Value, int>> chosen;
        for (const int i : op->indices) {
            chosen.push_back(lanes.at(static_cast<size_t>(i)));
        }
        return [=](int lane) {
            // A vector is loaded whole, whichever of its lanes are taken.
            if (lane == 0) {
                for (const auto &[value, of] : lanes) {
                    value(of);
                }
            }
            const auto &[value, of] = chosen[static_cast<size_t>(lane)];
            return value(of);
        };
    }

    Value let(const Let *op) {
        const Action set = assign(op->name, op->value);
        const Value body = make(op->body);
        return [=](int lane) {
            set();
            return body(lane);
        };
    }

    Action assign(const std::string &name, const Expr &e) {
        const Value value = make(e);
        const auto slot = std::make_shared<Slot>(static_cast<size_t>(e.type().lanes()));
        slots_[name] = slot;
        return [=] {
            for (size_t lane = 0; lane < slot->size(); lane++) {
                (*slot)[lane] = value(static_cast<int>(lane));
            }
        };
    }

    Memory *memory_of(const std::string &name, const Halide::Parameter &parameter,
                      const Halide::Buffer<> &image) {
        const auto known = memories_.find(name);
        if (known != memories_.end()) {
            return known->second.get();
        }
        const auto made = std::make_shared<Memory>();
        if (parameter.defined()) {
            made->elements = elements_of(parameter);
            made->bytes = parameter.type().bytes();
        } else if (image.defined()) {
            made->elements = static_cast<int64_t>(image.number_of_elements());
            made->bytes = image.type().bytes();
        }
        memories_[name] = made;
        return made.get();
    }

    void check(const Memory &memory, const IndexRange &index, const std::string &name,
               const Halide::Type &type, const Expr &written) {
        accesses_.checked++;
        const int64_t bytes = memory.elements * memory.bytes;
        if (!accesses_.wrong.empty()) {
            return;
        }
        if (memory.elements < 0) {
            note("the size of '" + name + "' is unknown, at", written);
        } else if (index.lo < 0 || (index.hi + 1) * type.bytes() > bytes) {
            std::ostringstream text;
            text << "'" << name << "' has " << bytes << " bytes, but is accessed at elements "
                 << index.lo << " to " << index.hi << " of " << type.bytes() << " bytes, at";
            note(text.str(), written);
        }
    }

    Value load(const Load *op) {
        Memory *memory = memory_of(op->name, op->param, op->image);
        const Value index = make(op->index);
        const Value predicate = make(op->predicate);
        return [=, this, e = Expr(op), all = range_of(op->type)](int lane) {
            if (predicate(lane).hi == 0) {
                return all;
            }
            const IndexRange at = index(lane);
            check(*memory, at, op->name, op->type, op->index);
            const bool known = at.lo == at.hi && at.lo >= 0 &&
                               at.lo < static_cast<int64_t>(memory->contents.size());
            return known ? memory->contents[static_cast<size_t>(at.lo)] : all;
        };
    }

    Action make(const Stmt &s) {
        if (const auto *op = s.as<LetStmt>()) {
            const Action set = assign(op->name, op->value);
            const Action body = make(op->body);
            return [=] {
                set();
                body();
            };
        }
        if (const auto *op = s.as<Block>()) {
            const Action first = make(op->first), rest = make(op->rest);
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
            const Value condition = make(op->condition);
            const Action yes = make(op->then_case);
            const Action no = op->else_case.defined() ? make(op->else_case) : Action([] {});
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

    Action loop(const For *op) {
        const Value min = make(op->min), extent = make(op->extent);
        const auto slot = std::make_shared<Slot>(1);
        slots_[op->name] = slot;
        const Action body = make(op->body);
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

    Action store(const Store *op) {
        Memory *memory = memory_of(op->name, op->param, {});
        const Value value = make(op->value), index = make(op->index);
        const Value predicate = make(op->predicate);
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

    Action allocate(const Allocate *op) {
        const auto memory = std::make_shared<Memory>();
        memory->bytes = op->type.bytes();
        std::vector<Value> extents;
        for (const Expr &extent : op->extents) {
            extents.push_back(make(extent));
        }
        const auto outer = memories_[op->name];
        memories_[op->name] = memory;
        const Action body = make(op->body);
        memories_[op->name] = outer;
        if (outer == nullptr) {
            memories_.erase(op->name);
        }
        return [=, on_stack = op->memory_type == Halide::MemoryType::Stack, type = op->type] {
            memory->elements = 1;
            for (const Value &extent : extents) {
                memory->elements *= std::max<int64_t>(extent(0).lo, 0);
            }
            if (on_stack) {
                memory->contents.assign(static_cast<size_t>(memory->elements), range_of(type));
            }
            body();
        };
    }

    std::map<std::string, std::shared_ptr<Slot>> slots_;
    std::map<std::string, std::shared_ptr<Memory>> memories_;
    Accesses accesses_;
};

}  // namespace

Accesses check_accesses(const Stmt &statement) { return Carrier().run(statement); }

}  // namespace emulsion::test
