#include "backend/amdgpu/host_numbers.h"

#include <algorithm>

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Stores of all loops; there are few workgroups where this matters, and a compiler has better things to do.
constexpr int64_t kMostSteps = 20000;

class StoredNames : public IRVisitor {
public:
    std::vector<std::string> names;

private:
    using IRVisitor::visit;
    void visit(const Store *op) override {
        names.push_back(op->name);
        IRVisitor::visit(op);
    }
};

}  // namespace

void HostNumbers::set(const std::string &name, std::optional<int64_t> number) {
    numbers_.erase(name);
    if (number) {
        numbers_[name] = *number;
    }
}

void HostNumbers::allocate(const std::string &name) { memory_[name].clear(); }

void HostNumbers::free(const std::string &name) { memory_.erase(name); }

std::optional<int64_t> HostNumbers::value(const Expr &e) const {
    const auto both = [&](const auto *op, auto function) -> std::optional<int64_t> {
        const auto a = value(op->a);
        const auto b = a ? value(op->b) : std::nullopt;
        return b ? std::optional<int64_t>(function(*a, *b)) : std::nullopt;
    };
    if (const auto known = as_const_int(e)) {
        return known;
    }
    if (const auto *op = e.as<Variable>()) {
        const auto known = numbers_.find(op->name);
        return known == numbers_.end() ? std::nullopt : std::optional(known->second);
    }
    if (const auto *op = e.as<Load>()) {
        const auto memory = memory_.find(op->name);
        const auto index = value(op->index);
        if (memory == memory_.end() || !index || memory->second.count(*index) == 0) {
            return std::nullopt;
        }
        return memory->second.at(*index);
    }
    if (const auto *op = e.as<Cast>()) {
        const bool keeps = op->type == Halide::Int(64) || op->value.type() == op->type;
        return keeps ? value(op->value) : std::nullopt;
    }
    if (const auto *op = e.as<Add>()) {
        return both(op, [](int64_t a, int64_t b) { return a + b; });
    }
    if (const auto *op = e.as<Sub>()) {
        return both(op, [](int64_t a, int64_t b) { return a - b; });
    }
    if (const auto *op = e.as<Mul>()) {
        return both(op, [](int64_t a, int64_t b) { return a * b; });
    }
    if (const auto *op = e.as<Div>()) {
        return both(op, div_imp<int64_t>);
    }
    if (const auto *op = e.as<Mod>()) {
        return both(op, mod_imp<int64_t>);
    }
    if (const auto *op = e.as<Min>()) {
        return both(op, [](int64_t a, int64_t b) { return std::min(a, b); });
    }
    if (const auto *op = e.as<Max>()) {
        return both(op, [](int64_t a, int64_t b) { return std::max(a, b); });
    }
    if (const auto *op = e.as<Let>()) {
        HostNumbers inner = *this;
        inner.set(op->name, value(op->value));
        return inner.value(op->body);
    }
    return std::nullopt;
}

void HostNumbers::carry_out(const Stmt &statement) {
    int64_t steps = 0;
    if (!try_to(statement, &steps)) {
        StoredNames stored;
        statement.accept(&stored);
        for (const std::string &name : stored.names) {
            if (has(name)) {
                allocate(name);
            }
        }
    }
}

bool HostNumbers::try_to(const Stmt &statement, int64_t *steps) {
    if (const auto *op = statement.as<Store>()) {
        const auto index = value(op->index), number = value(op->value);
        if (!has(op->name) || !index || !number || ++*steps > kMostSteps) {
            return false;
        }
        memory_[op->name][*index] = *number;
        return true;
    }
    if (const auto *op = statement.as<Block>()) {
        return try_to(op->first, steps) && try_to(op->rest, steps);
    }
    if (const auto *op = statement.as<LetStmt>()) {
        set(op->name, value(op->value));
        const bool done = try_to(op->body, steps);
        set(op->name, std::nullopt);
        return done;
    }
    if (const auto *op = statement.as<For>()) {
        const auto min = value(op->min), extent = value(op->extent);
        bool done = min && extent && op->for_type == ForType::Serial;
        for (int64_t i = 0; done && i < *extent; i++) {
            set(op->name, *min + i);
            done = try_to(op->body, steps);
        }
        set(op->name, std::nullopt);
        return done;
    }
    return false;
}

}  // namespace emulsion
