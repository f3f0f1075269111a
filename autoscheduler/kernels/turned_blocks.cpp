#include "autoscheduler/kernels/turned_blocks.h"

#include <string>
#include <utility>
#include <vector>

#include "autoscheduler/kernels/kernel_mutator.h"

namespace emulsion {

namespace {

using namespace Halide::Internal;
using Halide::Expr;

// Of fewer lanes there is little to win, of more no registers.
constexpr int kLeastLanes = 4, kMostLanes = 16;

// Loads whose elements lie further apart than there are lanes, so that rows have nothing in common.
class FarLoads : public IRVisitor {
public:
    std::vector<const Load *> found;

private:
    using IRVisitor::visit;

    void visit(const Load *op) override {
        IRVisitor::visit(op);
        const Ramp *places = op->index.as<Ramp>();
        if (places == nullptr || !places->base.type().is_scalar() || !is_const_one(op->predicate)) {
            return;
        }
        const int lanes = places->lanes;
        const bool power_of_two = (lanes & (lanes - 1)) == 0;
        const auto stride = as_const_int(places->stride);
        if (power_of_two && lanes >= kLeastLanes && lanes <= kMostLanes && stride &&
            *stride >= lanes) {
            found.push_back(op);
        }
    }
};

std::vector<const Load *> far_loads(const Store *store) {
    FarLoads loads;
    store->value.accept(&loads);
    return loads.found;
}

// The load of `store` that is `steps` elements behind `first`, or null.
const Load *load_behind(const Load *first, const Store *store, int steps) {
    const Ramp *from = first->index.as<Ramp>();
    for (const Load *load : far_loads(store)) {
        const Ramp *places = load->index.as<Ramp>();
        if (load->name == first->name && load->type == first->type &&
            equal(places->stride, from->stride) &&
            is_const(simplify(places->base - from->base), steps)) {
            return load;
        }
    }
    return nullptr;
}

// One of the loads of each store from `begin` on, as many as they have lanes; empty where there are none that follow each
// other, or one of the stores may change what is loaded.
std::vector<const Load *> loads_of_block(const std::vector<Stmt> &statements, size_t begin) {
    const Store *front = statements[begin].as<Store>();
    for (const Load *first : front == nullptr ? std::vector<const Load *>{} : far_loads(front)) {
        std::vector<const Load *> loads;
        for (int step = 0; step < first->type.lanes(); step++) {
            const size_t place = begin + static_cast<size_t>(step);
            const Store *store =
                place < statements.size() ? statements[place].as<Store>() : nullptr;
            const Load *load = store == nullptr || store->name == first->name
                                   ? nullptr
                                   : load_behind(first, store, step);
            if (load == nullptr) {
                break;
            }
            loads.push_back(load);
        }
        if (static_cast<int>(loads.size()) == first->type.lanes()) {
            return loads;
        }
    }
    return {};
}

class Replace : public IRMutator {
public:
    Replace(const Load *load, Expr by) : load_(load), by_(std::move(by)) {}
    using IRMutator::mutate;

private:
    using IRMutator::visit;

    Expr visit(const Load *op) override {
        return op->name == load_->name && equal(op->index, load_->index) ? by_
                                                                         : IRMutator::visit(op);
    }

    const Load *load_;
    Expr by_;
};

// Vectors by name, each defined by those before it.
class Vectors {
public:
    Expr name(const Expr &value) {
        lets_.emplace_back(unique_name("turned"), value);
        return Variable::make(value.type(), lets_.back().first);
    }
    Stmt around(Stmt body) const {
        for (auto let = lets_.rbegin(); let != lets_.rend(); ++let) {
            body = LetStmt::make(let->first, let->second, body);
        }
        return body;
    }

private:
    std::vector<std::pair<std::string, Expr>> lets_;
};

// Pieces of `size` lanes of two vectors, in turns: the even ones of each, or the odd ones.
Expr in_turns(const Expr &a, const Expr &b, int size, bool odd) {
    const int lanes = a.type().lanes();
    std::vector<int> indices;
    for (int i = 0; i < lanes; i++) {
        const bool of_b = i / size % 2 != 0;
        const int even = of_b ? i - size : i;
        indices.push_back((odd ? even + size : even) + (of_b ? lanes : 0));
    }
    return Shuffle::make({a, b}, indices);
}

// Rows of memory, and from them the vectors of one element of each row.
std::vector<Expr> turned(const Load *first, Vectors &vectors) {
    const Ramp *places = first->index.as<Ramp>();
    const int lanes = places->lanes;
    std::vector<Expr> rows;
    for (int row = 0; row < lanes; row++) {
        const Expr begin = simplify(places->base + places->stride * row);
        rows.push_back(
            vectors.name(Load::make(first->type, first->name, Ramp::make(begin, 1, lanes),
                                    first->image, first->param, const_true(lanes), {})));
    }
    for (size_t size = rows.size() / 2; size > 0; size /= 2) {
        for (size_t row = 0; row < rows.size(); row++) {
            if ((row & size) == 0) {
                Expr &upper = rows[row], &lower = rows[row + size];
                const Expr even =
                    vectors.name(in_turns(upper, lower, static_cast<int>(size), false));
                lower = vectors.name(in_turns(upper, lower, static_cast<int>(size), true));
                upper = even;
            }
        }
    }
    return rows;
}

void flatten(const Stmt &statement, std::vector<Stmt> &statements) {
    if (const Block *block = statement.as<Block>()) {
        flatten(block->first, statements);
        flatten(block->rest, statements);
    } else {
        statements.push_back(statement);
    }
}

class TurnedBlocks : public KernelMutator {
    using KernelMutator::visit;

    Stmt visit(const Block *op) override {
        std::vector<Stmt> statements, made;
        flatten(op, statements);
        for (size_t i = 0; i < statements.size();) {
            const std::vector<const Load *> loads =
                in_kernel() ? std::vector<const Load *>{} : loads_of_block(statements, i);
            if (loads.empty()) {
                made.push_back(mutate(statements[i++]));
                continue;
            }
            Vectors vectors;
            const std::vector<Expr> columns = turned(loads.front(), vectors);
            std::vector<Stmt> stores;
            for (size_t step = 0; step < loads.size(); step++) {
                stores.push_back(Replace(loads[step], columns[step]).mutate(statements[i++]));
            }
            made.push_back(vectors.around(Block::make(stores)));
        }
        return Block::make(made);
    }
};

}  // namespace

Stmt with_turned_blocks(const Stmt &statement) { return TurnedBlocks().mutate(statement); }

}  // namespace emulsion
