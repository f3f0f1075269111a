#include "tests/lower/index_values.h"

namespace emulsion::test {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

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

// The arguments are computed, whatever comes of them.
IndexValue all_of(const std::vector<IndexValue> &arguments, const Halide::Type &type) {
    return [=, all = range_of(type)](int lane) {
        for (const IndexValue &argument : arguments) {
            argument(lane);
        }
        return all;
    };
}

IndexValue unknown(const Expr &e) {
    return [all = range_of(e.type())](int) { return all; };
}

IndexValue choice(const IndexValue &condition, bool scalar, const IndexValue &yes,
                  const IndexValue &no) {
    return [=](int lane) {
        const IndexRange chosen = condition(scalar ? 0 : lane);
        const IndexRange a = yes(lane), b = no(lane);
        return chosen.lo == 1 ? a : chosen.hi == 0 ? b : either(a, b);
    };
}

// One of `values`, by their number; the last one for any other number. All are computed.
IndexValue numbered(const IndexValue &number, bool scalar, const std::vector<IndexValue> &values) {
    return [=](int lane) {
        const IndexRange chosen = number(scalar ? 0 : lane);
        IndexRange result = values.back()(lane);
        const bool last = chosen.hi + 1 >= static_cast<int64_t>(values.size()) || chosen.lo < 0;
        bool found = last;
        for (size_t i = 0; i + 1 < values.size(); i++) {
            const IndexRange value = values[i](lane);
            const auto at = static_cast<int64_t>(i);
            if (chosen.lo <= at && at <= chosen.hi) {
                result = found ? either(result, value) : value;
                found = true;
            }
        }
        return result;
    };
}

}  // namespace

IndexValue IndexValues::make(const Expr &e) {
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
        const IndexValue base = make(op->base);
        const IndexValue stride = make(op->stride);
        const int inner = op->base.type().lanes();
        return [=](int lane) {
            const int64_t steps = lane / inner;
            return base(lane % inner) + stride(lane % inner) * IndexRange{steps, steps};
        };
    }
    if (const auto *op = e.as<Broadcast>()) {
        const IndexValue value = make(op->value);
        return [value, n = op->value.type().lanes()](int lane) { return value(lane % n); };
    }
    if (const auto *op = e.as<Shuffle>()) {
        return shuffle(op);
    }
    if (const auto *op = e.as<Select>()) {
        return choice(make(op->condition), op->condition.type().is_scalar(), make(op->true_value),
                      make(op->false_value));
    }
    if (const auto *op = e.as<Cast>()) {
        const IndexValue value = make(op->value);
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

IndexValue IndexValues::operation(const Expr &e) {
    using Function = IndexRange (*)(const IndexRange &, const IndexRange &);
    const auto both = [&](const Expr &a, const Expr &b, Function f) -> IndexValue {
        const IndexValue left = make(a), right = make(b);
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

IndexValue IndexValues::call(const Call *op) {
    std::vector<IndexValue> arguments;
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
    if (op->is_intrinsic(Call::mux)) {
        return numbered(arguments.front(), op->args.front().type().is_scalar(),
                        {arguments.begin() + 1, arguments.end()});
    }
    if (op->is_intrinsic(Call::abs) && is_integer(op->type)) {
        return [value = arguments.front()](int lane) { return magnitude(value(lane)); };
    }
    if (op->is_intrinsic({Call::shift_left, Call::shift_right}) && is_integer(op->type)) {
        return [=, left = op->is_intrinsic(Call::shift_left), all = range_of(op->type)](int lane) {
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

IndexValue IndexValues::shuffle(const Shuffle *op) {
    std::vector<std::pair<IndexValue, int>> lanes;  // of all vectors, one behind the other
    for (const Expr &vector : op->vectors) {
        const IndexValue value = make(vector);
        for (int lane = 0; lane < vector.type().lanes(); lane++) {
            lanes.emplace_back(value, lane);
        }
    }
    std::vector<std::pair<IndexValue, int>> chosen;
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

IndexValue IndexValues::let(const Let *op) {
    const IndexAction set = assign(op->name, op->value);
    const IndexValue body = make(op->body);
    return [=](int lane) {
        set();
        return body(lane);
    };
}

IndexAction IndexValues::assign(const std::string &name, const Expr &e) {
    const IndexValue value = make(e);
    const auto slot = std::make_shared<Slot>(static_cast<size_t>(e.type().lanes()));
    slots_[name] = slot;
    return [=] {
        for (size_t lane = 0; lane < slot->size(); lane++) {
            (*slot)[lane] = value(static_cast<int>(lane));
        }
    };
}

Memory *IndexValues::memory_of(const std::string &name, const Halide::Parameter &parameter,
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

void IndexValues::check(const Memory &memory, const IndexRange &index, const std::string &name,
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

IndexValue IndexValues::load(const Load *op) {
    Memory *memory = memory_of(op->name, op->param, op->image);
    const IndexValue index = make(op->index);
    const IndexValue predicate = make(op->predicate);
    return [=, this, e = Expr(op), all = range_of(op->type)](int lane) {
        if (predicate(lane).hi == 0) {
            return all;
        }
        const IndexRange at = index(lane);
        check(*memory, at, op->name, op->type, op->index);
        const bool known =
            at.lo == at.hi && at.lo >= 0 && at.lo < static_cast<int64_t>(memory->contents.size());
        return known ? memory->contents[static_cast<size_t>(at.lo)] : all;
    };
}

}  // namespace emulsion::test
